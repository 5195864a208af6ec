import { describe, expect, it } from 'vitest'
import { pageOf, statedBy } from '../testing/stated-rows.ts'
import { openaiCompatible } from './openai-compatible.ts'

const row = { id: 'org/Model:8b', object: 'model', owned_by: 'us', context_length: 8192 }
const expected = { 'org/Model:8b': { context_window: 8192 } }

describe('the list of an OpenAI-compatible endpoint', () => {
  it.each([
    ['under data', { object: 'list', data: [row] }],
    ['under models', { models: [row] }],
    ['as an array', [row]],
    ['by id', { 'org/Model:8b': { object: 'model', context_length: 8192 } }],
  ])('is read %s (CAT-217)', (_, document) => {
    expect(statedBy(openaiCompatible, document)).toEqual(expected)
  })

  it.each([
    [{ error: { message: 'no', type: 'auth', code: 401 } }],
    [{ error: { id: 'req_1', object: 'error' } }],
    [{ detail: 'Not Found' }],
    [{ status: 'ok' }],
    [{}],
    ['welcome'],
  ])('is not seen in %j (CAT-217)', (document) => {
    expect(openaiCompatible.parse(document)).toBeNull()
  })

  it('reads max_model_len of vLLM as the context, and leaves it unknown for an adapter (CAT-220, CAT-222)', () => {
    const base = {
      id: 'Qwen/Qwen3-8B',
      object: 'model',
      owned_by: 'vllm',
      root: 'Qwen/Qwen3-8B',
      max_model_len: 32_768,
    }
    const adapter = { id: 'sql-lora', object: 'model', owned_by: 'vllm', parent: base.id, max_model_len: null }
    expect(statedBy(openaiCompatible, { object: 'list', data: [base, adapter] })).toEqual({
      'Qwen/Qwen3-8B': { context_window: 32_768 },
      'sql-lora': {},
    })
  })

  it('takes what gateways state, and an outright field before a list of parameters (CAT-217)', () => {
    const rich = {
      id: 'm',
      name: 'M',
      max_output_tokens: '4096',
      supports_tools: false,
      supported_parameters: ['tools', 'reasoning'],
      reasoning_efforts: ['high', 'none', 'turbo', 'low', 'low'],
      pricing: { prompt: '0.000001', input: 7 },
    }
    expect(statedBy(openaiCompatible, [rich])).toEqual({
      m: {
        display_name: 'M',
        max_output_tokens: 4096,
        supports_tools: false,
        supports_reasoning: true,
        reasoning_efforts: ['off', 'low', 'high'],
        cost_input_per_million: 1,
      },
    })
  })

  it('never lists embedding and reranking models, by what they state or else by their ids (CAT-222)', () => {
    const ids = [
      'BAAI/bge-m3',
      'Qwen/Qwen3-Reranker-4B',
      'nomic-embed-text',
      'thenlper/gte-large',
      'intfloat/e5-large-v2',
    ]
    const rows = [
      { id: 'x', mode: 'embedding' },
      { id: 'y', type: 'rerank' },
      ...ids.map((id) => ({ id })),
      { id: 'llama' },
    ]
    const page = pageOf(openaiCompatible, { data: rows })
    expect(page.rows.map(({ model_id }) => model_id)).toEqual(['llama'])
    expect(page.leftOut).toHaveLength(rows.length - 1)
  })
})
