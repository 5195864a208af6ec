import { ProviderId } from '@signalbox/contract/ids'
import { describe, expect, it } from 'vitest'
import { builtinProvider, type PiModel } from './builtin-provider.ts'

const describeProvider = (fields: { npm?: string; base_url?: string }, pi: readonly PiModel[] = []) => {
  const base = { provider_id: ProviderId.parse('acme'), name: null, base_url: null, npm: null, env: [], docs: null }
  const { api, base_url } = builtinProvider({ ...base, ...fields }, pi)
  return { api, base_url }
}
const model = (api: string, base_url: string): PiModel => ({ api, base_url })

describe('what is said about a provider', () => {
  it.each([
    ['@ai-sdk/openai-compatible', 'openai-completions'],
    ['@ai-sdk/openai', 'openai-responses'],
    ['@ai-sdk/anthropic', 'anthropic-messages'],
    ['@ai-sdk/google', 'google-generative-ai'],
    ['@ai-sdk/amazon-bedrock', 'bedrock-converse'],
    ['@ai-sdk/azure', 'azure-openai'],
    ['some-private-library', null],
  ])('follows from its library %s', (npm, api) => {
    expect(describeProvider({ npm })).toEqual({ api, base_url: null })
  })

  it('is models.dev’s word where it has one', () => {
    const pi = [model('anthropic-messages', 'https://pi.test')]
    expect(describeProvider({ npm: '@ai-sdk/openai', base_url: 'https://dev.test/v1' }, pi)).toEqual({
      api: 'openai-responses',
      base_url: 'https://dev.test/v1',
    })
  })

  it('is the kind of most pi-ai models where models.dev names none', () => {
    const pi = [
      model('anthropic-messages', 'https://a.test'),
      model('openai-completions', 'https://o.test/v1'),
      model('openai-completions', 'https://o.test/v1'),
      model('typesafe-system-one', 'https://t.test'),
      model('typesafe-system-one', 'https://t.test'),
      model('typesafe-system-one', 'https://t.test'),
    ]
    expect(describeProvider({}, pi)).toEqual({ api: 'openai-completions', base_url: 'https://o.test/v1' })
  })

  it('takes an address only from models of its own kind, and with the version that pi-ai leaves out', () => {
    const pi = [model('openai-completions', 'https://o.test/v1'), model('anthropic-messages', 'https://a.test')]
    expect(describeProvider({ npm: '@ai-sdk/anthropic' }, pi).base_url).toBe('https://a.test/v1')
    expect(describeProvider({ npm: '@ai-sdk/google' }, pi).base_url).toBeNull()
  })

  it('has no address where there is one per region, none, or one that nobody could fill in', () => {
    const at = (...bases: readonly string[]) =>
      describeProvider(
        {},
        bases.map((base) => model('openai-completions', base)),
      ).base_url
    expect(at('https://us.test', 'https://eu.test')).toBeNull()
    expect(at('')).toBeNull()
    expect(at('https://{location}.test')).toBeNull()
    expect(at('https://x.test/{ACCOUNT_ID}/v1')).toBe(`https://x.test/\${ACCOUNT_ID}/v1`)
  })
})
