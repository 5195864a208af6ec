/** Whether a parsed JSON value is small and flat enough to be a row. */

export const ROW_BYTES_MAX = 1024 * 1024
/** Real rows nest five deep; a limit keeps a hostile one from exhausting the stack. */
const DEPTH_MAX = 32

const TOO_DEEP = Number.POSITIVE_INFINITY

/** Why the value cannot be a row, or null. */
export function rowFault(value: object): string | null {
  const bound = upperBound(value, 0)
  if (bound <= ROW_BYTES_MAX) return null
  if (bound === TOO_DEEP) return 'nested too deeply'
  // The bound assumes the longest escape for every character, so only a row near the limit is measured exactly.
  return Buffer.byteLength(JSON.stringify(value)) > ROW_BYTES_MAX ? 'larger than 1 MiB' : null
}

const ESCAPED = 6
const NUMBER = 25

/** Bytes that the value takes at most as JSON in UTF-8. */
function upperBound(value: unknown, depth: number): number {
  if (typeof value === 'string') return value.length * ESCAPED + 3
  if (typeof value !== 'object' || value === null) return NUMBER
  if (depth === DEPTH_MAX) return TOO_DEEP
  let total = 3
  if (Array.isArray(value)) {
    for (const item of value) total += upperBound(item, depth + 1)
    return total
  }
  // Twice as fast as Object.entries, and this walks over every value of the catalog. Parsed JSON inherits no keys.
  const object = value as Readonly<Record<string, unknown>>
  for (const key in object) total += key.length * ESCAPED + 4 + upperBound(object[key], depth + 1)
  return total
}

/** Whether any text in the value holds U+FFFD, which is what invalid UTF-8 was decoded to. `value` is not too deep. */
export function holdsReplacement(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\ufffd')
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) return value.some(holdsReplacement)
  return Object.entries(value).some(([key, item]) => key.includes('\ufffd') || holdsReplacement(item))
}
