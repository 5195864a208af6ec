/** What the built-in catalog says about a provider itself: models.dev's word, and pi-ai's where that is silent. */
import { compareBytes } from '@signalbox/core/bytes'
import { type ApiKind, kindOfNpm, kindOfPi } from './models-dev/api-kind.ts'
import type { ProviderStatement } from './models-dev/translate.ts'

export interface BuiltinProvider {
  readonly name: string | null
  /** What the kind's own paths (`/chat/completions`, `/messages`, `/models`) are appended to. May hold `${NAME}`. */
  readonly base_url: string | null
  readonly api: ApiKind | null
  /** Environment variables that hold its credential and settings. */
  readonly env: readonly string[]
  readonly docs: string | null
}

/** One model of the pi-ai data, as far as it speaks for its provider. */
export interface PiModel {
  readonly api: string
  readonly base_url: string
}

/** Where pi-ai names a provider otherwise than models.dev does. */
export const PI_NAMES: ReadonlyMap<string, string> = new Map([
  ['togetherai', 'together'],
  ['vercel', 'vercel-ai-gateway'],
])

/** pi-ai leaves out the version that models.dev counts to the base. */
const VERSION_PATH: ReadonlyMap<ApiKind, string> = new Map([
  ['anthropic-messages', '/v1'],
  ['mistral-conversations', '/v1'],
])

/**
 * models.dev wins wherever it states something. From pi-ai come the kind that most of its models have, and the base URL
 * where all models of that kind agree: a provider with one address per region has none that holds for everybody.
 */
export function builtinProvider(statement: ProviderStatement, pi: readonly PiModel[]): BuiltinProvider {
  const api = kindOfNpm(statement.npm) ?? commonKind(pi)
  const base_url = statement.base_url ?? (api === null ? null : commonBase(pi, api))
  const { name, env, docs } = statement
  return { name, base_url, api, env, docs }
}

function commonKind(pi: readonly PiModel[]): ApiKind | null {
  const counts = new Map<ApiKind, number>()
  for (const model of pi) {
    const kind = kindOfPi(model.api)
    if (kind !== null) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  }
  const [most] = [...counts].sort(([a, m], [b, n]) => n - m || compareBytes(a, b))
  return most?.[0] ?? null
}

function commonBase(pi: readonly PiModel[], api: ApiKind): string | null {
  const bases = new Set(pi.filter((model) => kindOfPi(model.api) === api).map((model) => model.base_url))
  const [base] = bases
  if (base === undefined || base === '' || bases.size > 1) return null
  const named = base.replaceAll(/\{([A-Z][A-Z0-9_]*)\}/g, (_, name: string) => `\${${name}}`)
  // What is left in braces is no environment variable, so nobody could fill it in.
  return /(?<!\$)\{/.test(named) ? null : `${named}${VERSION_PATH.get(api) ?? ''}`
}
