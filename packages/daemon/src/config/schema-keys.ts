/** Which keys the configuration has at a path, for the nearest to a mistyped one. */
import { ConfigFile, RETIRED_PROVIDER_KEYS } from '@signalbox/contract/config'
import { closest, distance } from 'fastest-levenshtein'
import { z } from 'zod'
import { type Path, quote, showPath } from './problem.ts'

interface SchemaNode {
  readonly properties?: Readonly<Record<string, SchemaNode>>
  readonly additionalProperties?: SchemaNode | false
  readonly items?: SchemaNode
}

let schema: SchemaNode | undefined

function keysAt(path: Path): readonly string[] {
  schema ??= z.toJSONSchema(ConfigFile, { io: 'input' }) as SchemaNode
  let node: SchemaNode | undefined = schema
  for (const part of path) node = typeof part === 'number' ? node?.items : childOf(node, part)
  return Object.keys(node?.properties ?? {})
}

function childOf(node: SchemaNode | undefined, key: string): SchemaNode | undefined {
  const { properties, additionalProperties } = node ?? {}
  if (properties !== undefined && Object.hasOwn(properties, key)) return properties[key]
  return additionalProperties || undefined
}

/** Far enough for a slip or two, too near to suggest another word. */
const nearEnough = (key: string, candidate: string) =>
  distance(key.toLowerCase(), candidate) <= Math.ceil(candidate.length / 3)

/** What to say about a key that does not exist in the table at `path`. */
export function unknownKey(path: Path, key: string): { readonly message: string; readonly expected: string } {
  const where = showPath([...path, key])
  const isProvider = path.length === 2 && path[0] === 'providers'
  const instead = isProvider && Object.hasOwn(RETIRED_PROVIDER_KEYS, key) ? RETIRED_PROVIDER_KEYS[key] : undefined
  if (instead !== undefined) return { message: `${where} is no longer used: write ${instead}`, expected: instead }

  const known = keysAt(path)
  const nearest = closest(key.toLowerCase().slice(0, 64), [...known])
  if (nearEnough(key, nearest)) {
    return { message: `${where} is not a key: did you mean ${quote(nearest)}?`, expected: nearest }
  }
  const expected = `one of ${known.join(', ')}`
  return { message: `${where} is not a key: write ${expected}`, expected }
}
