/**
 * Who runs when. A refresh is split into lanes: one per global source (which one download feeds for all providers) and
 * one per provider (whose sources run one after the other, never two at once). Callers wait for lanes; lanes do not
 * depend on callers.
 */
import { randomUUID } from 'node:crypto'
import { SignalboxError } from '@signalbox/contract/errors'
import type { ProviderId } from '@signalbox/contract/ids'
import type { SourceStatus } from '@signalbox/contract/status'
import { isDue } from '@signalbox/core/catalog/schedule'
import { compareStatuses } from '../catalog/status-board.ts'
import type { Source } from '../sources/source.ts'
import { Lanes } from './lane.ts'
import { Limiter } from './limiter.ts'
import { type RunContext, SourceRun } from './source-run.ts'

export interface RefreshScope {
  readonly provider_id?: ProviderId | undefined
  readonly source_id?: string | undefined
  readonly force: boolean
  readonly request_id?: string | undefined
}

/** `none`: nothing was due. `failed`: all that was tried failed. */
export type RefreshOutcome = 'succeeded' | 'failed' | 'none'

export interface RefreshResult {
  readonly refresh_request_id: string
  readonly sources: readonly SourceStatus[]
  readonly outcome: RefreshOutcome
  /** Everything tried failed, and nothing tried holds an earlier row either. */
  readonly nothingLeft: boolean
}

interface LaneResult {
  readonly statuses: readonly SourceStatus[]
  readonly succeeded: number
  readonly failed: number
}

const MAX_SOURCE_CALLS = 32
const SHUTDOWN_MS = 5_000

export type RefreshParts = Omit<RunContext, 'shutdown'>

export class RefreshService {
  readonly #context: RunContext
  readonly #shutdown = new AbortController()
  readonly #lanes = new Lanes<LaneResult>()
  readonly #limiter = new Limiter(MAX_SOURCE_CALLS)

  constructor(parts: RefreshParts) {
    this.#context = { ...parts, shutdown: this.#shutdown.signal }
  }

  /** Refresh what is in scope and wait for it. The work goes on when the caller stops waiting. */
  async refresh(scope: RefreshScope): Promise<RefreshResult> {
    if (this.#shutdown.signal.aborted) throw new SignalboxError('shutting_down', 'the daemon is stopping')
    const refresh_request_id = scope.request_id ?? `rfsh-${randomUUID()}`
    const results = await Promise.all(this.#lanesOf(scope).map((lane) => lane(refresh_request_id)))
    const sources = results.flatMap((result) => result.statuses).filter((status) => isInScope(status, scope))
    const failed = results.reduce((sum, result) => sum + result.failed, 0)
    const succeeded = results.reduce((sum, result) => sum + result.succeeded, 0)
    const outcome = succeeded > 0 ? 'succeeded' : failed > 0 ? 'failed' : 'none'
    if (outcome === 'failed') this.#context.telemetry.emit('catalog.refresh.all_failed', { refresh_request_id, failed })
    const nothingLeft = outcome === 'failed' && sources.every((status) => status.row_count === 0)
    return { refresh_request_id, sources: sources.sort(compareStatuses), outcome, nothingLeft }
  }

  /** Refuse new work, abort what runs, and wait for it to end, five seconds at most. */
  async close(): Promise<void> {
    this.#shutdown.abort(new SignalboxError('shutting_down', 'the daemon stopped before an answer came'))
    const giveUp = new Promise<void>((resolve) => setTimeout(resolve, SHUTDOWN_MS).unref())
    await Promise.race([this.#lanes.idle().then(() => this.#context.catalog.settled()), giveUp])
  }

  #lanesOf(scope: RefreshScope): ((request: string) => Promise<LaneResult>)[] {
    const sources = this.#context.catalog.statuses.sources.filter((source) => scope.source_id === undefined || source.id === scope.source_id)
    const global = sources.filter((source) => source.scope.kind === 'global')
    const providers = [...new Set(sources.flatMap(providersOf))].filter((id) => scope.provider_id === undefined || id === scope.provider_id)
    const force = String(scope.force)
    return [
      ...global.map(
        (source) => (request: string) =>
          this.#lanes.run(source.id, force, () => this.#runLane([source], null, scope.force, request)),
      ),
      ...providers.map((provider_id) => {
        const own = sources.filter((source) => providersOf(source).includes(provider_id))
        const wish = `${force} ${scope.source_id ?? ''}`
        return (request: string) =>
          this.#lanes.run(`provider:${provider_id}`, wish, () => this.#runLane(own, provider_id, scope.force, request))
      }),
    ]
  }

  async #runLane(sources: readonly Source[], provider_id: ProviderId | null, force: boolean, request: string): Promise<LaneResult> {
    let succeeded = 0
    let failed = 0
    for (const source of sources) {
      if (!this.#mayRun(source, provider_id, force)) continue
      const ok = await this.#limiter.run(() => new SourceRun(this.#context, source, provider_id, request).run())
      if (ok) succeeded += 1
      else failed += 1
    }
    const { catalog, clock } = this.#context
    const filter = provider_id === null ? {} : { provider_id }
    const statuses = sources.flatMap((source) => catalog.statuses.statuses({ ...filter, source_id: source.id }, clock.now()))
    return { statuses, succeeded, failed }
  }

  /** Without force a source within its TTL or its back-off is left alone. */
  #mayRun(source: Source, provider_id: ProviderId | null, force: boolean): boolean {
    if (!source.enabled) return false
    if (force) return true
    const { statuses } = this.#context.catalog
    const record = provider_id === null ? (statuses.recordsOf(source.id)[0] ?? null) : statuses.record(source.id, provider_id)
    return isDue(record, this.#context.clock.now())
  }
}

function providersOf(source: Source): readonly ProviderId[] {
  return source.scope.kind === 'providers' ? source.scope.provider_ids : []
}

function isInScope(status: SourceStatus, { provider_id }: RefreshScope): boolean {
  return provider_id === undefined || status.provider_id === null || status.provider_id === provider_id
}
