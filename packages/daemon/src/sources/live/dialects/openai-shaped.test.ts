import { describe, expect, it } from 'vitest'
import { pageOf, statedBy } from '../testing/stated-rows.ts'
import { cerebras, deepseek, fireworks, groq, minimax, moonshot, vercel, zai } from './openai-shaped.ts'

const list = (...data: readonly object[]) => ({ object: 'list', data })

describe('lists of the OpenAI shape', () => {
  it.each([
    [deepseek, { id: 'deepseek-chat', object: 'model', owned_by: 'deepseek' }, 'deepseek-chat', {}],
    [zai, { id: 'glm-4.6', object: 'model', created: 1_759_276_800, owned_by: 'z-ai' }, 'glm-4.6', {}],
    [minimax, { id: 'MiniMax-M2', object: 'model', created: 1_761_523_200, owned_by: 'minimax' }, 'MiniMax-M2', {}],
    [cerebras, { id: 'llama3.1-8b', object: 'model', created: 1_721_692_800, owned_by: 'Meta' }, 'llama3.1-8b', {}],
    [
      moonshot,
      {
        id: 'kimi-k2-thinking',
        object: 'model',
        owned_by: 'moonshot',
        context_length: 262_144,
        supports_reasoning: true,
      },
      'kimi-k2-thinking',
      { context_window: 262_144, supports_reasoning: true },
    ],
    [
      groq,
      {
        id: 'qwen/qwen3-32b',
        owned_by: 'Alibaba',
        active: true,
        context_window: 131_072,
        max_completion_tokens: 40_960,
      },
      'qwen/qwen3-32b',
      { context_window: 131_072, max_output_tokens: 40_960 },
    ],
    [
      fireworks,
      {
        id: 'accounts/fireworks/models/glm-4p6',
        kind: 'HF_BASE_MODEL',
        supports_chat: true,
        supports_image_input: false,
        supports_tools: true,
        context_length: 202_752,
      },
      'accounts/fireworks/models/glm-4p6',
      { context_window: 202_752, supports_tools: true },
    ],
  ])('$name gives what its rows state and nothing more (CAT-216)', (dialect, row, id, facts) => {
    expect(statedBy(dialect, list(row))).toEqual({ [id]: facts })
  })

  it('says of a Groq model that is switched off that it cannot be used (CAT-216)', () => {
    const row = { id: 'gemma2-9b-it', active: false, context_window: 8192 }
    expect(statedBy(groq, list(row))).toEqual({
      'gemma2-9b-it': { context_window: 8192, available: false, denial: 'denied' },
    })
  })

  it('leaves out what Fireworks does not offer for chat, whatever its name (CAT-222)', () => {
    const page = pageOf(fireworks, list({ id: 'flux-1', supports_chat: false }, { id: 'qwen3-embedding-8b' }))
    expect(page.rows).toEqual([])
    expect(page.leftOut.map(({ purpose }) => purpose)).toEqual(['other', 'embedding'])
  })
})

describe('the Vercel AI Gateway list', () => {
  const sonnet = {
    id: 'anthropic/claude-sonnet-4.5',
    object: 'model',
    created: 1_755_815_280,
    released: 1_759_104_000,
    owned_by: 'anthropic',
    name: 'Claude Sonnet 4.5',
    description: 'never kept',
    context_window: 200_000,
    max_tokens: 64_000,
    type: 'language',
    tags: ['tool-use', 'vision'],
    pricing: { input: '0.000003', output: '0.000015', input_cache_read: '0.0000003', input_cache_write: '0.00000375' },
  }

  it('turns prices per token into exact prices per million (CAT-215)', () => {
    expect(statedBy(vercel, list(sonnet))).toEqual({
      'anthropic/claude-sonnet-4.5': {
        display_name: 'Claude Sonnet 4.5',
        context_window: 200_000,
        max_output_tokens: 64_000,
        release_date: '2025-09-29',
        supports_tools: true,
        cost_input_per_million: 3,
        cost_output_per_million: 15,
        cost_cache_read_per_million: 0.3,
        cost_cache_write_per_million: 3.75,
      },
    })
  })

  it('never lists what is not a language model, and keeps one that says it is (CAT-222)', () => {
    const rows = ['embedding', 'image', 'reranking', 'language'].map((type) => ({ id: `cohere/embed-${type}`, type }))
    expect(Object.keys(statedBy(vercel, list(...rows)))).toEqual(['cohere/embed-language'])
  })

  it('leaves a price or limit unknown that it cannot read', () => {
    const broken = {
      ...sonnet,
      context_window: 0,
      max_tokens: '64k',
      pricing: { input: 'free', output: null },
      tags: 1,
    }
    expect(statedBy(vercel, list(broken))['anthropic/claude-sonnet-4.5']).toEqual({
      display_name: 'Claude Sonnet 4.5',
      release_date: '2025-09-29',
    })
  })
})
