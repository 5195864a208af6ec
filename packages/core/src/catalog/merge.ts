/**
 * Rows to models. For one `(provider_id, model_id)`:
 *
 *  1. Rows are ordered: priority descending, then later `refreshed_at`, then lower `source_id` in byte order.
 *  2. Fields come from the fresh rows; from the stale ones only where no row is fresh or `includeStale` asks for them.
 *  3. Each field by itself is taken whole from the first of those rows that states it. A row that states efforts but
 *     not `supports_reasoning` counts as stating `true`.
 *  4. Merged `supports_reasoning: false` empties the efforts; a default effort outside the merged list becomes null.
 *     No effort is ever invented.
 *  5. Availability is decided by the first live or extension row that states it, fresh or stale (availability.ts).
 *  6. `stale` is the deciding row's; where none decided, whether a row that supplied a field is stale.
 */
import type { ModelId, ProviderId } from '@signalbox/contract/ids'
import type { Facts, Row } from '@signalbox/contract/row'
import { compareBytes } from '../bytes.ts'
import { type Availability, decideAvailability, type ProbeState } from './availability.ts'
import { FIELDS, type Field, isMissing, NO_FACTS } from './facts.ts'

/** Why a merged value is not the winning row's own. */
export type FieldRule = 'implied_by_efforts' | 'cleared_no_reasoning' | 'cleared_not_in_efforts'

/** Where a merged field came from: an index into `rows`, or -1 for nowhere, and the rule that changed it, if one did. */
export interface Origin {
  readonly row: number
  readonly rule: FieldRule | null
}

export interface MergedModel {
  readonly provider_id: ProviderId
  readonly model_id: ModelId
  /** All rows of the key, in merge order, whether or not they supplied a field. */
  readonly rows: readonly Row[]
  readonly facts: Facts
  readonly origins: Readonly<Record<Field, Origin>>
  readonly availability: Availability
  readonly stale: boolean
  /** The first row's. */
  readonly refreshed_at: number
}

export interface MergeOptions {
  readonly includeStale: boolean
  /** What the provider's live source last saw; decides the reason where no row decided. */
  readonly probe: ProbeState
}

/** Total order of the rows of one key, strongest first. */
export function compareRows(a: Row, b: Row): number {
  return b.priority - a.priority || b.refreshed_at - a.refreshed_at || compareBytes(a.source_id, b.source_id)
}

/** Merge the rows of one provider. Models come out by `model_id` in byte order. Rows are not modified. */
export function mergeProvider(rows: readonly Row[], options: MergeOptions): MergedModel[] {
  const groups = new Map<ModelId, Row[]>()
  for (const row of rows) {
    const group = groups.get(row.model_id)
    if (group === undefined) groups.set(row.model_id, [row])
    else group.push(row)
  }
  return [...groups.values()]
    .map((group) => mergeModel(group, options))
    .sort((a, b) => compareBytes(a.model_id, b.model_id))
}

/** Merge rows that share one key. `rows` must not be empty; its order does not matter. */
export function mergeModel(rows: readonly Row[], options: MergeOptions): MergedModel {
  const ordered = isOrdered(rows) ? rows : [...rows].sort(compareRows)
  const head = ordered[0]
  if (head === undefined) throw new RangeError('a model needs at least one row')
  const { facts, origins } = mergeFacts(ordered, takesStale(ordered, options.includeStale))
  const availability = decideAvailability(ordered, options.probe)
  return {
    provider_id: head.provider_id,
    model_id: head.model_id,
    rows: ordered,
    facts,
    origins,
    availability,
    stale: availability.evidence === null ? suppliedByStaleRow(ordered, origins) : availability.evidence.stale,
    refreshed_at: head.refreshed_at,
  }
}

/** Usual, because a shard collects its lists strongest first; and much cheaper than sorting. */
function isOrdered(rows: readonly Row[]): boolean {
  let before: Row | undefined
  for (const row of rows) {
    if (before !== undefined && compareRows(before, row) > 0) return false
    before = row
  }
  return true
}

/** Whether stale rows may supply fields. */
function takesStale(rows: readonly Row[], includeStale: boolean): boolean {
  return includeStale || rows.every((row) => row.stale)
}

const NOWHERE: Origin = Object.freeze({ row: -1, rule: null })
/** Shared, because every model of the built-in catalog has the same ones. */
const FROM_ROW: Origin[] = []
const fromRow = (row: number): Origin => (FROM_ROW[row] ??= Object.freeze({ row, rule: null }))

function mergeFacts(rows: readonly Row[], withStale: boolean) {
  const facts: Record<Field, unknown> = { ...NO_FACTS }
  const origins = { ...NOTHING_STATED }
  for (const field of FIELDS) {
    for (let index = 0; index < rows.length; index++) {
      const row = rows[index]
      if (row === undefined || (row.stale && !withStale)) continue
      const value = row.facts[field]
      if (isMissing(value)) continue
      facts[field] = value
      origins[field] = fromRow(index)
      break
    }
  }
  implyReasoning(facts, origins)
  settleEfforts(facts, origins)
  return { facts: facts as unknown as Facts, origins }
}

const NOTHING_STATED = Object.fromEntries(FIELDS.map((field) => [field, NOWHERE])) as Record<Field, Origin>

/** The row that states the efforts comes before the first that states `supports_reasoning`: it counts as stating it. */
function implyReasoning(facts: Record<Field, unknown>, origins: Record<Field, Origin>): void {
  const { row } = origins.reasoning_efforts
  const stated = origins.supports_reasoning.row
  if (row < 0 || (stated >= 0 && stated <= row)) return
  facts.supports_reasoning = true
  origins.supports_reasoning = { row, rule: 'implied_by_efforts' }
}

function settleEfforts(facts: Record<Field, unknown>, origins: Record<Field, Origin>): void {
  if (facts.supports_reasoning === false) {
    facts.reasoning_efforts = []
    origins.reasoning_efforts = { row: origins.reasoning_efforts.row, rule: 'cleared_no_reasoning' }
  }
  const chosen = facts.default_reasoning_effort
  if (chosen === null) return
  const list = facts.reasoning_efforts as Facts['reasoning_efforts']
  if (list?.some((effort) => effort === chosen) !== true) {
    facts.default_reasoning_effort = null
    const rule = facts.supports_reasoning === false ? 'cleared_no_reasoning' : 'cleared_not_in_efforts'
    origins.default_reasoning_effort = { row: origins.default_reasoning_effort.row, rule }
  }
}

function suppliedByStaleRow(rows: readonly Row[], origins: Readonly<Record<Field, Origin>>): boolean {
  if (!rows.some((row) => row.stale)) return false
  return FIELDS.some((field) => supplied(rows, origins[field])?.stale === true) || rows.every((row) => row.stale)
}

/** The row that holds a shown value. A rule clears, or implies from efforts that are shown themselves. */
function supplied(rows: readonly Row[], { row, rule }: Origin): Row | undefined {
  return rule === null ? rows[row] : undefined
}
