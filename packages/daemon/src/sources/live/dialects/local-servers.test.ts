import { SignalboxError } from '@signalbox/contract/errors'
import { describe, expect, it } from 'vitest'
import type { Ask, Dialect } from '../dialect.ts'
import { pageOf, stated, statedBy } from '../testing/stated-rows.ts'
import { llamaCpp } from './llama-cpp.ts'
import { lmStudio } from './lm-studio.ts'
import { ollama } from './ollama.ts'

/** A server that knows these calls, by path and model, and fails the others. */
const server =
  (answers: Readonly<Record<string, unknown>>): Ask =>
  async (path, body) => {
    const key = body === undefined ? path : `${path} ${String(body.model)}`
    if (Object.hasOwn(answers, key)) return answers[key]
    throw new SignalboxError('source_failed', 'HTTP 404')
  }

const enriched = async (dialect: Dialect, document: unknown, ask: Ask) => {
  const page = await dialect.enrich?.(pageOf(dialect, document), ask)
  if (page === undefined) throw new Error('nothing to enrich')
  return page
}

describe('Ollama', () => {
  const tag = (name: string, family = 'qwen3') => ({ name, model: name, size: 5, digest: 'd', details: { family } })
  const show = (capabilities: readonly string[], rest: object = {}) => ({
    capabilities,
    model_info: { 'general.architecture': 'qwen3', 'clip.context_length': 77, 'qwen3.context_length': 40_960 },
    ...rest,
  })

  it('takes context and capabilities from show, and loaded state with the effective context from ps (CAT-218)', async () => {
    const ask = server({
      '/api/show qwen3:8b': show(['completion', 'tools', 'thinking']),
      '/api/show llava:7b': show(['completion', 'vision']),
      '/api/ps': { models: [{ name: 'qwen3:8b', model: 'qwen3:8b', context_length: 8192, size_vram: 1 }] },
    })
    const page = await enriched(ollama, { models: [tag('qwen3:8b'), tag('llava:7b', 'llama')] }, ask)
    expect(page.loaded).toEqual(['qwen3:8b'])
    expect(stated(page.rows)).toEqual({
      'qwen3:8b': {
        family: 'qwen3',
        context_window: 8192,
        supports_tools: true,
        supports_reasoning: true,
        modalities: { input: ['text'], output: ['text'] },
      },
      'llava:7b': {
        family: 'llama',
        context_window: 40_960,
        supports_tools: false,
        supports_reasoning: false,
        modalities: { input: ['text', 'image'], output: ['text'] },
      },
    })
  })

  it.each([
    ['num_ctx                        16384\nstop "<x>"', 16_384],
    ['num_ctx 99999999', 40_960],
    ['temperature 1', 40_960],
  ])(
    'gives a model the context that its parameters ask for, up to what it was trained for: %j (CAT-218)',
    async (parameters, context) => {
      const page = await enriched(
        ollama,
        { models: [tag('a')] },
        server({ '/api/show a': show(['completion'], { parameters }) }),
      )
      expect(page.rows[0]?.facts.context_window).toBe(context)
    },
  )

  it('keeps the rows with an unknown context, not 128000, when show and ps fail (CAT-218, CAT-222)', async () => {
    const page = await enriched(ollama, { models: [tag('a'), tag('b')] }, server({ '/api/show b': [] }))
    expect(stated(page.rows)).toEqual({ a: { family: 'qwen3' }, b: { family: 'qwen3' } })
    expect(page.loaded).toBeNull()
  })

  it('lets a fault of ours through, which is not a failed call', async () => {
    const broken: Ask = async () => Promise.reject(new TypeError('oops'))
    await expect(enriched(ollama, { models: [tag('a')] }, broken)).rejects.toThrow('oops')
  })

  it('never lists embedding models, by capability, family or name (CAT-222)', async () => {
    const tags = [tag('plain'), tag('odd', 'nomic-bert'), tag('mxbai-embed-large'), tag('chat')]
    const ask = server({ '/api/show plain': show(['embedding']), '/api/show chat': show(['completion']) })
    const page = await enriched(ollama, { models: tags }, ask)
    expect(page.rows.map(({ model_id }) => model_id)).toEqual(['chat'])
    expect(page.leftOut.map(({ model_id }) => model_id).sort()).toEqual(['mxbai-embed-large', 'odd', 'plain'])
  })

  it('takes named levels of thinking and invents none for a switch (CAT-218)', async () => {
    const ask = server({
      '/api/show levels': show(['completion', 'thinking'], {
        thinking: { values: [false, 'low', 'high'], default: 'low' },
      }),
      '/api/show switch': show(['completion', 'thinking'], { thinking: { values: [false, true], default: true } }),
    })
    const { rows } = await enriched(ollama, { models: [tag('levels'), tag('switch')] }, ask)
    expect(rows.map(({ facts }) => [facts.reasoning_efforts, facts.default_reasoning_effort])).toEqual([
      [['off', 'low', 'high'], 'low'],
      [null, null],
    ])
  })

  it('tells a server without models from something else on its port (CAT-218)', () => {
    expect(pageOf(ollama, { models: [] }).rows).toEqual([])
    expect(pageOf(ollama, { models: null }).rows).toEqual([])
    expect(ollama.parse({ message: 'hello' })).toBeNull()
  })
})

