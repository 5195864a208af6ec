/** One call of one source, from asking to published rows. Everything that can go wrong ends as a recorded failure. */
import { SignalboxError } from '@signalbox/contract/errors'
import type { SourceCorrelation } from '@signalbox/contract/events'
import type { ProviderId } from '@signalbox/contract/ids'
import type { RowList } from '@signalbox/contract/row'
import { judgeAnswer } from '@signalbox/core/catalog/gate'
import { nextAfterFailure, nextAfterSuccess } from '@signalbox/core/catalog/schedule'
import type { Catalog, CatalogChange } from '../catalog/catalog.ts'
import type { Clock } from '../catalog/clock.ts'
import { sha256 } from '../catalog/fingerprint.ts'
import type { ProviderRows, Source, SourceAnswer } from '../sources/source.ts'
import type { SourceMemory, StatusRecord } from '../store/store.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'
import { withDeadline } from './deadline.ts'
import { type RunMemory, readMemory, writeMemory } from './source-memory.ts'

export interface RunContext {
  readonly catalog: Catalog
  readonly telemetry: Telemetry
  readonly clock: Clock
  /** Aborted at shutdown. */
  readonly shutdown: AbortSignal
}

type Rows = Extract<SourceAnswer, { kind: 'rows' }>

export class SourceRun {
  readonly #context: RunContext
  readonly #source: Source
  /** Null for a global source. */
  readonly #provider_id: ProviderId | null
  readonly #correlation: SourceCorrelation

  constructor(context: RunContext, source: Source, provider_id: ProviderId | null, refresh_request_id: string) {
    this.#context = context
    this.#source = source
    this.#provider_id = provider_id
    this.#correlation = { refresh_request_id, provider_id, source_id: source.id, source_kind: source.kind }
  }

