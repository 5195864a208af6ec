/** Whether two lists state the same: most of a catalog does from one day to the next, and need not be written again. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { RowList, StatedRow } from '@signalbox/contract/row'
import { FIELDS } from '@signalbox/core/catalog/facts'

/** In this order, and with nothing more or less. */
export function sameRows(a: readonly StatedRow[], b: readonly StatedRow[]): boolean {
  return a === b || (a.length === b.length && a.every((row, index) => sameRow(row, b[index])))
}

function sameRow(a: StatedRow, b: StatedRow | undefined): boolean {
  if (b === undefined) return false
  return (
    a.model_id === b.model_id &&
    a.available === b.available &&
    a.denial === b.denial &&
    a.refreshed_at === b.refreshed_at &&
    a.expires_at === b.expires_at &&
    a.declared_stale === b.declared_stale &&
    FIELDS.every((field) => sameValue(a.facts[field], b.facts[field]))
  )
}

/** Values that are not scalars are small, plain, and made by code that writes their keys in one order. */
function sameValue(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || a === null || typeof b !== 'object' || b === null) return Object.is(a, b)
  return JSON.stringify(a) === JSON.stringify(b)
}

const ROWS_PER_TURN = 500

/** Have the rows of stored lists parsed, which happens when they are first looked at, without holding up readers. */
export async function readRows(lists: readonly RowList[]): Promise<void> {
  let read = 0
  for (const list of lists) {
    read += list.rows.length
    if (read < ROWS_PER_TURN) continue
    read = 0
    await nextTurn()
  }
}
