import { PROVIDER_ID_PATTERN, ProviderId } from '@signalbox/contract/ids'
import { describe, expect, it } from 'vitest'
import { environmentNamesOf } from '../../credentials/environment-names.ts'
import { authHeaders } from './auth-headers.ts'
import { joinBaseUrl } from './base-url.ts'
import { DIALECTS } from './dialects.ts'
import { ollamaAddress, providerBaseUrl } from './provider-address.ts'
import { CATALOG_ID_OF, LIVE_PROVIDERS, liveProvider } from './providers.ts'

const ENV = { AWS_REGION: 'eu-west-1', AZURE_RESOURCE_NAME: 'acme' }

/** Id, first call, how the credential is sent and whether it must be there, its variables. */
const EXPECTED: readonly (readonly [row: string, id: string, list: string, auth: string, env: readonly string[]])[] = [
  ['CAT-211', 'openai', 'https://api.openai.com/v1/models', 'bearer required', ['OPENAI_API_KEY']],
  [
    'CAT-212',
    'anthropic',
    'https://api.anthropic.com/v1/models?limit=1000',
    'x-api-key required',
    ['ANTHROPIC_OAUTH_TOKEN', 'ANTHROPIC_API_KEY'],
  ],
  [
    'CAT-213',
    'google',
    'https://generativelanguage.googleapis.com/v1beta/models?pageSize=1000',
    'x-goog-api-key required',
    ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
  ],
  ['CAT-214', 'openrouter', 'https://openrouter.ai/api/v1/models', 'bearer required', ['OPENROUTER_API_KEY']],
  [
    'CAT-215',
    'vercel-ai-gateway',
    'https://ai-gateway.vercel.sh/v1/models',
    'bearer optional',
    ['AI_GATEWAY_API_KEY', 'VERCEL_AI_GATEWAY_API_KEY'],
  ],
  ['CAT-216', 'mistral', 'https://api.mistral.ai/v1/models', 'bearer required', ['MISTRAL_API_KEY']],
  ['CAT-216', 'groq', 'https://api.groq.com/openai/v1/models', 'bearer required', ['GROQ_API_KEY']],
  ['CAT-216', 'xai', 'https://api.x.ai/v1/language-models', 'bearer required', ['XAI_API_KEY']],
  ['CAT-216', 'deepseek', 'https://api.deepseek.com/models', 'bearer required', ['DEEPSEEK_API_KEY']],
  ['CAT-216', 'together', 'https://api.together.xyz/v1/models', 'bearer required', ['TOGETHER_API_KEY']],
  ['CAT-216', 'fireworks', 'https://api.fireworks.ai/inference/v1/models', 'bearer required', ['FIREWORKS_API_KEY']],
  ['CAT-216', 'cerebras', 'https://api.cerebras.ai/v1/models', 'bearer required', ['CEREBRAS_API_KEY']],
  ['CAT-216', 'zai', 'https://api.z.ai/api/paas/v4/models', 'bearer required', ['ZAI_API_KEY', 'ZHIPU_API_KEY']],
  ['CAT-216', 'moonshot', 'https://api.moonshot.ai/v1/models', 'bearer required', ['MOONSHOT_API_KEY']],
  ['CAT-216', 'minimax', 'https://api.minimax.io/v1/models', 'bearer required', ['MINIMAX_API_KEY']],
  [
    'CAT-216',
    'azure-openai',
    'https://acme.openai.azure.com/openai/deployments?api-version=2023-03-15-preview',
    'api-key required',
    ['AZURE_OPENAI_API_KEY'],
  ],
  [
    'CAT-216',
    'amazon-bedrock',
    'https://bedrock.eu-west-1.amazonaws.com/foundation-models',
    'aws-sigv4 required',
    ['AWS_BEARER_TOKEN_BEDROCK'],
  ],
  [
    'CAT-217',
    'huggingface',
    'https://router.huggingface.co/v1/models',
    'bearer optional',
    ['HUGGINGFACE_HUB_TOKEN', 'HF_TOKEN'],
  ],
  ['CAT-218', 'ollama', 'http://127.0.0.1:11434/api/tags', 'none none', []],
  ['CAT-219', 'llama.cpp', 'http://127.0.0.1:8080/models', 'bearer optional', ['LLAMA_CPP_API_KEY']],
  ['CAT-220', 'lm-studio', 'http://127.0.0.1:1234/api/v1/models', 'bearer optional', ['LM_STUDIO_API_KEY']],
  ['CAT-220', 'vllm', 'http://127.0.0.1:8000/v1/models', 'bearer optional', ['VLLM_API_KEY']],
]