  /** Run it. Resolves to whether it succeeded; never rejects for anything a source does. */
  async run(): Promise<boolean> {
    const { catalog, telemetry, clock } = this.#context
    const started = clock.now()
    const done = catalog.statuses.markRunning(this.#source.id, this.#provider_id)
    telemetry.emit('catalog.refresh.started', this.#correlation)
    try {
      const change = await this.#ask(started)
      done()
      await catalog.apply(change)
      const row_count = this.#lists().reduce((sum, list) => sum + list.rows.length, 0)
      telemetry.emit('catalog.refresh.succeeded', { ...this.#correlation, row_count, duration_ms: clock.now() - started })
      return true
    } catch (error) {
      done()
      await this.#fail(describeFailure(error, telemetry), started, error instanceof GateRefusal ? error.memory : null)
      return false
    }
  }

  async #ask(started: number): Promise<CatalogChange> {
    const memory = this.#memory()
    // Validators of rows that are no longer here would make "unchanged" mean nothing.
    const isComparable = memory?.good.identity === this.#source.identity && this.#lists().length > 0
    const answer = await withDeadline(this.#source.timeoutMs, this.#context.shutdown, (signal) =>
      this.#source.list({
        provider_id: this.#provider_id,
        signal,
        now: started,
        validators: isComparable && memory !== null ? memory.validators : {},
      }),
    )
    return answer.kind === 'unchanged' ? this.#confirm() : this.#accept(answer, memory)
  }

  /** The last good answer still holds: its rows are fresh again. */
  #confirm(): CatalogChange {
    const now = this.#context.clock.now()
    const lists = this.#source.ttlMs === null ? [] : this.#lists().map((list) => this.#stamp(list, now))
    return { lists, removeStatusesOf: this.#ownStatuses(), statuses: this.#succeeded(this.#lists(), now) }
  }

  #accept(answer: Rows, memory: RunMemory | null): CatalogChange {
    const now = this.#context.clock.now()
    const row_count = answer.lists.reduce((sum, list) => sum + list.rows.length, 0)
    const { identity, mayBeEmpty } = this.#source
    const verdict = judgeAnswer(memory?.good ?? null, { identity, row_count, set: setOf(answer.lists), mayBeEmpty }, now)
    if (!verdict.accepted) {
      throw new GateRefusal(verdict.problem, { good: verdict.remember, validators: memory?.validators ?? {} })
    }
    for (const rejected of answer.rejected) {
      const { model_id, reason } = rejected
      this.#context.telemetry.emit('catalog.row.rejected', { ...this.#correlation, provider_id: rejected.provider_id, model_id, reason })
    }
    const lists = answer.lists.map(({ provider_id, rows }) => this.#stamp({ provider_id, rows }, now))
    this.#tellRowCounts(lists)
    const named = new Set(lists.map((list) => list.provider_id))
    return {
      removeLists: this.#lists().filter((list) => !named.has(list.provider_id)),
      lists: lists.map((list) => this.#unlessSame(list)),
      removeStatusesOf: this.#ownStatuses(),
      statuses: this.#succeeded(lists, now),
      memories: [this.#remember({ good: { identity, row_count, shrunken: null }, validators: answer.validators })],
    }
  }

  async #fail(last_error: string, started: number, memory: RunMemory | null): Promise<void> {
    const { catalog, telemetry, clock } = this.#context
    const now = clock.now()
    const kept = this.#lists()
    await catalog.apply({
      lists: kept.filter((list) => !list.failed && list.source_id !== 'config').map((list) => ({ ...list, rows: list.rows, failed: true })),
      statuses: this.#failed(kept, last_error, now),
      memories: memory === null ? [] : [this.#remember(memory)],
    })
    telemetry.emit('catalog.refresh.failed', { ...this.#correlation, error: last_error, duration_ms: now - started })
    const row_count = kept.reduce((sum, list) => sum + list.rows.length, 0)
    if (row_count > 0) telemetry.emit('catalog.source.stale_fallback', { ...this.#correlation, row_count })
  }

  /** Identity, times and TTL are ours to say, whatever the source claims. */
  #stamp({ provider_id, rows }: ProviderRows, now: number): RowList {
    const fresh_until = this.#source.ttlMs === null ? null : now + this.#source.ttlMs
    return { source_id: this.#source.id, provider_id, refreshed_at: now, fresh_until, failed: false, rows }
  }

  /** A static list that says the same as before stays the same value, so that nothing is published anew. */
  #unlessSame(list: RowList): RowList {
    const before = this.#context.catalog.list(list)
    const isSame = this.#source.ttlMs === null && before !== undefined && JSON.stringify(before.rows) === JSON.stringify(list.rows)
    return isSame ? before : list
  }

  #succeeded(lists: readonly RowList[], now: number): StatusRecord[] {
    const next_refresh = nextAfterSuccess(now, this.#source.ttlMs, this.#context.clock.random())
    const providers = this.#providers(lists)
    return providers.map((provider_id) => ({
      source_id: this.#source.id,
      provider_id,
      outcome: 'succeeded',
      last_refresh: now,
      next_refresh,
      last_success: now,
      last_error: null,
      failures: 0,
    }))
  }

  #failed(kept: readonly RowList[], last_error: string, now: number): StatusRecord[] {
    const { statuses } = this.#context.catalog
    return this.#providers(kept).map((provider_id) => {
      const before = statuses.record(this.#source.id, provider_id)
      const failures = (before?.failures ?? 0) + 1
      return {
        source_id: this.#source.id,
        provider_id,
        outcome: 'failed',
        last_refresh: now,
        next_refresh: this.#source.network ? nextAfterFailure(now, failures) : null,
        last_success: before?.last_success ?? null,
        last_error,
        failures,
      }
    })
  }

  /** The providers a status is kept for; a global source that has named none yet still shows how it fared. */
  #providers(lists: readonly RowList[]): (ProviderId | null)[] {
    if (this.#provider_id !== null) return [this.#provider_id]
    return lists.length === 0 ? [null] : lists.map((list) => list.provider_id)
  }

  #ownStatuses() {
    return this.#provider_id === null ? [this.#source.id] : []
  }

  #lists(): RowList[] {
    const all = this.#context.catalog.listsOf(this.#source.id)
    return this.#provider_id === null ? all : all.filter((list) => list.provider_id === this.#provider_id)
  }

  #memory(): RunMemory | null {
    return readMemory(this.#context.catalog.memoryOf(this.#source.id, this.#provider_id))
  }

  #remember(memory: RunMemory): SourceMemory {
    return { source_id: this.#source.id, provider_id: this.#provider_id, memory: writeMemory(memory) }
  }

  #tellRowCounts(lists: readonly RowList[]): void {
    const before = new Map(this.#lists().map((list) => [list.provider_id, list.rows.length]))
    const after = new Map(lists.map((list) => [list.provider_id, list.rows.length]))
    for (const provider_id of new Set([...before.keys(), ...after.keys()])) {
      const counts = { before: before.get(provider_id) ?? 0, after: after.get(provider_id) ?? 0 }
      if (counts.before === counts.after) continue
      this.#context.telemetry.emit('catalog.source.row_count_changed', { ...this.#correlation, provider_id, ...counts })
    }
  }
}

/** A well-formed answer that must not replace a better one. */
class GateRefusal extends Error {
  readonly memory: RunMemory

  constructor(problem: string, memory: RunMemory) {
    super(problem)
    this.memory = memory
  }
}

/** Our own errors are written for people; anything else may quote what a provider sent, so only its kind is told. */
function describeFailure(error: unknown, telemetry: Telemetry): string {
  if (error instanceof SignalboxError || error instanceof GateRefusal) return error.message
  const kind = error instanceof Error ? error.name : typeof error
  const frames = error instanceof Error ? (error.stack?.split('\n').filter((line) => /^\s+at /.test(line)) ?? []) : []
  telemetry.emit('daemon.fault', { error: [kind, ...frames].join('\n') })
  return `the source failed unexpectedly (${kind})`
}

function setOf(lists: readonly ProviderRows[]): string {
  return sha256(lists.flatMap(({ provider_id, rows }) => rows.map((row) => `${provider_id}\0${row.model_id}`)).sort().join('\n'))
}
