/**
 * Rows as columns of numbers, and back. Texts and lists that many models share stand once in a table, and a column holds
 * their places in it; a column whose values are all the same is that one value. See `docs/builtin-catalog.md`.
 */
import type { Effort } from '@signalbox/contract/effort'
import type { ModelId } from '@signalbox/contract/ids'
import { LIFECYCLES, type Modalities, type PriceTier } from '@signalbox/contract/model'
import type { Facts, StatedRow } from '@signalbox/contract/row'
import { compareBytes } from '@signalbox/core/bytes'

export interface Tables {
  readonly ids: readonly string[]
  readonly names: readonly string[]
  readonly families: readonly string[]
  readonly dates: readonly string[]
  readonly modalities: readonly Modalities[]
  readonly efforts: readonly (readonly Effort[])[]
  readonly tiers: readonly (readonly PriceTier[])[]
}

export type Column = number | readonly number[]

/** In this order in the file. */
export interface Columns {
  /** Place in `ids`. */
  readonly id: Column
  /** Place in a table plus one; 0 for none. */
  readonly name: Column
  readonly family: Column
  readonly date: Column
  readonly modalities: Column
  readonly efforts: Column
  readonly tiers: Column
  /** tools + 3 × reasoning + 9 × lifecycle, each 0 for unknown. */
  readonly flags: Column
  /** 0 for unknown, which no limit is. */
  readonly context: Column
  readonly input: Column
  readonly output: Column
  /** -1 for unknown: 0 is a price. */
  readonly cost_input: Column
  readonly cost_output: Column
  readonly cost_cache_read: Column
  readonly cost_cache_write: Column
}

/** The distinct values of a table, in byte order of their JSON. */
function table<T>(values: Iterable<T | null>): readonly T[] {
  const distinct = new Map<string, T>()
  for (const value of values) if (value !== null) distinct.set(JSON.stringify(value), value)
  return [...distinct].sort(([a], [b]) => compareBytes(a, b)).map(([, value]) => value)
}

export function buildTables(rows: readonly StatedRow[]): Tables {
  const of = <K extends keyof Facts>(field: K) => table(rows.map((row) => row.facts[field]))
  return {
    ids: table(rows.map((row) => row.model_id)),
    names: of('display_name') as readonly string[],
    families: of('family') as readonly string[],
    dates: of('release_date') as readonly string[],
    modalities: of('modalities') as readonly Modalities[],
    efforts: of('reasoning_efforts') as readonly (readonly Effort[])[],
    tiers: of('cost_tiers') as readonly (readonly PriceTier[])[],
  }
}

/** Encodes the rows of one provider after another against the same tables. */
export function columnEncoder(tables: Tables): (rows: readonly StatedRow[]) => Columns {
  const ids = placesIn(tables.ids)
  const names = placesIn(tables.names)
  const families = placesIn(tables.families)
  const dates = placesIn(tables.dates)
  const modalities = placesIn(tables.modalities)
  const efforts = placesIn(tables.efforts)
  const tiers = placesIn(tables.tiers)
  return (rows) => {
    for (const row of rows) refuseUnencodable(row)
    const column = (of: (facts: Facts) => number) => squeeze(rows.map((row) => of(row.facts)))
    return {
      id: squeeze(rows.map((row) => ids(row.model_id) - 1)),
      name: column((facts) => names(facts.display_name)),
      family: column((facts) => families(facts.family)),
      date: column((facts) => dates(facts.release_date)),
      modalities: column((facts) => modalities(facts.modalities)),
      efforts: column((facts) => efforts(facts.reasoning_efforts)),
      tiers: column((facts) => tiers(facts.cost_tiers)),
      flags: column(flagsOf),
      context: column((facts) => facts.context_window ?? 0),
      input: column((facts) => facts.max_input_tokens ?? 0),
      output: column((facts) => facts.max_output_tokens ?? 0),
      cost_input: column((facts) => facts.cost_input_per_million ?? -1),
      cost_output: column((facts) => facts.cost_output_per_million ?? -1),
      cost_cache_read: column((facts) => facts.cost_cache_read_per_million ?? -1),
      cost_cache_write: column((facts) => facts.cost_cache_write_per_million ?? -1),
    }
  }
}