describe('the table of providers', () => {
  it.each(EXPECTED)('(%s) %s is asked at %s, %s, with %j (SEL-105)', (_, id, list, auth, env) => {
    const provider = liveProvider(id)
    if (provider === null) throw new Error('no entry')
    const { listPath, strip } = DIALECTS[provider.dialect]
    expect(joinBaseUrl(providerBaseUrl(provider, ENV) ?? '', listPath, strip)).toBe(list)
    expect(`${provider.auth} ${provider.credential}`).toBe(auth)
    const names = environmentNamesOf(ProviderId.parse(id)).map(({ name }) => name)
    if (provider.auth !== 'none') expect(names).toEqual(env)
    expect(provider.kind).toBe(list.startsWith('http://127.') ? 'local' : 'api')
  })

  it('has no entry that is not checked here, and only well-formed ids', () => {
    expect(Object.keys(LIVE_PROVIDERS)).toEqual(EXPECTED.map(([, id]) => id))
    expect(Object.keys(LIVE_PROVIDERS).every((id) => PROVIDER_ID_PATTERN.test(id))).toBe(true)
  })

  it('knows a provider by the id of the built-in catalog as well', () => {
    for (const [id, catalogId] of Object.entries(CATALOG_ID_OF)) {
      expect(liveProvider(catalogId)).toBe(liveProvider(id))
      expect(LIVE_PROVIDERS[id]).toBeDefined()
    }
    expect(liveProvider('constructor')).toBeNull()
  })

  it('sends an OAuth token and a Bedrock key as bearer, unlike the provider’s other credentials', () => {
    expect(liveProvider('anthropic')?.auth_of_env).toEqual({ ANTHROPIC_OAUTH_TOKEN: 'bearer' })
    expect(liveProvider('amazon-bedrock')?.auth_of_env).toEqual({ AWS_BEARER_TOKEN_BEDROCK: 'bearer' })
  })

  it.each([
    ['bearer', 'authorization', 'Bearer s3'],
    ['x-api-key', 'x-api-key', 's3'],
    ['x-goog-api-key', 'x-goog-api-key', 's3'],
    ['api-key', 'api-key', 's3'],
  ] as const)('sends %s in the header %s (CAT-211, CAT-212, CAT-213)', (auth, header, value) => {
    expect(authHeaders(auth, 's3')).toEqual({ [header]: value })
  })
})

describe('where a provider is', () => {
  const address = (id: string, env: Record<string, string>) => {
    const provider = liveProvider(id)
    return provider === null ? null : providerBaseUrl(provider, env)
  }

  it('is taken from the environment, first set first, blank counts as unset (CAT-218, CAT-219, CAT-220)', () => {
    expect(address('ollama', { OLLAMA_BASE_URL: 'http://box:1/x/', OLLAMA_HOST: 'other' })).toBe('http://box:1/x')
    expect(address('ollama', { OLLAMA_BASE_URL: ' ', OLLAMA_HOST: 'other' })).toBe('http://other:11434')
    expect(address('llama.cpp', { LLAMA_CPP_BASE_URL: 'http://gpu:8081/v1' })).toBe('http://gpu:8081/v1')
    expect(address('lm-studio', { LM_STUDIO_BASE_URL: 'http://gpu:9/v1' })).toBe('http://gpu:9/v1')
  })

  it.each([
    ['0.0.0.0', 'http://127.0.0.1:11434'],
    ['0.0.0.0:8080', 'http://127.0.0.1:8080'],
    [':8080', 'http://127.0.0.1:8080'],
    ['[::]:8080', 'http://[::1]:8080'],
    ['box', 'http://box:11434'],
    ['"box:9"', 'http://box:9'],
    ['http://box', 'http://box'],
    ['https://box/ollama/', 'https://box/ollama'],
    ['ftp://box', null],
    ['user:pass@box', null],
    ['http://user@box', null],
    ['box:99999', null],
    ['a b', null],
  ])('reads OLLAMA_HOST %j as %j (CAT-218)', (value, expected) => {
    expect(ollamaAddress(value)).toBe(expected)
  })

  it('is unknown until the account or region is, which cannot name another host', () => {
    expect(address('amazon-bedrock', {})).toBeNull()
    expect(address('amazon-bedrock', { AWS_DEFAULT_REGION: 'us-east-2' })).toBe(
      'https://bedrock.us-east-2.amazonaws.com',
    )
    expect(address('amazon-bedrock', { AWS_REGION: 'evil.example/' })).toBeNull()
    expect(address('azure-openai', { AZURE_RESOURCE_NAME: 'a.evil.example#' })).toBeNull()
    expect(address('azure-openai', { AZURE_OPENAI_ENDPOINT: 'https://acme.openai.azure.com/' })).toBe(
      'https://acme.openai.azure.com',
    )
    expect(address('azure-openai', { AZURE_OPENAI_ENDPOINT: 'file:///etc/passwd' })).toBeNull()
  })
})
