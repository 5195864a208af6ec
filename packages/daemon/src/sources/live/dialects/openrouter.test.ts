import { describe, expect, it } from 'vitest'
import { pageOf, statedBy } from '../testing/stated-rows.ts'
import { openrouter } from './openrouter.ts'

const sonnet = {
  id: 'anthropic/claude-sonnet-4.5:beta',
  canonical_slug: 'anthropic/claude-4.5-sonnet-20250929',
  name: 'Anthropic: Claude Sonnet 4.5',
  created: 1_759_161_676,
  context_length: 1_000_000,
  architecture: { modality: 'text+image->text', input_modalities: ['text', 'image'], output_modalities: ['text'] },
  pricing: { prompt: '0.000003', completion: '0.000015', request: '0', input_cache_read: '0.0000003' },
  top_provider: { context_length: 1_000_000, max_completion_tokens: 64_000, is_moderated: false },
  supported_parameters: ['max_tokens', 'reasoning', 'tools'],
  expiration_date: null,
}
const id = sonnet.id
const list = (...data: readonly object[]) => ({ data })

describe('the OpenRouter list', () => {
  it('keeps the id whole and gives exact prices per million (CAT-214)', () => {
    expect(statedBy(openrouter, list(sonnet))).toEqual({
      [id]: {
        display_name: 'Anthropic: Claude Sonnet 4.5',
        context_window: 1_000_000,
        max_output_tokens: 64_000,
        modalities: { input: ['text', 'image'], output: ['text'] },
        supports_tools: true,
        supports_reasoning: true,
        cost_input_per_million: 3,
        cost_output_per_million: 15,
        cost_cache_read_per_million: 0.3,
      },
    })
  })

  it.each([
    ['0.0000001', 0.1],
    ['0.00000015', 0.15],
    ['1e-7', 0.1],
    [3e-7, 0.3],
    ['0', 0],
    ['-1', undefined],
    ['', undefined],
    ['NaN', undefined],
    [null, undefined],
    ['1e999', undefined],
  ])('reads a price of %j per token as %j per million (CAT-214)', (prompt, expected) => {
    expect(statedBy(openrouter, list({ id, pricing: { prompt } }))[id]?.cost_input_per_million).toBe(expected)
  })

  it('leaves a price alone that is stated per million (CAT-214)', () => {
    expect(statedBy(openrouter, list({ id, cost: { input: 3, output: '15' } }))[id]).toEqual({
      cost_input_per_million: 3,
      cost_output_per_million: 15,
    })
  })

  it('says no to tools only where the parameters are listed (CAT-214)', () => {
    expect(statedBy(openrouter, list({ id, supported_parameters: ['temperature'] }))[id]).toEqual({
      supports_tools: false,
      supports_reasoning: false,
    })
    expect(statedBy(openrouter, list({ id, supported_parameters: [] }))[id]).toEqual({})
  })

  it('marks a model with an end date as deprecated', () => {
    expect(statedBy(openrouter, list({ id, expiration_date: '2026-12-31' }))[id]).toEqual({ lifecycle: 'deprecated' })
  })

  it('never lists what produces no text (CAT-222)', () => {
    const outputs = (name: string, output: string) => ({ id: name, architecture: { output_modalities: [output] } })
    const page = pageOf(openrouter, list(outputs('a/b', 'embeddings'), outputs('c/d', 'image'), outputs('e/f', 'text')))
    expect(page.rows.map((row) => row.model_id)).toEqual(['e/f'])
  })
})
