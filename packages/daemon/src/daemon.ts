/** The process put together: what is opened in order, and closed in the opposite one. */
import { renameSync, rmSync } from 'node:fs'
import type { Server } from 'node:http'
import { dirname, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type ConfigFile, durationMs } from '@signalbox/contract/config'
import type { DaemonStatus } from '@signalbox/contract/daemon'
import { SignalboxError } from '@signalbox/contract/errors'
import type { ProviderId } from '@signalbox/contract/ids'
import { rfc3339 } from '@signalbox/core/time'
import { Catalog } from './catalog/catalog.ts'
import { systemClock } from './catalog/clock.ts'
import { Persistence } from './catalog/persistence.ts'
import { ConfigService } from './config/config-service.ts'
import { loadConfig } from './config/load.ts'
import { problemLine } from './config/problem.ts'
import { createOutboundClient, type OutboundClient } from './http/client.ts'
import type { Home, RunPaths } from './platform/home.ts'
import { onShutdownSignal } from './platform/signals.ts'
import { claimSocketPath, removeOwnSocket, secureSocket } from './platform/socket.ts'
import { systemErrorCode } from './platform/system-error.ts'
import { hashToken, loadOrCreateToken } from './platform/token.ts'
import { RefreshService } from './refresh/refresh-service.ts'
import { Scheduler } from './refresh/scheduler.ts'
import { makeApp } from './server/app.ts'
import { guard } from './server/guard.ts'
import { closeServer, listenSocket, makeServer } from './server/listeners.ts'
import { listenOnLoopback } from './server/loopback.ts'
import { ModelBodies } from './server/model-bodies.ts'
import { RateLimit } from './server/rate-limit.ts'
import type { Services } from './server/services.ts'
import { type BuiltinCatalog, builtinSource, loadBuiltin } from './sources/builtin.ts'
import { configSource } from './sources/config.ts'
import { configRows } from './sources/config-rows.ts'
import { modelsDevSource } from './sources/models-dev.ts'
import type { Source } from './sources/source.ts'
import { openStore } from './store/sqlite/open.ts'
import type { StatusRecord } from './store/store.ts'
import { createTelemetry } from './telemetry/event-bus.ts'
import { createLogFile } from './telemetry/log-file.ts'
import { createSecrets } from './telemetry/redact.ts'

const VERSION = process.env.SIGNALBOX_VERSION ?? 'dev'
/** Beside `dist/`, in a checkout as in an install. */
const BUILTIN_FILE = fileURLToPath(new URL('../data/builtin.json', import.meta.url))
const WRITES_PER_SECOND = 20
const WRITES_AT_ONCE = 100
const FAILED_TOKENS_PER_SECOND = 10

const UNWRITABLE: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT'])

type Parts = Awaited<ReturnType<typeof openParts>>

export class Daemon {
  readonly #home: Home
  readonly #paths: RunPaths
  readonly #parts: Parts
  readonly #startedAt = systemClock.now()
  readonly #servers: Server[] = []
  readonly #stopRequested = Promise.withResolvers<string>()
  #endStreams: (() => void)[] = []
  #url: string | null = null
  #socketInode = 0
  #tokenFile: string

