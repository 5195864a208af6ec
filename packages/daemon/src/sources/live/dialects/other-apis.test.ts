import { describe, expect, it } from 'vitest'
import { pageOf, statedBy } from '../testing/stated-rows.ts'
import { amazonBedrock } from './amazon-bedrock.ts'
import { azureOpenai } from './azure-openai.ts'
import { mistral } from './mistral.ts'
import { together } from './together.ts'
import { xai } from './xai.ts'

const list = (...data: readonly object[]) => ({ object: 'list', data })

describe('the Mistral list', () => {
  const large = {
    id: 'mistral-large-latest',
    object: 'model',
    owned_by: 'mistralai',
    capabilities: { completion_chat: true, completion_fim: false, function_calling: true, vision: true },
    name: 'mistral-large-2411',
    max_context_length: 131_072,
    aliases: ['mistral-large-2411'],
    deprecation: null,
    type: 'base',
  }

  it('takes context and tool calling, and no id for a name (CAT-216)', () => {
    expect(statedBy(mistral, list(large))).toEqual({
      'mistral-large-latest': { context_window: 131_072, supports_tools: true },
    })
  })

  it('marks what is deprecated, and refuses an archived fine-tune (CAT-216)', () => {
    const rows = [
      { ...large, id: 'old', deprecation: '2026-11-30T12:00:00Z' },
      { id: 'ft:mine', archived: true },
    ]
    expect(statedBy(mistral, list(...rows))).toMatchObject({
      old: { lifecycle: 'deprecated' },
      'ft:mine': { available: false, denial: 'denied' },
    })
  })

  it('never lists what cannot chat (CAT-222)', () => {
    const silent = { completion_chat: false }
    const page = pageOf(
      mistral,
      list({ id: 'mistral-embed', capabilities: silent }, { id: 'mistral-ocr', capabilities: silent }),
    )
    expect(page.leftOut.map(({ purpose }) => purpose)).toEqual(['embedding', 'other'])
    expect(page.rows).toEqual([])
  })
})

describe('the xAI list', () => {
  it('reads prices in cents per hundred million tokens (CAT-216)', () => {
    const grok = {
      id: 'grok-4-0709',
      created: 1_752_019_200,
      owned_by: 'xai',
      input_modalities: ['text', 'image'],
      output_modalities: ['text'],
      prompt_text_token_price: 30_000,
      cached_prompt_text_token_price: 7_500,
      completion_text_token_price: 150_000,
      aliases: ['grok-4'],
    }
    expect(statedBy(xai, { models: [grok] })).toEqual({
      'grok-4-0709': {
        modalities: { input: ['text', 'image'], output: ['text'] },
        cost_input_per_million: 3,
        cost_output_per_million: 15,
        cost_cache_read_per_million: 0.75,
      },
    })
  })

  it('takes the plain list of ids too (CAT-216)', () => {
    expect(statedBy(xai, list({ id: 'grok-4', object: 'model', owned_by: 'xai' }))).toEqual({ 'grok-4': {} })
  })
})

describe('the Together list', () => {
  const model = (type: string, rest: object = {}) => ({ id: `org/${type}`, object: 'model', type, ...rest })

  it('is an array, with dollars per million (CAT-216)', () => {
    const rest = { display_name: 'Llama', context_length: 131_072, pricing: { hourly: 0, input: 0.88, output: 0.9 } }
    expect(statedBy(together, [model('chat', rest)])).toEqual({
      'org/chat': {
        display_name: 'Llama',
        context_window: 131_072,
        cost_input_per_million: 0.88,
        cost_output_per_million: 0.9,
      },
    })
  })

  it('does not call a model free that has no price (CAT-216)', () => {
    expect(statedBy(together, [model('chat', { pricing: { hourly: 0, input: 0, output: 0 } })])).toEqual({
      'org/chat': {},
    })
  })

  it('never lists embeddings, rerankers and pictures (CAT-222)', () => {
    const rows = ['chat', 'language', 'code', 'embedding', 'rerank', 'image', 'audio', 'moderation'].map((type) =>
      model(type),
    )
    expect(Object.keys(statedBy(together, rows))).toEqual(['org/chat', 'org/language', 'org/code'])
  })
})