describe('llama.cpp', () => {
  const entry = (id: string, rest: object = {}) => ({
    id,
    object: 'model',
    owned_by: 'llamacpp',
    meta: { n_ctx_train: 131_072 },
    ...rest,
  })
  const props = {
    default_generation_settings: { n_ctx: 4096 },
    total_slots: 4,
    modalities: { vision: true, audio: false },
  }

  it('takes the effective context from props, not what the model was trained for (CAT-219)', async () => {
    const page = await enriched(llamaCpp, { object: 'list', data: [entry('qwen.gguf')] }, server({ '/props': props }))
    expect(stated(page.rows)).toEqual({
      'qwen.gguf': { context_window: 4096, modalities: { input: ['text', 'image'], output: ['text'] } },
    })
    expect(page.loaded).toEqual(['qwen.gguf'])
  })

  it('leaves the context unknown without props (CAT-219, CAT-222)', async () => {
    const page = await enriched(llamaCpp, { data: [entry('qwen.gguf')] }, server({}))
    expect(stated(page.rows)).toEqual({ 'qwen.gguf': {} })
  })

  it('does not give one server’s properties to many models, and tells which are loaded (CAT-219)', async () => {
    const data = [
      entry('a', { status: { value: 'loaded' }, meta: { n_ctx: 2048 } }),
      entry('b', { status: { value: 'unloaded' } }),
    ]
    const page = await enriched(llamaCpp, { data }, server({ '/props': props }))
    expect(stated(page.rows)).toEqual({ a: { context_window: 2048 }, b: {} })
    expect(page.loaded).toEqual(['a'])
  })
})

describe('LM Studio', () => {
  const gemma = {
    type: 'llm',
    publisher: 'google',
    key: 'google/gemma-3-4b',
    display_name: 'Gemma 3 4B',
    architecture: 'gemma3',
    loaded_instances: [],
    max_context_length: 131_072,
    capabilities: { vision: true, trained_for_tool_use: false },
  }
  const instance = (id: string, context_length: number) => ({ id, config: { context_length, flash_attention: true } })

  it('gives a loaded model the context of its instance, and one row per instance (CAT-220)', () => {
    const loaded_instances = [instance('google/gemma-3-4b', 4096), instance('google/gemma-3-4b:2', 8192)]
    const page = pageOf(lmStudio, { models: [{ ...gemma, loaded_instances }] })
    expect(page.rows.map(({ model_id, facts }) => [model_id, facts.context_window])).toEqual([
      ['google/gemma-3-4b', 4096],
      ['google/gemma-3-4b:2', 8192],
    ])
    expect(page.loaded).toEqual(['google/gemma-3-4b', 'google/gemma-3-4b:2'])
  })

  it('lists a model that is not loaded, which is loaded when it is asked for (CAT-220)', () => {
    const page = pageOf(lmStudio, { models: [gemma] })
    expect(stated(page.rows)).toEqual({
      'google/gemma-3-4b': {
        display_name: 'Gemma 3 4B',
        family: 'gemma3',
        context_window: 131_072,
        supports_tools: false,
      },
    })
    expect(page.loaded).toEqual([])
  })

  it('takes efforts that are stated (CAT-220)', () => {
    const reasoning = { allowed_options: ['off', 'on', 'low', 'high'], default: 'low' }
    expect(statedBy(lmStudio, { models: [{ ...gemma, capabilities: { reasoning } }] })[gemma.key]).toMatchObject({
      supports_reasoning: true,
      reasoning_efforts: ['off', 'low', 'high'],
      default_reasoning_effort: 'low',
    })
  })

  it('reads the older API (CAT-220)', () => {
    const model = { object: 'model', type: 'vlm', arch: 'qwen2_vl', max_context_length: 32_768 }
    const data = [
      { ...model, id: 'a', state: 'loaded', loaded_context_length: 4096, capabilities: ['tool_use'] },
      { ...model, id: 'b', state: 'not-loaded' },
    ]
    const page = pageOf(lmStudio, { object: 'list', data })
    expect(stated(page.rows)).toEqual({
      a: { family: 'qwen2_vl', context_window: 4096, supports_tools: true },
      b: { family: 'qwen2_vl', context_window: 32_768 },
    })
    expect(page.loaded).toEqual(['a'])
  })

  it('reads OpenAI’s list with an unknown context (CAT-220, CAT-222)', () => {
    const page = pageOf(lmStudio, {
      object: 'list',
      data: [{ id: 'a', object: 'model', owned_by: 'organization_owner' }],
    })
    expect(stated(page.rows)).toEqual({ a: {} })
    expect(page.loaded).toBeNull()
  })

  it('does not take its answer to an unknown path for an empty list (CAT-220)', () => {
    expect(lmStudio.parse({ error: 'Unexpected endpoint or method. (GET /api/v1/models)' })).toBeNull()
  })

  it('never lists embedding models, in any of its APIs (CAT-222)', () => {
    expect(pageOf(lmStudio, { models: [{ ...gemma, key: 'x', type: 'embedding' }] }).rows).toEqual([])
    const data = [{ id: 'x', type: 'embeddings' }, { id: 'text-embedding-nomic-embed-text-v1.5' }]
    expect(pageOf(lmStudio, { object: 'list', data }).rows).toEqual([])
  })
})