  /** Open everything and listen. Whoever calls this owns the home's lock. */
  static async start(home: Home, paths: RunPaths): Promise<Daemon> {
    const daemon = new Daemon(home, paths, await openParts(home))
    try {
      await daemon.#listen()
    } catch (error) {
      // Expected: a port or a path that cannot be had. What is open already would keep the process alive.
      await daemon.stop('could not start')
      throw error
    }
    const { telemetry, scheduler } = daemon.#parts
    telemetry.emit('daemon.started', { pid: process.pid, version: VERSION, socket: paths.socket, url: daemon.#url })
    scheduler.plan()
    return daemon
  }

  private constructor(home: Home, paths: RunPaths, parts: Parts) {
    this.#home = home
    this.#paths = paths
    this.#parts = parts
    this.#tokenFile = home.tokenFile
    onShutdownSignal((signal) => this.#stopRequested.resolve(signal))
    // Nobody sees the stderr of a background daemon: what ends it must be in the log.
    process.on('uncaughtExceptionMonitor', (error) =>
      parts.telemetry.emit('daemon.fault', { error: error.stack ?? String(error) }),
    )
  }

  /** Resolves to the reason when somebody asks the daemon to stop. */
  get stopRequested(): Promise<string> {
    return this.#stopRequested.promise
  }

  status(): DaemonStatus {
    const { catalog, config, persistence, builtin } = this.#parts
    const snapshot = catalog.snapshot()
    return {
      pid: process.pid,
      version: VERSION,
      home: this.#home.dir,
      socket: this.#paths.socket,
      url: this.#url,
      token_file: this.#tokenFile,
      generation: snapshot.generation,
      started_at: rfc3339(this.#startedAt),
      models: snapshot.modelCount,
      providers: snapshot.shards.length,
      providers_ready: snapshot.shards.filter(
        (shard) =>
          isReady(shard.provider_id, builtin) || shard.models.some((model) => model.availability.available === true),
      ).length,
      persisted: persistence.problem === null,
      persistence_problem: persistence.problem,
      config_file: this.#home.configFile,
      config_problems: [...config.problems],
      log_file: this.#home.logFile,
    }
  }

  /** Refuse new refreshes, join those that run, say goodbye to clients, and write nothing after the store closed. */
  async stop(reason: string): Promise<void> {
    const { telemetry, refresh, scheduler, config, catalog, persistence, client } = this.#parts
    telemetry.emit('daemon.stopping', { reason })
    await refresh.close()
    await scheduler.stop()
    await config[Symbol.asyncDispose]()
    for (const end of this.#endStreams) end()
    // First the name, so that nobody new comes; those who have just connected are let in before the door closes.
    removeOwnSocket(this.#paths.socket, this.#socketInode)
    await setImmediate()
    await Promise.all(this.#servers.map(closeServer))
    await catalog.settled()
    await client.close()
    persistence.close()
    telemetry.emit('daemon.stopped', {})
  }

  async #listen(): Promise<void> {
    const { config, telemetry } = this.#parts
    const services = this.#services()
    const bodies = new ModelBodies()
    const limits = { requestTimeoutMs: milliseconds(config.current.daemon.request_timeout) }

    const tcpApp = makeApp(services, bodies, 'tcp')
    const { file, token } = this.#token()
    this.#tokenFile = file
    const options = {
      tokenHash: hashToken(token),
      allowedHosts: config.current.daemon.allowed_hosts,
      writes: new RateLimit(WRITES_PER_SECOND, WRITES_AT_ONCE),
      failures: new RateLimit(FAILED_TOKENS_PER_SECOND, FAILED_TOKENS_PER_SECOND),
    }
    const makeTcp = () => makeServer(tcpApp, limits, telemetry, (incoming) => guard(incoming, options))
    const { servers, url } = await listenOnLoopback(makeTcp, config.current.daemon)
    this.#url = url
    this.#servers.push(...servers)

    // Last: whoever finds the socket finds a daemon that is ready.
    await claimSocketPath(this.#paths.socket)
    const socketApp = makeApp(services, bodies, 'socket')
    const socketServer = makeServer(socketApp, limits, telemetry, () => undefined)
    this.#servers.push(socketServer)
    this.#endStreams = [socketApp.endStreams, tcpApp.endStreams]
    this.#socketInode = await listenAt(socketServer, this.#paths.socket)
  }

  /** In the home; where that cannot be written, in the runtime directory, which is as private. */
  #token(): { readonly file: string; readonly token: string } {
    const { tokenFile: file } = this.#home
    try {
      return { file, token: loadOrCreateToken(file) }
    } catch (error) {
      // Expected: a full or read-only disk.
      if (!UNWRITABLE.has(systemErrorCode(error) ?? '')) throw error
      const instead = join(this.#paths.runDir, 'token')
      return { file: instead, token: loadOrCreateToken(instead) }
    }
  }

  #services(): Services {
    const { catalog, refresh, telemetry, config, builtin } = this.#parts
    return {
      version: VERSION,
      catalog,
      refresh,
      telemetry,
      clock: systemClock,
      config: {
        file: this.#home.configFile,
        current: () => config.current,
        check: async () => {
          const checked = await loadConfig(this.#home.configFile)
          return checked.ok ? [] : checked.problems
        },
      },
      providers: () => knownProviders(catalog, config.current, builtin),
      status: () => this.status(),
      stop: (reason) => this.#stopRequested.resolve(reason),
    }
  }
}

/**
 * Listen at the path, and return the socket's inode. Made under a draft name: a closing server unlinks the name that it
 * was given, which may be another daemon's by then (a home that was deleted and made anew). No longer than the real name,
 * whose length was checked.
 */
async function listenAt(server: Server, path: string): Promise<number> {
  const draft = join(dirname(path), `s.${process.pid}`)
  rmSync(draft, { force: true })
  await listenSocket(server, draft)
  const inode = secureSocket(draft)
  renameSync(draft, path)
  return inode
}

/** Everything below the servers, wired: a configuration that changes changes the sources. */
async function openParts(home: Home) {
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
    throw new SignalboxError('bind_refused', problemLine(exposed), {
      field: 'daemon.host',
      hint: 'other machines reach a daemon through a tunnel, such as ssh -L',
    })
  }
  telemetry.setLevel(config.current.daemon.log_level)

  const builtin = loadBuiltin(BUILTIN_FILE)
  const client = createOutboundClient({ version: VERSION, env: process.env })
  const makeSources = () => [configSource(config), builtinSource(builtin), configuredModelsDev(config.current, client)]
  const sources = makeSources()
  const staticLists = [...builtin.lists, ...configRows(config.current, config.changedAt)]
  const catalog = new Catalog(
    { stored: opened.store.load(), persistence, telemetry, clock, builtinHash: builtin.hash, sources },
    staticLists,
  )
  catalog.statuses.replace(
    [],
    staticLists.map((list) => loadedAtStart(list, clock.now(), config)),
  )
  await catalog.setSources(sources)

  const refresh = new RefreshService({ catalog, telemetry, clock, redact: secrets.redact })
  const scheduler = new Scheduler(catalog, refresh, clock)
  config.subscribe(() => {
    telemetry.setLevel(config.current.daemon.log_level)
    const swap = async () => {
      await catalog.setSources(makeSources())
      await refresh.refresh({ source_id: 'config', force: true })
      scheduler.plan()
    }
    swap().catch((error: unknown) => {
      // Expected: a file that is saved while the daemon stops.
      if (error instanceof SignalboxError && error.code === 'shutting_down') return
      telemetry.emit('daemon.fault', { error: String(error) })
    })
  })
  return { telemetry, persistence, config, builtin, client, catalog, refresh, scheduler }
}

function configuredModelsDev(config: ConfigFile, client: OutboundClient): Source {
  const { enabled, endpoint, ttl, timeout } = config.model_catalog.sources.models_dev
  return modelsDevSource({ enabled, endpoint, ttlMs: milliseconds(ttl), timeoutMs: milliseconds(timeout) }, client)
}

/** Built-in and configuration rows were read just now: that was their refresh. */
function loadedAtStart(
  list: { source_id: StatusRecord['source_id']; provider_id: ProviderId },
  now: number,
  config: ConfigService,
): StatusRecord {
  const [problem] = list.source_id === 'config' ? config.problems : []
  const last_error = problem === undefined ? null : problemLine(problem)
  return {
    source_id: list.source_id,
    provider_id: list.provider_id,
    outcome: problem === undefined ? 'succeeded' : 'failed',
    last_refresh: now,
    next_refresh: null,
    last_success: problem === undefined ? now : null,
    last_error,
    reason: null,
    failures: problem === undefined ? 0 : 1,
  }
}

function knownProviders(catalog: Catalog, config: ConfigFile, builtin: BuiltinCatalog): ProviderId[] {
  const configured = Object.keys(config.providers) as ProviderId[]
  const scoped = catalog.statuses.sources.flatMap((source) =>
    source.scope.kind === 'providers' ? source.scope.provider_ids : [],
  )
  return [...new Set([...catalog.snapshot().byProvider.keys(), ...configured, ...scoped, ...builtin.providers.keys()])]
}

/** A key is set, though nothing has proven it yet. */
function isReady(provider_id: ProviderId, builtin: BuiltinCatalog): boolean {
  const names = builtin.providers.get(provider_id)?.env ?? []
  return names.some((name) => /(KEY|TOKEN)$/.test(name) && (process.env[name] ?? '') !== '')
}

function milliseconds(duration: string): number {
  const ms = durationMs(duration)
  if (ms === null) throw new RangeError('the configuration was checked, so this is a duration')
  return ms
}
