/** Identifiers that cross a boundary. Branded, so that a model id cannot be passed where a provider id is meant. */
import { z } from '@hono/zod-openapi'

/** `llama.cpp` needs the dot. */
export const PROVIDER_ID_PATTERN = /^[a-z0-9][a-z0-9._-]*$/
export const EXTENSION_SLUG_PATTERN = /^[a-z0-9][a-z0-9_-]*$/
export const REQUEST_ID_PATTERN = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/

/** What serves a model: an API, a local server or an agent. */
export const ProviderId = z
  .string()
  .regex(PROVIDER_ID_PATTERN, 'lower-case letters, digits, ".", "_" and "-", starting with a letter or digit')
  .brand<'ProviderId'>()
export type ProviderId = z.infer<typeof ProviderId>

/** Opaque: may hold `/`, `:`, `.`, `@` and upper case, and is never normalised. */
export const ModelId = z.string().min(1).brand<'ModelId'>()
export type ModelId = z.infer<typeof ModelId>

/** Where rows come from, strongest first. `acp_session` is session-scoped: it has no priority and is never merged. */
export const SOURCE_PRIORITY = {
  config: 120,
  provider_live: 110,
  extension: 100,
  models_dev: 50,
  builtin: 10,
} as const
export type SourceKind = keyof typeof SOURCE_PRIORITY
export const SourceKind = z.enum(['config', 'provider_live', 'extension', 'models_dev', 'builtin'])

/** The sources that exist once, under their own name; the others are `<kind>:<slug>`. */
export const STATIC_SOURCES = ['config', 'models_dev', 'builtin'] as const

export const SourceId = z
  .string()
  .refine(
    (id) => sourceKindOf(id) !== null,
    'config, models_dev, builtin, provider_live:<provider> or extension:<slug>',
  )
  .brand<'SourceId'>()
export type SourceId = z.infer<typeof SourceId>

/** The kind a source id names, or null when it is not a well-formed id of a source that can be merged. */
export function sourceKindOf(id: string): SourceKind | null {
  if ((STATIC_SOURCES as readonly string[]).includes(id)) return id as SourceKind
  const colon = id.indexOf(':')
  const slug = id.slice(colon + 1)
  if (colon < 0) return null
  if (id.startsWith('provider_live:')) return PROVIDER_ID_PATTERN.test(slug) ? 'provider_live' : null
  if (id.startsWith('extension:')) return EXTENSION_SLUG_PATTERN.test(slug) ? 'extension' : null
  return null
}

export const RequestId = z
  .string()
  .regex(REQUEST_ID_PATTERN, 'up to 128 letters, digits, ".", "_", ":" and "-", starting with a letter or digit')
  .brand<'RequestId'>()
export type RequestId = z.infer<typeof RequestId>
