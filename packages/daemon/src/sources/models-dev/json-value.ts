/** Readers of parsed JSON that nobody has checked: each gives what it was asked for, or null. */

export type JsonObject = Readonly<Record<string, unknown>>

export function asObject(value: unknown): JsonObject | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : null
}

/** The empty string says nothing. */
export function asText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

export function asBoolean(value: unknown): boolean | null {
  return typeof value === 'boolean' ? value : null
}

export function asTexts(value: unknown): readonly string[] | null {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : null
}
