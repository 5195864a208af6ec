/** The providers that are asked for their list, as data: where, in which dialect, with what credential. */
import type { DialectName } from './dialects.ts'

/** How a credential is sent. */
export type AuthKind = 'bearer' | 'x-api-key' | 'x-goog-api-key' | 'api-key' | 'aws-sigv4' | 'none'

export interface LiveProvider {
  readonly kind: 'api' | 'local'
  readonly dialect: DialectName
  /** `${A|B}` is the first of these environment variables that is set; without one there is no address. */
  readonly base_url: string
  /** Variables that hold the base URL instead, first set wins. */
  readonly base_url_env: readonly string[]
  readonly auth: AuthKind
  /** Variables whose credential is sent in another way. */
  readonly auth_of_env: Readonly<Record<string, AuthKind>>
  /** Whether the list needs one. */
  readonly credential: 'required' | 'optional' | 'none'
}

type Entry = Pick<LiveProvider, 'dialect' | 'base_url'> & Partial<LiveProvider>

const api = (entry: Entry): LiveProvider => ({
  kind: 'api',
  base_url_env: [],
  auth: 'bearer',
  auth_of_env: {},
  credential: 'required',
  ...entry,
})
const local = (entry: Entry): LiveProvider => ({
  ...api(entry),
  kind: 'local',
  credential: entry.credential ?? 'optional',
})

export const LIVE_PROVIDERS: Readonly<Record<string, LiveProvider>> = {
  openai: api({ dialect: 'openai', base_url: 'https://api.openai.com/v1' }),
  anthropic: api({
    dialect: 'anthropic',
    base_url: 'https://api.anthropic.com',
    auth: 'x-api-key',
    auth_of_env: { ANTHROPIC_OAUTH_TOKEN: 'bearer' },
  }),
  google: api({
    dialect: 'google',
    base_url: 'https://generativelanguage.googleapis.com/v1beta',
    auth: 'x-goog-api-key',
  }),
  openrouter: api({ dialect: 'openrouter', base_url: 'https://openrouter.ai/api/v1' }),
  'vercel-ai-gateway': api({
    dialect: 'vercel',
    base_url: 'https://ai-gateway.vercel.sh/v1',
    credential: 'optional',
  }),
  mistral: api({ dialect: 'mistral', base_url: 'https://api.mistral.ai/v1' }),
  groq: api({ dialect: 'groq', base_url: 'https://api.groq.com/openai/v1' }),
  xai: api({ dialect: 'xai', base_url: 'https://api.x.ai/v1' }),
  deepseek: api({ dialect: 'deepseek', base_url: 'https://api.deepseek.com' }),
  together: api({ dialect: 'together', base_url: 'https://api.together.xyz/v1' }),
  fireworks: api({
    dialect: 'fireworks',
    base_url: 'https://api.fireworks.ai/inference/v1',
  }),
  cerebras: api({ dialect: 'cerebras', base_url: 'https://api.cerebras.ai/v1' }),
  zai: api({ dialect: 'zai', base_url: 'https://api.z.ai/api/paas/v4' }),
  moonshot: api({ dialect: 'moonshot', base_url: 'https://api.moonshot.ai/v1' }),
  minimax: api({ dialect: 'minimax', base_url: 'https://api.minimax.io/v1' }),
  'azure-openai': api({
    dialect: 'azure-openai',
    base_url: 'https://${AZURE_OPENAI_RESOURCE_NAME|AZURE_RESOURCE_NAME}.openai.azure.com',
    base_url_env: ['AZURE_OPENAI_BASE_URL', 'AZURE_OPENAI_ENDPOINT'],
    auth: 'api-key',
  }),
  'amazon-bedrock': api({
    dialect: 'amazon-bedrock',
    base_url: 'https://bedrock.${AWS_REGION|AWS_DEFAULT_REGION}.amazonaws.com',
    auth: 'aws-sigv4',
    auth_of_env: { AWS_BEARER_TOKEN_BEDROCK: 'bearer' },
  }),
  huggingface: api({
    dialect: 'openai-compatible',
    base_url: 'https://router.huggingface.co/v1',
    credential: 'optional',
  }),
  ollama: local({
    dialect: 'ollama',
    base_url: 'http://127.0.0.1:11434',
    base_url_env: ['OLLAMA_BASE_URL', 'OLLAMA_HOST'],
    auth: 'none',
    credential: 'none',
  }),
  'llama.cpp': local({
    dialect: 'llama.cpp',
    base_url: 'http://127.0.0.1:8080',
    base_url_env: ['LLAMA_CPP_BASE_URL'],
  }),
  'lm-studio': local({
    dialect: 'lm-studio',
    base_url: 'http://127.0.0.1:1234/v1',
    base_url_env: ['LM_STUDIO_BASE_URL'],
  }),
  vllm: local({
    dialect: 'openai-compatible',
    base_url: 'http://127.0.0.1:8000/v1',
    base_url_env: ['VLLM_BASE_URL'],
  }),
}

/** Ids under which the built-in catalog knows the same providers: rows meet only under one id. */
export const CATALOG_ID_OF: Readonly<Record<string, string>> = {
  'vercel-ai-gateway': 'vercel',
  together: 'togetherai',
  fireworks: 'fireworks-ai',
  moonshot: 'moonshotai',
  'azure-openai': 'azure',
  'lm-studio': 'lmstudio',
}

const LIVE_ID_OF: ReadonlyMap<string, string> = new Map(Object.entries(CATALOG_ID_OF).map(([live, id]) => [id, live]))

/** Our id of a provider that the built-in catalog has another one for; else the same. */
export const liveIdOf = (provider_id: string): string => LIVE_ID_OF.get(provider_id) ?? provider_id

/** By either id; null for a provider without an entry, which is OpenAI-compatible if it has a base URL (CAT-217). */
export function liveProvider(provider_id: string): LiveProvider | null {
  const id = liveIdOf(provider_id)
  return Object.hasOwn(LIVE_PROVIDERS, id) ? (LIVE_PROVIDERS[id] ?? null) : null
}
