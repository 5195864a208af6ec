/** How a provider's API is spoken to. Explained one by one in `docs/builtin-catalog.md`. */
export const API_KINDS = [
  'openai-completions',
  'openai-responses',
  'anthropic-messages',
  'anthropic-vertex',
  'azure-openai',
  'bedrock-converse',
  'cohere-chat',
  'google-generative-ai',
  'google-vertex',
  'mistral-conversations',
] as const
export type ApiKind = (typeof API_KINDS)[number]

/**
 * The kind that a models.dev client library (`npm`) speaks. Libraries of one provider with an API of its own
 * (gateways, clouds) are not here: what they speak is unknown, and stays null.
 */
const KIND_OF_NPM: ReadonlyMap<string, ApiKind> = new Map([
  ['@ai-sdk/amazon-bedrock', 'bedrock-converse'],
  ['@ai-sdk/anthropic', 'anthropic-messages'],
  ['@ai-sdk/azure', 'azure-openai'],
  ['@ai-sdk/cerebras', 'openai-completions'],
  ['@ai-sdk/cohere', 'cohere-chat'],
  ['@ai-sdk/deepinfra', 'openai-completions'],
  ['@ai-sdk/google', 'google-generative-ai'],
  ['@ai-sdk/google-vertex', 'google-vertex'],
  ['@ai-sdk/google-vertex/anthropic', 'anthropic-vertex'],
  ['@ai-sdk/groq', 'openai-completions'],
  ['@ai-sdk/mistral', 'mistral-conversations'],
  ['@ai-sdk/openai', 'openai-responses'],
  ['@ai-sdk/openai-compatible', 'openai-completions'],
  ['@ai-sdk/perplexity', 'openai-completions'],
  ['@ai-sdk/togetherai', 'openai-completions'],
  ['@ai-sdk/vercel', 'openai-completions'],
  ['@openrouter/ai-sdk-provider', 'openai-completions'],
  // Cloudflare's gateway: its `compat` address takes every model behind it.
  ['ai-gateway-provider', 'openai-completions'],
  ['venice-ai-sdk-provider', 'openai-completions'],
])

/** The kind for an `api` of the pi-ai data. */
const KIND_OF_PI: ReadonlyMap<string, ApiKind> = new Map([
  ['anthropic-messages', 'anthropic-messages'],
  ['azure-openai-responses', 'azure-openai'],
  ['bedrock-converse-stream', 'bedrock-converse'],
  ['google-generative-ai', 'google-generative-ai'],
  ['google-vertex', 'google-vertex'],
  ['mistral-conversations', 'mistral-conversations'],
  ['openai-completions', 'openai-completions'],
  ['openai-responses', 'openai-responses'],
])

export function kindOfNpm(npm: string | null): ApiKind | null {
  return npm === null ? null : (KIND_OF_NPM.get(npm) ?? null)
}

export function kindOfPi(api: string): ApiKind | null {
  return KIND_OF_PI.get(api) ?? null
}
