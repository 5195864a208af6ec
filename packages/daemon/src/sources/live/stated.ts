/** Readers of single values in a provider's row: what it states, or null. */
import { EFFORTS, type Effort } from '@signalbox/contract/effort'
import { asObject, type JsonObject } from '../models-dev/json-value.ts'

/** The value at a dotted path. Only own keys: `constructor` is nobody's statement. */
export function at(row: JsonObject, path: string): unknown {
  let value: unknown = row
  for (const key of keysOf(path)) {
    const object = asObject(value)
    if (object === null || !Object.hasOwn(object, key)) return undefined
    value = object[key]
  }
  return value
}

const known = new Map<string, readonly string[]>()

/** The paths are a few dozen constants, each read for every row of every list. */
function keysOf(path: string): readonly string[] {
  const keys = known.get(path) ?? path.split('.')
  known.set(path, keys)
  return keys
}

/** The first path whose value can be read. */
export function first<T>(row: JsonObject, paths: readonly string[], read: (value: unknown) => T | null): T | null {
  for (const path of paths) {
    const value = read(at(row, path))
    if (value !== null) return value
  }
  return null
}

const DIGITS = /^\d{1,15}$/

/** A number of tokens. 0 and -1 mean that nobody knows. */
export function asTokens(value: unknown): number | null {
  const count = typeof value === 'string' && DIGITS.test(value) ? Number(value) : value
  return typeof count === 'number' && Number.isSafeInteger(count) && count > 0 ? count : null
}

/** Powers of ten from a stated unit to dollars per million tokens. */
const SHIFT_OF_UNIT = { per_token: 6, per_million: 0, cents_per_100_million: -4 } as const
export type PriceUnit = keyof typeof SHIFT_OF_UNIT

const DECIMAL = /^(\d{1,40}(?:\.\d{1,40})?)(?:[eE]([+-]?\d{1,3}))?$/

/** Moves the decimal point in the text, so that `0.000003` per token is exactly 3. A price below 0 means "it depends". */
export function asPrice(value: unknown, unit: PriceUnit): number | null {
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value : ''
  const match = DECIMAL.exec(text)
  if (match === null) return null
  const price = Number(`${match[1]}e${Number(match[2] ?? 0) + SHIFT_OF_UNIT[unit]}`)
  return Number.isFinite(price) ? price : null
}

const DAY = /^(\d{4}-\d\d-\d\d)(?:T|$)/
const EPOCH_DAY = '1970-01-01'

/** The day of an RFC 3339 time or of epoch seconds. The epoch itself stands for an unknown day. */
export function asDay(value: unknown): string | null {
  const text = typeof value === 'number' ? isoOfSeconds(value) : value
  const day = typeof text === 'string' ? (DAY.exec(text)?.[1] ?? null) : null
  return day === EPOCH_DAY ? null : day
}

function isoOfSeconds(seconds: number): string | null {
  const inRange = Number.isSafeInteger(seconds) && seconds > 0 && seconds < 253_402_300_800
  return inRange ? new Date(seconds * 1000).toISOString() : null
}

const EFFORT_OF: ReadonlyMap<unknown, Effort> = new Map<unknown, Effort>([
  ['none', 'off'],
  ...EFFORTS.map((effort) => [effort, effort] as const),
])

export function asEffort(value: unknown): Effort | null {
  return EFFORT_OF.get(value) ?? null
}

/** Words that are no effort of ours are dropped; null where none is left. */
export function asEfforts(value: unknown): readonly Effort[] | null {
  if (!Array.isArray(value)) return null
  const found = new Set(value.map(asEffort).filter((effort) => effort !== null))
  return found.size === 0 ? null : EFFORTS.filter((effort) => found.has(effort))
}
