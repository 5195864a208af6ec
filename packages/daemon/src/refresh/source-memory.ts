/** What a source's runs leave for the next: read back from the store, where it is opaque. */
import type { GoodAnswer, ShrunkenAnswer } from '@signalbox/core/catalog/gate'

export interface RunMemory {
  readonly good: GoodAnswer
  readonly validators: Readonly<Record<string, string>>
}

/** A parsed edge: anything that is not of the expected form is as if it had never been remembered. */
export function readMemory(stored: Readonly<Record<string, unknown>> | null): RunMemory | null {
  const good = stored?.good
  if (!isRecord(good) || typeof good.identity !== 'string' || typeof good.row_count !== 'number') return null
  const shrunken = isShrunken(good.shrunken) ? good.shrunken : null
  return { good: { identity: good.identity, row_count: good.row_count, shrunken }, validators: readStrings(stored?.validators) }
}

export function writeMemory(memory: RunMemory): Readonly<Record<string, unknown>> {
  return { ...memory }
}

function readStrings(value: unknown): Record<string, string> {
  if (!isRecord(value)) return {}
  return Object.fromEntries(Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
}

function isShrunken(value: unknown): value is ShrunkenAnswer {
  return isRecord(value) && typeof value.set === 'string' && typeof value.first_seen === 'number' && typeof value.seen === 'number'
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
