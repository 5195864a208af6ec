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
  /** Variables that hold the credential, first non-empty wins. */
  readonly env: readonly string[]
}

type Entry = Pick<LiveProvider, 'dialect' | 'base_url' | 'env'> & Partial<LiveProvider>

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
  openai: api({ dialect: 'openai', base_url: 'https://api.openai.com/v1', env: ['OPENAI_API_KEY'] }),
  anthropic: api({
    dialect: 'anthropic',
    base_url: 'https://api.anthropic.com',
    auth: 'x-api-key',
    auth_of_env: { ANTHROPIC_OAUTH_TOKEN: 'bearer' },
    env: ['ANTHROPIC_OAUTH_TOKEN', 'ANTHROPIC_API_KEY'],
  }),
  google: api({
    dialect: 'google',
    base_url: 'https://generativelanguage.googleapis.com/v1beta',
    auth: 'x-goog-api-key',
    env: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
  }),
  openrouter: api({ dialect: 'openrouter', base_url: 'https://openrouter.ai/api/v1', env: ['OPENROUTER_API_KEY'] }),
  'vercel-ai-gateway': api({
    dialect: 'vercel',
    base_url: 'https://ai-gateway.vercel.sh/v1',
    credential: 'optional',
    env: ['AI_GATEWAY_API_KEY', 'VERCEL_AI_GATEWAY_API_KEY'],
  }),
  mistral: api({ dialect: 'mistral', base_url: 'https://api.mistral.ai/v1', env: ['MISTRAL_API_KEY'] }),
  groq: api({ dialect: 'groq', base_url: 'https://api.groq.com/openai/v1', env: ['GROQ_API_KEY'] }),
  xai: api({ dialect: 'xai', base_url: 'https://api.x.ai/v1', env: ['XAI_API_KEY'] }),
  deepseek: api({ dialect: 'deepseek', base_url: 'https://api.deepseek.com', env: ['DEEPSEEK_API_KEY'] }),
  together: api({ dialect: 'together', base_url: 'https://api.together.xyz/v1', env: ['TOGETHER_API_KEY'] }),
  fireworks: api({
    dialect: 'fireworks',
    base_url: 'https://api.fireworks.ai/inference/v1',
    env: ['FIREWORKS_API_KEY'],
  }),
  cerebras: api({ dialect: 'cerebras', base_url: 'https://api.cerebras.ai/v1', env: ['CEREBRAS_API_KEY'] }),
  zai: api({ dialect: 'zai', base_url: 'https://api.z.ai/api/paas/v4', env: ['ZAI_API_KEY', 'ZHIPU_API_KEY'] }),
  moonshot: api({ dialect: 'moonshot', base_url: 'https://api.moonshot.ai/v1', env: ['MOONSHOT_API_KEY'] }),
  minimax: api({ dialect: 'minimax', base_url: 'https://api.minimax.io/v1', env: ['MINIMAX_API_KEY'] }),
  'azure-openai': api({
    dialect: 'azure-openai',
    base_url: 'https://${AZURE_OPENAI_RESOURCE_NAME|AZURE_RESOURCE_NAME}.openai.azure.com',
    base_url_env: ['AZURE_OPENAI_BASE_URL', 'AZURE_OPENAI_ENDPOINT'],
    auth: 'api-key',
    env: ['AZURE_OPENAI_API_KEY'],
  }),
  'amazon-bedrock': api({
    dialect: 'amazon-bedrock',
    base_url: 'https://bedrock.${AWS_REGION|AWS_DEFAULT_REGION}.amazonaws.com',
    auth: 'aws-sigv4',
    auth_of_env: { AWS_BEARER_TOKEN_BEDROCK: 'bearer' },
    env: ['AWS_BEARER_TOKEN_BEDROCK', 'AWS_ACCESS_KEY_ID'],
  }),
  huggingface: api({
    dialect: 'openai-compatible',
    base_url: 'https://router.huggingface.co/v1',
    credential: 'optional',
    env: ['HUGGINGFACE_HUB_TOKEN', 'HF_TOKEN'],
  }),
  ollama: local({
    dialect: 'ollama',
    base_url: 'http://127.0.0.1:11434',
    base_url_env: ['OLLAMA_BASE_URL', 'OLLAMA_HOST'],
    auth: 'none',
    credential: 'none',
    env: [],
  }),
  'llama.cpp': local({
    dialect: 'llama.cpp',
    base_url: 'http://127.0.0.1:8080',
    base_url_env: ['LLAMA_CPP_BASE_URL'],
    env: ['LLAMA_CPP_API_KEY'],
  }),
  'lm-studio': local({
    dialect: 'lm-studio',
    base_url: 'http://127.0.0.1:1234/v1',
    base_url_env: ['LM_STUDIO_BASE_URL'],
    env: ['LM_STUDIO_API_KEY'],
  }),
  vllm: local({
    dialect: 'openai-compatible',
    base_url: 'http://127.0.0.1:8000/v1',
    base_url_env: ['VLLM_BASE_URL'],
    env: ['VLLM_API_KEY'],
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

/** By either id; null for a provider without an entry, which is OpenAI-compatible if it has a base URL (CAT-217). */
export function liveProvider(provider_id: string): LiveProvider | null {
  const id = LIVE_ID_OF.get(provider_id) ?? provider_id
  return Object.hasOwn(LIVE_PROVIDERS, id) ? (LIVE_PROVIDERS[id] ?? null) : null
}

/** Providers that have credentials in the environment and no list of their own here. */
const OTHER_ENV: ReadonlyMap<string, readonly string[]> = new Map([
  ['github-copilot', ['COPILOT_GITHUB_TOKEN', 'GH_TOKEN', 'GITHUB_TOKEN']],
])

/** The variables that may hold a provider's credential, strongest first (SEL-105); `<ID>_API_KEY` without an entry. */
export function environmentNames(provider_id: string): readonly string[] {
  const own = liveProvider(provider_id)?.env ?? OTHER_ENV.get(provider_id)
  return own ?? [`${provider_id.toUpperCase().replace(/[^A-Z0-9]/g, '_')}_API_KEY`]
}
