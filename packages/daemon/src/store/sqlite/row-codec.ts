/** Rows as bytes: JSON that leaves out what a row does not state, which is most of it. */
import type { Facts, RowList, StatedRow } from '@signalbox/contract/row'
import { FIELDS, NO_FACTS } from '@signalbox/core/catalog/facts'

const SILENT = {
  facts: NO_FACTS,
  available: null,
  denial: null,
  refreshed_at: null,
  expires_at: null,
  declared_stale: false,
}

type Compact<T> = { -readonly [K in keyof T]?: T[K] }
type StoredRow = Pick<StatedRow, 'model_id'> &
  Compact<Omit<StatedRow, 'model_id' | 'facts'>> & { facts?: Compact<Facts> }

export function encodeRows(rows: readonly StatedRow[]): Uint8Array {
  return Buffer.from(JSON.stringify(rows.map(compactRow)))
}

export function decodeRows(bytes: Uint8Array): readonly StatedRow[] {
  // The parsed edge: the checksum beside the bytes says that they are what `encodeRows` wrote.
  const stored = JSON.parse(new TextDecoder().decode(bytes)) as readonly StoredRow[]
  return stored.map((row) => ({ ...SILENT, ...row, facts: { ...NO_FACTS, ...row.facts } }))
}

/** A list that parses its rows when they are first read, so that a start does not parse what nobody asks for. */
export function lazyList(
  stamp: Omit<RowList, 'rows'>,
  bytes: Uint8Array,
  onDecode: (rows: readonly StatedRow[]) => void,
): RowList {
  let state: { readonly rows: readonly StatedRow[] } | { readonly bytes: Uint8Array } = { bytes }
  return {
    ...stamp,
    get rows() {
      if ('bytes' in state) {
        state = { rows: decodeRows(state.bytes) }
        onDecode(state.rows)
      }
      return state.rows
    },
  }
}

function compactRow(row: StatedRow): StoredRow {
  const compact: StoredRow = { model_id: row.model_id, facts: compactFacts(row.facts) }
  if (row.available !== null) compact.available = row.available
  if (row.denial !== null) compact.denial = row.denial
  if (row.refreshed_at !== null) compact.refreshed_at = row.refreshed_at
  if (row.expires_at !== null) compact.expires_at = row.expires_at
  if (row.declared_stale) compact.declared_stale = true
  return compact
}

function compactFacts(facts: Facts): Compact<Facts> {
  const stated: Record<string, unknown> = {}
  for (const field of FIELDS) if (facts[field] !== null) stated[field] = facts[field]
  return stated
}
