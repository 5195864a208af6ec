import type { ProviderId } from '@signalbox/contract/ids'

/**
 * Providers of ours whose models models.dev lists under another id (CAT-178). The rows of the second only enrich what
 * another source states for the first: a coding agent offers some of its maker's models, not all of them.
 */
export const PROVIDER_ALIASES = {
  claude: 'anthropic',
  codex: 'openai',
  gemini: 'google',
  'lm-studio': 'lmstudio',
  moonshot: 'moonshotai',
  'vercel-ai-gateway': 'vercel',
} as const satisfies Readonly<Record<string, string>>

const ENRICHED_FROM: ReadonlyMap<string, string> = new Map(Object.entries(PROVIDER_ALIASES))

/**
 * The models.dev id whose rows enrich a provider of ours, or null where it is listed under its own id or not at all.
 *
 * @example enrichedFrom('codex') // 'openai'
 */
export function enrichedFrom(provider_id: ProviderId): ProviderId | null {
  // The table's values are well-formed ids: its test checks each.
  return (ENRICHED_FROM.get(provider_id) as ProviderId | undefined) ?? null
}

/** Providers of ours that a provider's rows enrich. */
export function enriches(provider_id: ProviderId): ProviderId[] {
  return [...ENRICHED_FROM].filter(([, origin]) => origin === provider_id).map(([ours]) => ours as ProviderId)
}
