/** Everything below the servers, opened in order and wired: a configuration or a credential that changes changes the sources. */
import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { SignalboxError } from '@signalbox/contract/errors'
import type { ProviderId, SourceId } from '@signalbox/contract/ids'
import { Catalog } from './catalog/catalog.ts'
import { systemClock } from './catalog/clock.ts'
import { Persistence } from './catalog/persistence.ts'
import { ConfigService, type Notes } from './config/config-service.ts'
import { problemLine } from './config/problem.ts'
import { CredentialService } from './credentials/credential-service.ts'
import { createOutboundClient } from './http/client.ts'
import type { Home } from './platform/home.ts'
import { RefreshService } from './refresh/refresh-service.ts'
import { Scheduler } from './refresh/scheduler.ts'
import { SourceSwap } from './source-swap.ts'
import { allSources } from './sources/all-sources.ts'
import { loadBuiltin } from './sources/builtin.ts'
import { CONFIG_SOURCE, configRows } from './sources/config-rows.ts'
import { liveTargets } from './sources/live/live-targets.ts'
import { LocalWatch } from './sources/live/local-watch.ts'
import { openStore } from './store/sqlite/open.ts'
import type { StatusRecord } from './store/store.ts'
import { StoreWriteError } from './store/store-write-error.ts'
import { createTelemetry } from './telemetry/event-bus.ts'
import { createLogFile } from './telemetry/log-file.ts'
import { createSecrets } from './telemetry/redact.ts'
import { VERSION } from './version.ts'

/** Beside `dist/`, in a checkout as in an install. */
const BUILTIN_FILE = fileURLToPath(new URL('../data/builtin.json', import.meta.url))

export type Parts = Awaited<ReturnType<typeof openParts>>

