/** What a finished run changes: the rows, statuses and memory that its answer, or the lack of one, makes. */
import type { ProviderId } from '@signalbox/contract/ids'
import type { RowList } from '@signalbox/contract/row'
import { type GoodAnswer, judgeAnswer } from '@signalbox/core/catalog/gate'
import { nextAfterFailure, nextAfterSuccess } from '@signalbox/core/catalog/schedule'
import type { CatalogChange } from '../catalog/catalog.ts'
import { sha256 } from '../catalog/fingerprint.ts'
import { isDiscovered } from '../catalog/lists.ts'
import { type RunMemory, rememberedIdentity, writeMemory } from '../catalog/source-memory.ts'
import { type ProviderRows, type Source, SourceFailure } from '../sources/source.ts'
import type { SourceMemory, StatusRecord } from '../store/store.ts'
import type { RowsAnswer } from './check-answer.ts'
import { sameRows } from './same-rows.ts'

/** Where a run stands when its source has answered or failed. */
export interface RunState {
  readonly source: Source
  /** Null for a global source. */
  readonly provider_id: ProviderId | null
  /** Its last good lists: all of them, or the one of its provider. */
  readonly kept: readonly RowList[]
  readonly memory: RunMemory | null
  lastRun(provider_id: ProviderId | null): StatusRecord | null
  readonly now: number
  /** In [0, 1). */
  readonly random: number
}

/** A well-formed answer that must not replace a better one. */
export class GateRefusal extends Error {
  readonly good: GoodAnswer

  constructor(problem: string, good: GoodAnswer) {
    super(problem)
    this.name = 'GateRefusal'
    this.good = good
  }
}

/** The last good answer still holds: its rows are fresh again. */
export function confirmed(run: RunState): CatalogChange {
  const lists = run.source.ttlMs === null ? [] : run.kept.map((list) => stamp(run, list))
  const memories = run.memory === null ? [] : [remember(run, run.memory)]
  return { lists, removeStatusesOf: replacedStatuses(run), statuses: succeeded(run, run.kept), memories }
}

/** Throws `GateRefusal` when the answer is worse than the last good one. */
export function accepted(run: RunState, answer: RowsAnswer): CatalogChange {
  const good = { identity: rememberedIdentity(run.source), row_count: countRows(answer.lists), shrunken: null }
  const { mayBeEmpty } = run.source
  // Of rows that are no longer here (the source was disabled meanwhile) nothing can be lost.
  const last = run.kept.length === 0 ? null : (run.memory?.good ?? null)
  const verdict = judgeAnswer(last, { ...good, set: setOf(answer.lists), mayBeEmpty }, run.now)
  if (!verdict.accepted) throw new GateRefusal(verdict.problem, verdict.remember)
  const lists = answer.lists.map((list) => unlessSame(run, stamp(run, list)))
  const named = new Set(lists.map((list) => list.provider_id))
  return {
    removeLists: run.kept.filter((list) => !named.has(list.provider_id)),
    lists,
    removeStatusesOf: replacedStatuses(run),
    statuses: succeeded(run, lists),
    memories: [remember(run, { good, validators: answer.validators })],
  }
}

/** The rows stay and read as stale; those of files never are. */
export function failed(run: RunState, last_error: string, error: unknown): CatalogChange {
  const good = (error instanceof GateRefusal ? error.good : run.memory?.good) ?? null
  const told = error instanceof SourceFailure ? error : null
  return {
    lists: run.kept
      .filter((list) => !list.failed && isDiscovered(list))
      .map((list) => ({ ...list, rows: list.rows, failed: true })),
    statuses: providersOf(run, run.kept).map((provider_id) => failedStatus(run, provider_id, last_error, told)),
    memories: [remember(run, { good, validators: run.memory?.validators ?? {} })],
  }
}

export const countRows = (lists: readonly ProviderRows[]) => lists.reduce((sum, list) => sum + list.rows.length, 0)

/** Identity, times and TTL are ours to say, whatever the source claims. */
function stamp({ source, now }: RunState, { provider_id, rows }: ProviderRows): RowList {
  const fresh_until = source.ttlMs === null ? null : now + source.ttlMs
  return { source_id: source.id, provider_id, refreshed_at: now, fresh_until, failed: false, rows }
}

/**
 * Rows that say the same as before stay the same value: the store then writes only their times. Without a TTL the whole
 * list does, and nothing is published anew.
 */
function unlessSame({ source, kept }: RunState, list: RowList): RowList {
  const before = kept.find(({ provider_id }) => provider_id === list.provider_id)
  if (before === undefined || !sameRows(before.rows, list.rows)) return list
  return source.ttlMs === null ? before : { ...list, rows: before.rows }
}

function succeeded(run: RunState, lists: readonly RowList[]): StatusRecord[] {
  const next_refresh = nextAfterSuccess(run.now, run.source.ttlMs, run.random)
  return providersOf(run, lists).map((provider_id) => ({
    source_id: run.source.id,
    provider_id,
    outcome: 'succeeded',
    last_refresh: run.now,
    next_refresh,
    last_success: run.now,
    last_error: null,
    reason: null,
    failures: 0,
  }))
}

function failedStatus(
  run: RunState,
  provider_id: ProviderId | null,
  last_error: string,
  told: SourceFailure | null,
): StatusRecord {
  const before = run.lastRun(provider_id)
  // Somebody who tries by hand meanwhile does not make the next attempt come later.
  const wasDue = before?.next_refresh == null || before.next_refresh <= run.now
  const failures = (before?.failures ?? 0) + (wasDue || before?.outcome === 'succeeded' ? 1 : 0)
  const pause = Math.max(nextAfterFailure(run.now, failures), told?.retryAt ?? 0)
  return {
    source_id: run.source.id,
    provider_id,
    outcome: 'failed',
    last_refresh: run.now,
    next_refresh: run.source.network ? pause : null,
    last_success: before?.last_success ?? null,
    last_error,
    reason: told?.reason ?? null,
    failures,
  }
}

/** The providers a status is kept for; a global source that has named none yet still shows how it fared. */
function providersOf({ provider_id }: RunState, lists: readonly RowList[]): readonly (ProviderId | null)[] {
  if (provider_id !== null) return [provider_id]
  return lists.length === 0 ? [null] : lists.map((list) => list.provider_id)
}

/** A global source may have stopped naming a provider. */
const replacedStatuses = ({ source, provider_id }: RunState) => (provider_id === null ? [source.id] : [])

function remember({ source, provider_id }: RunState, memory: Omit<RunMemory, 'asked'>): SourceMemory {
  const { good, validators } = memory
  const asked = rememberedIdentity(source)
  return { source_id: source.id, provider_id, memory: writeMemory({ asked, good, validators }) }
}

function setOf(lists: readonly ProviderRows[]): string {
  const keys = lists.flatMap(({ provider_id, rows }) => rows.map((row) => `${provider_id}\0${row.model_id}`))
  return sha256(keys.sort().join('\n'))
}
