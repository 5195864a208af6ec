/** What a source holds, read as the value that would be sent. */
export type ReadValue =
  | { readonly kind: 'value'; readonly value: string }
  | { readonly kind: 'absent' | 'empty' | 'malformed' }

/** Longer than any token in use, shorter than the headers that a server takes. */
const VALUE_MAX = 16_384
/** A key goes into a header: a line feed would start another one, and `•••` is what a masked key looks like when copied. */
const SENDABLE = /^[\x20-\x7e]+$/

/** Files, environments and commands bring white space along that is not part of the key. */
export function readValue(raw: string | null | undefined): ReadValue {
  if (raw === null || raw === undefined) return { kind: 'absent' }
  const value = raw.trim()
  if (value === '') return { kind: 'empty' }
  if (value.length > VALUE_MAX || !SENDABLE.test(value)) return { kind: 'malformed' }
  return { kind: 'value', value }
}

/** Own names only: an environment has no variable called `constructor`. */
export function variable(environment: Environment, name: string): string | undefined {
  return Object.hasOwn(environment, name) ? environment[name] : undefined
}

/** The daemon's own environment, as it was inherited. No `.env` file is ever read into it. */
export type Environment = Readonly<Record<string, string | undefined>>
