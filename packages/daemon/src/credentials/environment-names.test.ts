import { describe, expect, it } from 'vitest'
import { looksSecret } from './child-environment.ts'
import { ENVIRONMENT_NAMES, environmentNamesOf } from './environment-names.ts'
import { provider } from './testing/samples.ts'

const namesOf = (id: string) => environmentNamesOf(provider(id)).map(({ name }) => name)

describe('the environment names of a provider', () => {
  const PROMISED: Readonly<Record<string, readonly string[]>> = {
    openai: ['OPENAI_API_KEY'],
    anthropic: ['ANTHROPIC_OAUTH_TOKEN', 'ANTHROPIC_API_KEY'],
    google: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
    'azure-openai': ['AZURE_OPENAI_API_KEY'],
    'github-copilot': ['COPILOT_GITHUB_TOKEN', 'GH_TOKEN', 'GITHUB_TOKEN'],
    huggingface: ['HUGGINGFACE_HUB_TOKEN', 'HF_TOKEN'],
    'vercel-ai-gateway': ['AI_GATEWAY_API_KEY', 'VERCEL_AI_GATEWAY_API_KEY'],
  }
  it.each(Object.entries(PROMISED))('are data, in order: %s (SEL-105)', (id, names) => {
    expect(namesOf(id)).toEqual(names)
  })

  it.each([
    ['groq', 'GROQ_API_KEY'],
    ['llama.cpp', 'LLAMA_CPP_API_KEY'],
    ['lm-studio', 'LM_STUDIO_API_KEY'],
    ['302ai', '302AI_API_KEY'],
    ['constructor', 'CONSTRUCTOR_API_KEY'],
  ])('are made from the id where none are listed: %s (SEL-106)', (id, name) => {
    expect(namesOf(id)).toEqual([name])
  })

  it('of zai are both of its spellings (SEL-106)', () => {
    expect(namesOf('zai')).toEqual(['ZAI_API_KEY', 'ZHIPU_API_KEY'])
  })

  it('tell a login from a key', () => {
    expect(environmentNamesOf(provider('anthropic')).map(({ kind }) => kind)).toEqual(['oauth', 'api_key'])
  })

  it('all look like secrets, so that no child process gets one by accident (CAT-210)', () => {
    const names = [...ENVIRONMENT_NAMES.values()].flat().map(({ name }) => name)
    expect(names.length).toBeGreaterThan(20)
    expect(names.filter((name) => !looksSecret(name))).toEqual([])
  })
})
