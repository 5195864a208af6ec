/** Which environment variables hold a provider's credential, the first that is not empty wins. */
import type { ProviderId } from '@signalbox/contract/ids'

export interface EnvironmentName {
  readonly name: string
  readonly kind: 'api_key' | 'oauth'
}

const keys = (...names: readonly string[]): readonly EnvironmentName[] =>
  names.map((name) => ({ name, kind: 'api_key' }))
const tokens = (...names: readonly string[]): readonly EnvironmentName[] =>
  names.map((name) => ({ name, kind: 'oauth' }))

/** Providers whose names do not follow `<ID>_API_KEY`. */
export const ENVIRONMENT_NAMES: ReadonlyMap<string, readonly EnvironmentName[]> = new Map([
  ['openai', keys('OPENAI_API_KEY')],
  ['openai-codex', tokens('OPENAI_CODEX_OAUTH_TOKEN')],
  ['anthropic', [...tokens('ANTHROPIC_OAUTH_TOKEN'), ...keys('ANTHROPIC_API_KEY')]],
  ['google', keys('GEMINI_API_KEY', 'GOOGLE_API_KEY')],
  ['google-vertex', keys('GOOGLE_CLOUD_API_KEY')],
  ['azure-openai', keys('AZURE_OPENAI_API_KEY')],
  ['azure-openai-responses', keys('AZURE_OPENAI_API_KEY')],
  ['amazon-bedrock', keys('AWS_BEARER_TOKEN_BEDROCK')],
  ['github-copilot', tokens('COPILOT_GITHUB_TOKEN', 'GH_TOKEN', 'GITHUB_TOKEN')],
  ['huggingface', keys('HUGGINGFACE_HUB_TOKEN', 'HF_TOKEN')],
  ['vercel-ai-gateway', keys('AI_GATEWAY_API_KEY', 'VERCEL_AI_GATEWAY_API_KEY')],
  ['qwen-portal', [...tokens('QWEN_OAUTH_TOKEN'), ...keys('QWEN_PORTAL_API_KEY')]],
  ['gitlab-duo', keys('GITLAB_TOKEN')],
  ['cursor', tokens('CURSOR_ACCESS_TOKEN')],
  ['opencode-go', keys('OPENCODE_API_KEY')],
  ['opencode-zen', keys('OPENCODE_API_KEY')],
  ['nanogpt', keys('NANO_GPT_API_KEY')],
  // The two names of one company: users and catalogs have both.
  ['zai', keys('ZAI_API_KEY', 'ZHIPU_API_KEY')],
])

export function environmentNamesOf(provider: ProviderId): readonly EnvironmentName[] {
  return ENVIRONMENT_NAMES.get(provider) ?? keys(`${provider.toUpperCase().replace(/[^A-Z0-9]/g, '_')}_API_KEY`)
}
