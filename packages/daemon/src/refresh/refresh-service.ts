/**
 * Who runs when. A refresh is split into lanes: one per global source (which one download feeds for all providers) and
 * one per provider (whose sources run one after the other, never two at once). Callers wait for lanes; lanes do not
 * depend on callers.
 */
import { randomUUID } from 'node:crypto'
import { SignalboxError } from '@signalbox/contract/errors'
import type { ProviderId } from '@signalbox/contract/ids'
import type { SourceStatus } from '@signalbox/contract/status'
import { compareStatuses, concerns } from '../catalog/status-board.ts'
import { Limiter } from '../concurrency/limiter.ts'
import type { Source } from '../sources/source.ts'
import { createSecrets } from '../telemetry/redact.ts'
import { dueAt } from './due.ts'
import { Lanes } from './lane.ts'
import { type RunContext, type RunResult, SourceRun } from './source-run.ts'

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

/** What runs one after the other. */
interface Lane {
  readonly name: string
  /** Null for the lane of a global source. */
  readonly provider_id: ProviderId | null
  readonly sources: readonly Source[]
  /** Only equal ones share a run. */
  readonly wish: string
}

interface LaneResult {
  readonly runs: readonly RunResult[]
  readonly statuses: readonly SourceStatus[]
}

const MAX_SOURCE_CALLS = 32
const SHUTDOWN_MS = 5_000

/** `redact` knows only the forms of secrets when it is not given. */
export type RefreshParts = Omit<RunContext, 'shutdown' | 'redact'> & Partial<Pick<RunContext, 'redact'>>

export class RefreshService {
  readonly #context: RunContext
  readonly #shutdown = new AbortController()
  readonly #lanes = new Lanes<LaneResult>()
  readonly #limiter = new Limiter(MAX_SOURCE_CALLS)
  readonly #running = new Map<AbortController, Source>()

  constructor(parts: RefreshParts) {
    this.#context = { redact: createSecrets().redact, ...parts, shutdown: this.#shutdown.signal }
  }

  /** Refresh what is in scope and wait for it. The work goes on when the caller stops waiting. */
  async refresh(scope: RefreshScope): Promise<RefreshResult> {
    const { signal } = this.#shutdown
    if (signal.aborted) throw stopping()
    const refresh_request_id = scope.request_id ?? `rfsh-${randomUUID()}`
    let startedFailures = 0
    const results = await Promise.all(
      lanesOf(this.#context.catalog.statuses.sources, scope).map((lane) =>
        this.#lanes.run(lane.name, lane.wish, async () => {
          const result = await this.#runLane(lane, scope.force, refresh_request_id)
          startedFailures += result.runs.filter(({ outcome }) => outcome === 'failed').length
          return result
        }),
      ),
    )
    const runs = results.flatMap((result) => result.runs)
    if (signal.aborted && runs.some(({ outcome }) => outcome === 'dropped')) throw stopping()
    const failures = runs.filter((run) => run.outcome === 'failed')
    const outcome = runs.some((run) => run.outcome === 'succeeded')
      ? 'succeeded'
      : failures.length > 0
        ? 'failed'
        : 'none'
    // Callers that share a run tell of it once: the one that started it.
    if (outcome === 'failed' && startedFailures > 0) {
      this.#context.telemetry.emit('catalog.refresh.all_failed', { refresh_request_id, failed: failures.length })
    }
    const nothingLeft = outcome === 'failed' && failures.every(({ kept }) => kept === 0)
    const { provider_id } = scope
    const sources = results
      .flatMap((result) => result.statuses)
      .filter((status) => provider_id === undefined || concerns(status, provider_id))
      .sort(compareStatuses)
    return { refresh_request_id, sources, outcome, nothingLeft }
  }

  /** Refuse new work, abort what runs, and wait for it to end, five seconds at most. */
  async close(): Promise<void> {
    this.#shutdown.abort(stopping())
    const { promise: late, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, SHUTDOWN_MS)
    await Promise.race([this.#lanes.idle().then(() => this.#context.catalog.settled()), late])
    clearTimeout(timer)
  }

  /** End the calls of sources that are gone or point elsewhere by now: what comes next need not wait for them. */
  dropUnwanted(): void {
    const { statuses } = this.#context.catalog
    for (const [controller, source] of this.#running) {
      if (!statuses.isCurrent(source)) controller.abort(new SignalboxError('source_failed', 'the source was changed'))
    }
  }

  async #run(source: Source, provider_id: ProviderId | null, request: string): Promise<RunResult> {
    const controller = new AbortController()
    this.#running.set(controller, source)
    try {
      return await new SourceRun({ ...this.#context, unwanted: controller.signal }, source, provider_id, request).run()
    } finally {
      this.#running.delete(controller)
    }
  }

  async #runLane({ sources, provider_id }: Lane, force: boolean, request: string): Promise<LaneResult> {
    const { catalog, clock } = this.#context
    const runs: RunResult[] = []
    for (const source of sources) {
      if (source.network && catalog.statuses.isOffline()) continue
      const mayRun = source.enabled && (force || dueAt(catalog, source, provider_id, clock.now()) <= clock.now())
      if (!mayRun) continue
      runs.push(await this.#limiter.run(() => this.#run(source, provider_id, request)))
    }
    const filter = provider_id === null ? {} : { provider_id }
    const now = clock.now()
    return { runs, statuses: sources.flatMap(({ id }) => catalog.statuses.statuses({ ...filter, source_id: id }, now)) }
  }
}

function lanesOf(all: readonly Source[], { source_id, provider_id, force }: RefreshScope): Lane[] {
  const sources = all.filter((source) => source_id === undefined || source.id === source_id)
  const providers = new Set(sources.flatMap(providersOf))
  return [
    ...sources
      .filter((source) => source.scope.kind === 'global')
      .map((source) => ({ name: source.id, provider_id: null, sources: [source], wish: String(force) })),
    ...[...providers]
      .filter((id) => provider_id === undefined || id === provider_id)
      .map((id) => ({
        name: `provider:${id}`,
        provider_id: id,
        sources: sources.filter((source) => providersOf(source).includes(id)),
        wish: JSON.stringify([force, source_id]),
      })),
  ]
}

function providersOf(source: Source): readonly ProviderId[] {
  return source.scope.kind === 'providers' ? source.scope.provider_ids : []
}

const stopping = () => new SignalboxError('shutting_down', 'the daemon is stopping')