export async function openParts(home: Home) {
  const clock = systemClock
  const secrets = createSecrets()
  const telemetry = createTelemetry({
    log: createLogFile({ file: home.logFile, now: clock.now }),
    level: 'info',
    now: clock.now,
    secrets,
  })
  const opened = openStore(home.databaseFile, clock.now())
  const persistence = new Persistence(opened.store, telemetry, opened.problem)
  if (opened.setAside !== null) telemetry.emit('store.set_aside', opened.setAside)

  const notes = {
    get: (name: string) => opened.store.note(name),
    set: (name: string, text: string) => opened.store.commit({ notes: { [name]: text } }),
  }
  const config = new ConfigService({ file: home.configFile, telemetry, clock, notes })
  await config.start()
  const exposed = config.problems.find((problem) => problem.path === 'daemon.host')
  if (exposed !== undefined) {
    await config[Symbol.asyncDispose]()
    persistence.close()
    // All of them: who mends one should not start four times to learn of the others.
    throw new SignalboxError('bind_refused', config.problems.map(problemLine).join('\n'), {
      field: 'daemon.host',
      hint: 'other machines reach a daemon through a tunnel, such as ssh -L',
    })
  }
  telemetry.setLevel(config.current.daemon.log_level)

  const tellFault = (error: unknown) => telemetry.emit('daemon.fault', { error: String(error) })
  const isOffline = () => config.current.daemon.offline || process.env.SIGNALBOX_OFFLINE === '1'
  const builtin = loadBuiltin(BUILTIN_FILE)
  const client = createOutboundClient({ version: VERSION, env: process.env, isOffline })
  const credentials = await CredentialService.open({
    homeDir: home.dir,
    environment: process.env,
    register: secrets.add,
    now: clock.now,
  })
  const fingerprintKey = keptKey(notes)
  const stored = opened.store.load()
  const leftRows = new Set(
    stored.lists.filter(({ source_id }) => source_id.startsWith('provider_live:')).map((list) => list.provider_id),
  )
  const localTargets = () =>
    isOffline() ? [] : liveTargets(config.current, builtin.providers, process.env).filter((target) => target.isLocal)
  const locals = new LocalWatch({
    targets: localTargets,
    client,
    onChange: (provider_id) => localChanged(provider_id),
    onFault: tellFault,
  })
  const isKnownLocal = (id: ProviderId) => locals.isPresent(id) || leftRows.has(id)
  const makeSources = () =>
    allSources({
      config,
      builtin,
      client,
      credentials,
      env: process.env,
      homeDir: home.dir,
      fingerprintKey,
      isKnownLocal,
    })
  const { sources, unasked } = await makeSources()
  const staticLists = [...builtin.lists, ...configRows(config.current, config.changedAt)]
  const catalog = new Catalog(
    { stored, persistence, telemetry, clock, builtinHash: builtin.hash, sources, unasked, isOffline },
    staticLists,
  )
  const loaded = staticLists.map((list) => loadedAtStart(list.source_id, list.provider_id, clock.now(), config))
  const hasConfigRows = staticLists.some((list) => list.source_id === CONFIG_SOURCE)
  const alone = hasConfigRows ? [] : [loadedAtStart(CONFIG_SOURCE, null, clock.now(), config)]
  catalog.statuses.replace([], [...loaded, ...alone])
  await catalog.setSources(sources, unasked)

  const refresh = new RefreshService({ catalog, telemetry, clock, redact: secrets.redact })
  const scheduler = new Scheduler(catalog, refresh, clock)
  const swap = new SourceSwap(async () => {
    const made = await makeSources()
    await catalog.setSources(made.sources, made.unasked)
    refresh.dropUnwanted()
    await refresh.refresh({ source_id: CONFIG_SOURCE, force: true })
    scheduler.plan()
  }, tellFault)
  config.subscribe(() => {
    telemetry.setLevel(config.current.daemon.log_level)
    void swap.run()
  })
  credentials.subscribe(() => swap.run())
  const settling = {
    isSettled: () => swap.isSettled && config.isSettled(),
    settle: async () => {
      await config.reload()
      await swap.settle()
    },
    warning: () => {
      const [first] = config.problems
      return first === undefined ? null : `the configuration is not in force: ${problemLine(first)}`
    },
  }
  /** It came, went, or says something else: its source is there from then on, and is asked. */
  const localChanged = async (provider_id: ProviderId): Promise<void> => {
    leftRows.add(provider_id)
    const source_id = `provider_live:${provider_id}`
    if (!catalog.statuses.sources.some((source) => source.id === source_id)) await swap.run()
    await refresh.refresh({ source_id, force: true }).catch((error: unknown) => {
      // Expected: only that the daemon is stopping.
      if (!(error instanceof SignalboxError)) throw error
    })
  }
  return { telemetry, persistence, config, builtin, client, credentials, catalog, refresh, scheduler, locals, settling }
}

const KEY_NOTE = 'live.fingerprint_key'

/** Tells whether a credential is the one that rows were proven with. Made once per home; where it cannot be kept, anew. */
function keptKey(notes: Notes): string {
  const kept = notes.get(KEY_NOTE)
  if (kept !== null) return kept
  const made = randomBytes(32).toString('base64url')
  try {
    notes.set(KEY_NOTE, made)
  } catch (error) {
    // Expected: a full or read-only disk. Rows proven before a restart are then proven anew after it.
    if (!(error instanceof StoreWriteError)) throw error
  }
  return made
}

/** Built-in and configuration rows were read just now: that was their refresh. */
function loadedAtStart(
  source_id: SourceId,
  provider_id: ProviderId | null,
  now: number,
  config: ConfigService,
): StatusRecord {
  const [problem] = source_id === CONFIG_SOURCE ? config.problems : []
  const last_error = problem === undefined ? null : problemLine(problem)
  return {
    source_id,
    provider_id,
    outcome: problem === undefined ? 'succeeded' : 'failed',
    last_refresh: now,
    next_refresh: null,
    last_success: problem === undefined ? now : null,
    last_error,
    reason: null,
    failures: problem === undefined ? 0 : 1,
  }
}