/** The place of a value in a table plus one; 0 for null. */
function placesIn<T>(values: readonly T[]): (value: T | null) => number {
  const places = new Map(values.map((value, place) => [JSON.stringify(value), place + 1]))
  return (value) => (value === null ? 0 : (places.get(JSON.stringify(value)) ?? unknownValue()))
}

function unknownValue(): never {
  throw new RangeError('a value is in no table: the tables are of other rows')
}

function squeeze(values: readonly number[]): Column {
  const [first] = values
  return first !== undefined && values.every((value) => value === first) ? first : values
}

/** The format has no place for what no public catalog states. */
function refuseUnencodable({
  model_id,
  facts,
  available,
  denial,
  refreshed_at,
  expires_at,
  declared_stale,
}: StatedRow): void {
  const stated = [facts.default_reasoning_effort, available, denial, refreshed_at, expires_at]
  if (declared_stale || stated.some((value) => value !== null)) throw new RangeError(`cannot be encoded: ${model_id}`)
}

const flag = (value: boolean | null) => (value === null ? 0 : value ? 2 : 1)
const unflag = (value: number) => (value === 0 ? null : value === 2)

function flagsOf({ supports_tools, supports_reasoning, lifecycle }: Facts): number {
  const place = lifecycle === null ? 0 : LIFECYCLES.indexOf(lifecycle) + 1
  return flag(supports_tools) + 3 * flag(supports_reasoning) + 9 * place
}

const at = (column: Column, row: number): number =>
  typeof column === 'number' ? column : (column[row] ?? outOfRange())
const tableValue = <T>(values: readonly T[], place: number): T => values[place] ?? outOfRange()
const optional = <T>(values: readonly T[], place: number): T | null =>
  place === 0 ? null : tableValue(values, place - 1)
const limit = (value: number) => (value === 0 ? null : value)
const price = (value: number) => (value === -1 ? null : value)

function outOfRange(): never {
  throw new RangeError('a column points outside its table')
}

/** The rows that were encoded. Table values are shared between rows, as values that nobody changes. */
export function decodeColumns(columns: Columns, count: number, tables: Tables): readonly StatedRow[] {
  const rows: StatedRow[] = []
  for (let row = 0; row < count; row++) {
    rows.push({
      model_id: tableValue(tables.ids, at(columns.id, row)) as ModelId,
      facts: decodeFacts(columns, row, tables),
      available: null,
      denial: null,
      refreshed_at: null,
      expires_at: null,
      declared_stale: false,
    })
  }
  return rows
}

function decodeFacts(columns: Columns, row: number, tables: Tables): Facts {
  const flags = at(columns.flags, row)
  return {
    display_name: optional(tables.names, at(columns.name, row)),
    context_window: limit(at(columns.context, row)),
    max_input_tokens: limit(at(columns.input, row)),
    max_output_tokens: limit(at(columns.output, row)),
    supports_tools: unflag(flags % 3),
    supports_reasoning: unflag(Math.trunc(flags / 3) % 3),
    reasoning_efforts: optional(tables.efforts, at(columns.efforts, row)),
    default_reasoning_effort: null,
    family: optional(tables.families, at(columns.family, row)),
    modalities: optional(tables.modalities, at(columns.modalities, row)),
    release_date: optional(tables.dates, at(columns.date, row)),
    lifecycle: optional(LIFECYCLES, Math.trunc(flags / 9)),
    cost_input_per_million: price(at(columns.cost_input, row)),
    cost_output_per_million: price(at(columns.cost_output, row)),
    cost_cache_read_per_million: price(at(columns.cost_cache_read, row)),
    cost_cache_write_per_million: price(at(columns.cost_cache_write, row)),
    cost_tiers: optional(tables.tiers, at(columns.tiers, row)),
  }
}
