/** The process put together: what is opened in order, and closed in the opposite one. */
import { renameSync, rmSync } from 'node:fs'
import type { Server } from 'node:http'
import { dirname, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { ConfigFile } from '@signalbox/contract/config'
import type { DaemonStatus } from '@signalbox/contract/daemon'
import type { ProviderId } from '@signalbox/contract/ids'
import { rfc3339 } from '@signalbox/core/time'
import { ProviderCredentials } from './auth/provider-credentials.ts'
import type { Catalog } from './catalog/catalog.ts'
import { systemClock } from './catalog/clock.ts'
import { loadConfig } from './config/load.ts'
import { redactConfig } from './config/redacted-config.ts'
import { openParts, type Parts } from './parts.ts'
import type { Home, RunPaths } from './platform/home.ts'
import { onShutdownSignal } from './platform/signals.ts'
import { claimSocketPath, removeOwnSocket, secureSocket } from './platform/socket.ts'
import { systemErrorCode } from './platform/system-error.ts'
import { hashToken, loadOrCreateToken } from './platform/token.ts'
import { makeApp } from './server/app.ts'
import { guard } from './server/guard.ts'
import { closeServer, listenSocket, makeServer } from './server/listeners.ts'
import { listenOnLoopback } from './server/loopback.ts'
import { ModelBodies } from './server/model-bodies.ts'
import { RateLimit } from './server/rate-limit.ts'
import type { Services } from './server/services.ts'
import { milliseconds } from './sources/all-sources.ts'
import type { BuiltinCatalog } from './sources/builtin.ts'
import { VERSION } from './version.ts'

const WRITES_PER_SECOND = 20
const WRITES_AT_ONCE = 100
const FAILED_TOKENS_PER_SECOND = 10

const UNWRITABLE: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT', 'ENOENT'])

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
    const { telemetry, scheduler, locals } = daemon.#parts
    telemetry.emit('daemon.started', { pid: process.pid, version: VERSION, socket: paths.socket, url: daemon.#url })
    scheduler.plan()
    locals.start()
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
    const { catalog, config, persistence } = this.#parts
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
      providers_ready: snapshot.shards.filter((shard) =>
        shard.models.some((model) => model.availability.state === 'available_live'),
      ).length,
      offline: catalog.statuses.isOffline(),
      persisted: persistence.problem === null,
      persistence_problem: persistence.problem,
      config_file: this.#home.configFile,
      config_problems: [...config.problems],
      log_file: this.#home.logFile,
    }
  }

  /** Refuse new refreshes, join those that run, say goodbye to clients, and write nothing after the store closed. */
  async stop(reason: string): Promise<void> {
    const { telemetry, refresh, scheduler, locals, config, credentials, catalog, persistence, client } = this.#parts
    telemetry.emit('daemon.stopping', { reason })
    await refresh.close()
    await scheduler.stop()
    await locals[Symbol.asyncDispose]()
    await config[Symbol.asyncDispose]()
    credentials.close()
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
    const { config, telemetry, settling } = this.#parts
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
    const makeTcp = () => makeServer(tcpApp, limits, telemetry, (incoming) => guard(incoming, options), settling)
    const { servers, url } = await listenOnLoopback(makeTcp, config.current.daemon)
    this.#url = url
    this.#servers.push(...servers)

    // Last: whoever finds the socket finds a daemon that is ready.
    await claimSocketPath(this.#paths.socket)
    const socketApp = makeApp(services, bodies, 'socket')
    const socketServer = makeServer(socketApp, limits, telemetry, () => undefined, settling)
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
    const { catalog, refresh, telemetry, config, builtin, credentials } = this.#parts
    return {
      version: VERSION,
      catalog,
      refresh,
      auth: new ProviderCredentials({
        credentials,
        config: () => config.current,
        builtin: builtin.providers,
        env: process.env,
        catalog,
      }),
      telemetry,
      clock: systemClock,
      config: {
        file: this.#home.configFile,
        current: () => redactConfig(config.current, '[redacted]'),
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

function knownProviders(catalog: Catalog, config: ConfigFile, builtin: BuiltinCatalog): ProviderId[] {
  const configured = Object.keys(config.providers) as ProviderId[]
  const scoped = catalog.statuses.sources.flatMap((source) =>
    source.scope.kind === 'providers' ? source.scope.provider_ids : [],
  )
  return [...new Set([...catalog.snapshot().byProvider.keys(), ...configured, ...scoped, ...builtin.providers.keys()])]
}