describe('the Azure OpenAI list', () => {
  it('proves deployments by their own names, once they have succeeded (CAT-216)', () => {
    const deployment = (id: string, model: string, status: string) => ({ id, model, status, object: 'deployment' })
    const page = list(
      deployment('team-coder', 'gpt-5.2', 'succeeded'),
      deployment('half-done', 'gpt-5.2', 'running'),
      deployment('search', 'text-embedding-3-large', 'succeeded'),
      deployment('embed-looking', 'gpt-5.2', 'succeeded'),
    )
    expect(statedBy(azureOpenai, page)).toEqual({
      'team-coder': {},
      'half-done': { available: false, denial: 'denied' },
      'embed-looking': {},
    })
  })

  it('does not take a model for usable that may not be deployed (CAT-216, CAT-222)', () => {
    const base = (id: string, chat_completion: boolean, embeddings: boolean) => ({
      id,
      object: 'model',
      status: 'succeeded',
      capabilities: { inference: true, chat_completion, embeddings },
      lifecycle_status: 'generally-available',
    })
    expect(statedBy(azureOpenai, list(base('gpt-4o-2024-11-20', true, false), base('ada', false, true)))).toEqual({
      'gpt-4o-2024-11-20': { lifecycle: 'active', available: null, denial: null },
    })
  })
})

describe('the Amazon Bedrock lists', () => {
  const model = (modelId: string, rest: object) => ({ modelId, modelName: 'A model', providerName: 'X', ...rest })

  it('takes names, modalities and lifecycle (CAT-216)', () => {
    const summary = model('anthropic.claude-3-haiku-20240307-v1:0', {
      inputModalities: ['TEXT', 'IMAGE'],
      outputModalities: ['TEXT'],
      inferenceTypesSupported: ['ON_DEMAND'],
      modelLifecycle: { status: 'LEGACY' },
    })
    expect(statedBy(amazonBedrock, { modelSummaries: [summary] })).toEqual({
      'anthropic.claude-3-haiku-20240307-v1:0': {
        display_name: 'A model',
        modalities: { input: ['text', 'image'], output: ['text'] },
        lifecycle: 'deprecated',
      },
    })
  })

  it('proves nothing for an id that cannot be called on demand, and does for its profile (CAT-216)', () => {
    const summary = model('anthropic.claude-opus-4-6-v1:0', { inferenceTypesSupported: ['INFERENCE_PROFILE'] })
    expect(statedBy(amazonBedrock, { modelSummaries: [summary] })).toMatchObject({
      'anthropic.claude-opus-4-6-v1:0': { available: null },
    })
    const profile = {
      inferenceProfileId: 'us.anthropic.claude-opus-4-6-v1:0',
      inferenceProfileName: 'US Opus',
      status: 'ACTIVE',
    }
    const page = pageOf(amazonBedrock, { inferenceProfileSummaries: [profile], nextToken: 'n2' })
    expect(page.rows).toMatchObject([{ model_id: 'us.anthropic.claude-opus-4-6-v1:0', available: true }])
    expect(page.next).toEqual({ cursor: 'n2', query: { maxResults: '1000', nextToken: 'n2' } })
  })

  it('never lists embeddings, nor rerankers that say they produce text (CAT-222)', () => {
    const rows = [
      model('amazon.titan-x-v2:0', { outputModalities: ['EMBEDDING'] }),
      model('cohere.rerank-v3-5:0', { outputModalities: ['TEXT'] }),
      model('amazon.nova-canvas-v1:0', { outputModalities: ['IMAGE'] }),
    ]
    expect(pageOf(amazonBedrock, { modelSummaries: rows }).leftOut.map(({ purpose }) => purpose)).toEqual([
      'embedding',
      'reranking',
      'other',
    ])
  })
})
