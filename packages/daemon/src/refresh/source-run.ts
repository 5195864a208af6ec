/** One call of one source, from asking to published rows. Everything that can go wrong ends as a recorded failure. */
import { SignalboxError } from '@signalbox/contract/errors'
import type { SourceCorrelation } from '@signalbox/contract/events'
import type { ProviderId } from '@signalbox/contract/ids'
import type { RowList } from '@signalbox/contract/row'
import type { Catalog } from '../catalog/catalog.ts'
import type { Clock } from '../catalog/clock.ts'
import { readMemory, rememberedIdentity } from '../catalog/source-memory.ts'
import type { RejectedRow, Source, SourceAnswer } from '../sources/source.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'
import { checkAnswer, type RowsAnswer } from './check-answer.ts'
import { withDeadline } from './deadline.ts'
import { describeFailure } from './describe-failure.ts'
import { accepted, confirmed, countRows, failed, type RunState } from './outcome.ts'
import { readRows } from './same-rows.ts'

export interface RunContext {
  readonly catalog: Catalog
  readonly telemetry: Telemetry
  readonly clock: Clock
  /** Hides secrets in what is told and kept of a failure. */
  readonly redact: (text: string) => string
  /** Aborted at shutdown. */
  readonly shutdown: AbortSignal
  /** Aborted when nobody wants the answer any more: the source is gone, or points elsewhere. */
  readonly unwanted?: AbortSignal
}

/** `dropped`: nobody wants the outcome any more (shutdown, or the source was changed meanwhile), and nothing was kept. */
export type RunResult =
  | { readonly outcome: 'succeeded' | 'dropped' }
  /** With how many rows that its source still holds. */
  | { readonly outcome: 'failed'; readonly kept: number }

/** A hostile answer may hold millions of bad rows: the first are named, the rest counted. */
const REJECTED_NAMED = 100

export class SourceRun {
  readonly #context: RunContext
  readonly #source: Source
  /** Null for a global source. */
  readonly #provider_id: ProviderId | null
  readonly #correlation: SourceCorrelation
  readonly #started: number

  constructor(context: RunContext, source: Source, provider_id: ProviderId | null, refresh_request_id: string) {
    this.#context = context
    this.#source = source
    this.#provider_id = provider_id
    this.#correlation = { refresh_request_id, provider_id, source_id: source.id, source_kind: source.kind }
    this.#started = context.clock.now()
  }

  /** Run it. Never rejects for anything a source does. */
  async run(): Promise<RunResult> {
    const { catalog, telemetry } = this.#context
    const done = catalog.statuses.markRunning(this.#source.id, this.#provider_id)
    telemetry.emit('catalog.refresh.started', this.#correlation)
    try {
      return await this.#succeed(await this.#ask())
    } catch (error) {
      return await this.#fail(error)
    } finally {
      done()
    }
  }

  async #ask(): Promise<SourceAnswer> {
    const { memory, kept } = this.#state()
    // Validators of rows that are no longer here would make "unchanged" mean nothing.
    const isComparable = memory?.good?.identity === rememberedIdentity(this.#source) && kept.length > 0
    const validators = isComparable ? memory.validators : {}
    const { timeoutMs, ttlMs } = this.#source
    const { shutdown, unwanted } = this.#context
    const stop = unwanted === undefined ? shutdown : AbortSignal.any([shutdown, unwanted])
    const answer = await withDeadline(timeoutMs, stop, (signal) =>
      this.#source.list({ provider_id: this.#provider_id, signal, now: this.#started, validators }),
    )
    if (answer.kind === 'unchanged' && ttlMs !== null && Object.keys(validators).length === 0) {
      throw new SignalboxError('source_failed', 'it says that nothing changed, but was not told since when')
    }
    return answer.kind === 'rows' ? checkAnswer(answer, this.#provider_id) : answer
  }

  async #succeed(answer: SourceAnswer): Promise<RunResult> {
    const { catalog, telemetry, clock } = this.#context
    await readRows(this.#lists())
    const state = this.#state()
    const change = answer.kind === 'unchanged' ? confirmed(state) : accepted(state, answer)
    const isWanted = await catalog.apply(change, () => catalog.statuses.isCurrent(this.#source))
    if (!isWanted) return this.#drop('the source was changed while it ran')
    if (answer.kind === 'rows') this.#tellChanges(answer, state.kept)
    const row_count = countRows(this.#lists())
    telemetry.emit('catalog.refresh.succeeded', {
      ...this.#correlation,
      row_count,
      duration_ms: clock.now() - this.#started,
    })
    return { outcome: 'succeeded' }
  }

  async #fail(error: unknown): Promise<RunResult> {
    const { catalog, telemetry, redact, shutdown } = this.#context
    // Not the source's failure: its rows are as good, and it is as due, as if it had not been asked.
    if (shutdown.aborted) return this.#drop('the daemon stopped before an answer came')
    const last_error = redact(describeFailure(error, telemetry))
    await readRows(this.#lists())
    const state = this.#state()
    const change = failed(state, last_error, error)
    const isWanted = await catalog.apply(change, () => catalog.statuses.isCurrent(this.#source))
    if (!isWanted) return this.#drop('the source was changed while it ran')
    this.#tellFailure(last_error)
    const kept = countRows(state.kept)
    if (kept > 0) telemetry.emit('catalog.source.stale_fallback', { ...this.#correlation, row_count: kept })
    return { outcome: 'failed', kept }
  }

  #drop(why: string): RunResult {
    this.#tellFailure(why)
    return { outcome: 'dropped' }
  }

  #tellFailure(error: string): void {
    const { telemetry, clock } = this.#context
    telemetry.emit('catalog.refresh.failed', { ...this.#correlation, error, duration_ms: clock.now() - this.#started })
  }

  #tellChanges({ lists, rejected }: RowsAnswer, before: readonly RowList[]): void {
    this.#tellRejected(rejected)
    const counts = new Map(before.map(({ provider_id, rows }) => [provider_id, { before: rows.length, after: 0 }]))
    for (const { provider_id, rows } of lists) {
      counts.set(provider_id, { before: counts.get(provider_id)?.before ?? 0, after: rows.length })
    }
    for (const [provider_id, count] of counts) {
      if (count.before === count.after) continue
      this.#context.telemetry.emit('catalog.source.row_count_changed', { ...this.#correlation, provider_id, ...count })
    }
  }

  #tellRejected(rejected: readonly RejectedRow[]): void {
    const named = rejected.slice(0, REJECTED_NAMED)
    const more = rejected.length - named.length
    if (more > 0)
      named.push({ provider_id: this.#provider_id, model_id: null, reason: `${more} more rows were dropped` })
    for (const row of named) this.#context.telemetry.emit('catalog.row.rejected', { ...this.#correlation, ...row })
  }

  #state(): RunState {
    const { catalog, clock } = this.#context
    return {
      source: this.#source,
      provider_id: this.#provider_id,
      kept: this.#lists(),
      memory: readMemory(catalog.memoryOf(this.#source.id, this.#provider_id)),
      lastRun: (provider_id) => catalog.statuses.records.get(this.#source.id, provider_id),
      now: clock.now(),
      random: clock.random(),
    }
  }

  #lists(): RowList[] {
    const all = this.#context.catalog.listsOf(this.#source.id)
    return this.#provider_id === null ? all : all.filter((list) => list.provider_id === this.#provider_id)
  }
}
