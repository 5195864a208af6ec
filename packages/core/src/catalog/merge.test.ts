import { describe, expect, it } from 'vitest'
import { mergeModel, mergeProvider } from './merge.ts'
import { FRESH, NOW, row, WITH_STALE } from './testing/samples.ts'

const ids = (rows: Parameters<typeof mergeProvider>[0]) => mergeProvider(rows, FRESH).map((model) => model.model_id)

describe('which rows are one model', () => {
  it('keeps ids apart that differ in case, prefix or suffix (CAT-016)', () => {
    const names = ['gpt-5', 'GPT-5', 'openai/gpt-5', 'gpt-5:free', 'gpt-5 ', 'gpt-5@2026']
    const merged = mergeProvider(
      names.map((model_id) => row('models_dev', { model_id })),
      FRESH,
    )
    expect(new Set(merged.map((model) => model.model_id))).toEqual(new Set(names))
    expect(merged.map((model) => model.rows.length)).toEqual(names.map(() => 1))
  })

  it('does not treat composed and decomposed characters as one id (CAT-016)', () => {
    expect(
      ids([row('models_dev', { model_id: 'caf\u00e9' }), row('builtin', { model_id: 'cafe\u0301' })]),
    ).toHaveLength(2)
  })

  it('merges rows of several sources with exactly one id (CAT-016)', () => {
    const [merged, ...others] = mergeProvider([row('builtin'), row('config'), row('models_dev')], FRESH)
    expect(merged?.rows.map((one) => one.source_id)).toEqual(['config', 'models_dev', 'builtin'])
    expect(others).toEqual([])
  })

  it('takes ids that objects inherit like any other (CAT-016)', () => {
    expect(ids(['constructor', '__proto__', 'toString'].map((model_id) => row('config', { model_id })))).toEqual([
      '__proto__',
      'constructor',
      'toString',
    ])
  })

  it('lists models in byte order of their id, not in the order of the rows (CAT-026)', () => {
    const sorted = ['A', 'Z', 'a', 'a-1', 'a.1', 'a/b', 'a:b', 'aa', '\uE000', '\u{1F600}']
    expect(ids(sorted.toReversed().map((model_id) => row('models_dev', { model_id })))).toEqual(sorted)
  })

  it('lists what other sources state beside a curated model (CAT-006)', () => {
    const rows = [
      row('config', { model_id: 'curated' }),
      row('provider_live:acme', { model_id: 'live' }),
      row('extension:hub', { model_id: 'added' }),
      row('models_dev', { model_id: 'known' }),
      row('builtin', { model_id: 'shipped' }),
    ]
    expect(ids(rows)).toEqual(['added', 'curated', 'known', 'live', 'shipped'])
  })

  it('refuses to merge no rows at all', () => {
    expect(() => mergeModel([], FRESH)).toThrow(RangeError)
    expect(mergeProvider([], FRESH)).toEqual([])
  })
})

describe('the order of rows', () => {
  const order = (rows: Parameters<typeof mergeModel>[0]) => mergeModel(rows, FRESH).rows.map((one) => one.source_id)

  it('puts the higher priority first, however old (CAT-017)', () => {
    const rows = ['builtin', 'models_dev', 'extension:hub', 'provider_live:acme', 'config'].map((id, age) =>
      row(id, { refreshed_at: NOW - age * 1_000 }),
    )
    expect(order(rows)).toEqual(['config', 'provider_live:acme', 'extension:hub', 'models_dev', 'builtin'])
  })

  it('puts the later of equal priority first (CAT-017)', () => {
    const rows = [row('extension:a', { refreshed_at: NOW - 1 }), row('extension:b', { refreshed_at: NOW })]
    expect(order(rows)).toEqual(['extension:b', 'extension:a'])
  })

  it('puts the lower source id in byte order first where all else is equal (CAT-017)', () => {
    expect(order(['extension:b', 'extension:a_', 'extension:a-', 'extension:a'].map((id) => row(id)))).toEqual([
      'extension:a',
      'extension:a-',
      'extension:a_',
      'extension:b',
    ])
  })
})

describe('the value of a field', () => {
  it('comes from the first row that states it, each field by itself (CAT-018)', () => {
    const { facts } = mergeModel(
      [
        row('builtin', { facts: { display_name: 'Shipped', context_window: 1, family: 'f', lifecycle: 'active' } }),
        row('models_dev', { facts: { display_name: 'Known', context_window: 2, supports_tools: true } }),
        row('config', { facts: { display_name: 'Mine' } }),
      ],
      FRESH,
    )
    expect(facts).toMatchObject({
      display_name: 'Mine',
      context_window: 2,
      supports_tools: true,
      family: 'f',
      lifecycle: 'active',
      max_output_tokens: null,
    })
  })

  it('is not taken from a row that holds null, an empty text or an empty list there (CAT-019)', () => {
    const silent = {
      display_name: '',
      family: null,
      reasoning_efforts: [],
      cost_tiers: [],
      modalities: { input: [], output: [] },
    }
    const said = {
      display_name: 'A',
      family: 'f',
      reasoning_efforts: ['low'],
      modalities: { input: ['text'], output: ['text'] },
    } as const
    const { facts } = mergeModel([row('config', { facts: silent }), row('builtin', { facts: said })], FRESH)
    expect(facts).toMatchObject({ ...said, cost_tiers: null })
  })

  it('is null, not empty, where every row holds it empty (CAT-019)', () => {
    const { facts } = mergeModel(
      [row('config', { facts: { display_name: '', reasoning_efforts: [], cost_tiers: [] } })],
      FRESH,
    )
    expect(facts).toMatchObject({ display_name: null, reasoning_efforts: null, cost_tiers: null })
  })

  it('may be false or 0: both are statements (CAT-019)', () => {
    const strong = row('config', { facts: { supports_tools: false, cost_input_per_million: 0 } })
    const weak = row('builtin', { facts: { supports_tools: true, cost_input_per_million: 3 } })
    expect(mergeModel([weak, strong], FRESH).facts).toMatchObject({ supports_tools: false, cost_input_per_million: 0 })
  })

  it('is a list taken whole from one row, in its order, never united (CAT-020)', () => {
    const tier = {
      above_context_tokens: 200_000,
      input_per_million: 1,
      output_per_million: null,
      cache_read_per_million: null,
      cache_write_per_million: null,
    }
    const strong = {
      reasoning_efforts: ['high', 'low'],
      modalities: { input: ['text'], output: [] },
      cost_tiers: [tier],
    } as const
    const weak = {
      reasoning_efforts: ['minimal', 'low', 'medium'],
      modalities: { input: ['image'], output: ['text'] },
      cost_tiers: [tier, { ...tier, above_context_tokens: 272_000 }],
    } as const
    const { facts } = mergeModel([row('builtin', { facts: weak }), row('models_dev', { facts: strong })], FRESH)
    expect(facts).toMatchObject(strong)
  })
})

describe('reasoning efforts', () => {
  const merged = (...rows: Parameters<typeof mergeModel>[0]) => mergeModel(rows, FRESH)

  it('imply supports_reasoning where their row does not say (CAT-023)', () => {
    const model = merged(row('models_dev', { facts: { reasoning_efforts: ['low'] } }))
    expect(model.facts.supports_reasoning).toBe(true)
    expect(model.origins.supports_reasoning).toEqual({ row: 0, rule: 'implied_by_efforts' })
  })

  it('imply it against a lower row that states false (CAT-023)', () => {
    const model = merged(
      row('config', { facts: { reasoning_efforts: ['low', 'high'] } }),
      row('builtin', { facts: { supports_reasoning: false } }),
    )
    expect(model.facts).toMatchObject({ supports_reasoning: true, reasoning_efforts: ['low', 'high'] })
  })

  it('imply nothing against a higher row, or their own, that states it (CAT-023)', () => {
    const efforts = { reasoning_efforts: ['low'] } as const
    const higher = merged(row('config', { facts: { supports_reasoning: false } }), row('builtin', { facts: efforts }))
    expect(higher.facts.supports_reasoning).toBe(false)
    const own = merged(row('config', { facts: { ...efforts, supports_reasoning: false } }))
    expect(own.facts.supports_reasoning).toBe(false)
  })

  it('imply nothing where they are empty (CAT-023)', () => {
    expect(merged(row('config', { facts: { reasoning_efforts: [] } })).facts.supports_reasoning).toBeNull()
  })

  it('are emptied, and the default with them, by a merged supports_reasoning of false (CAT-024)', () => {
    const model = merged(
      row('config', { facts: { supports_reasoning: false } }),
      row('models_dev', { facts: { reasoning_efforts: ['low', 'high'], default_reasoning_effort: 'low' } }),
    )
    expect(model.facts).toMatchObject({ reasoning_efforts: [], default_reasoning_effort: null })
    expect(model.origins.reasoning_efforts).toEqual({ row: 1, rule: 'cleared_no_reasoning' })
    expect(model.origins.default_reasoning_effort).toEqual({ row: 1, rule: 'cleared_no_reasoning' })
  })

  it('are an empty list, not null, where the model does not reason and nobody states any (CAT-024)', () => {
    expect(merged(row('builtin', { facts: { supports_reasoning: false } })).facts.reasoning_efforts).toEqual([])
  })

  it('drop a default that the merged list does not hold (CAT-024)', () => {
    const model = merged(
      row('config', { facts: { default_reasoning_effort: 'max' } }),
      row('models_dev', { facts: { reasoning_efforts: ['low', 'high'], default_reasoning_effort: 'low' } }),
    )
    expect(model.facts.default_reasoning_effort).toBeNull()
    expect(model.origins.default_reasoning_effort).toEqual({ row: 0, rule: 'cleared_not_in_efforts' })
  })

  it('keep a default that another row’s list holds (CAT-024)', () => {
    const model = merged(
      row('config', { facts: { default_reasoning_effort: 'high' } }),
      row('models_dev', { facts: { reasoning_efforts: ['low', 'high'] } }),
    )
    expect(model.facts.default_reasoning_effort).toBe('high')
  })

  it.each(['gpt-5.2', 'claude-opus-4-6', 'o3', 'deepseek-reasoner', 'x:high'])(
    'are never invented, whatever the name: %s (CAT-025)',
    (model_id) => {
      const facts = { supports_reasoning: true, default_reasoning_effort: 'medium' } as const
      const model = merged(row('config', { model_id }), row('models_dev', { model_id, facts }))
      expect(model.facts).toMatchObject({
        supports_reasoning: true,
        reasoning_efforts: null,
        default_reasoning_effort: null,
      })
    },
  )
})

describe('stale rows', () => {
  const fresh = row('builtin', { facts: { display_name: 'Shipped', family: 'f' } })
  const stale = row('models_dev', { stale: true, facts: { display_name: 'Known', context_window: 8 } })

  it('supply no field while a row is fresh, not even one that nobody else states (CAT-036)', () => {
    const model = mergeModel([stale, fresh], FRESH)
    expect(model.facts).toMatchObject({ display_name: 'Shipped', family: 'f', context_window: null })
    expect(model.rows.map((one) => one.source_id)).toEqual(['models_dev', 'builtin'])
  })

  it('supply fields in the normal order when asked for (CAT-038)', () => {
    const model = mergeModel([stale, fresh], WITH_STALE)
    expect(model.facts).toMatchObject({ display_name: 'Known', family: 'f', context_window: 8 })
  })

  it('keep a model listed that has no other rows, labelled (CAT-037)', () => {
    const other = row('extension:hub', { stale: true, facts: { family: 'g' } })
    const [model] = mergeProvider([stale, other], FRESH)
    expect(model).toMatchObject({ stale: true, facts: { display_name: 'Known', family: 'g', context_window: 8 } })
  })

  it('label a model of only stale rows that state nothing as well (CAT-037)', () => {
    expect(mergeModel([row('models_dev', { stale: true })], FRESH).stale).toBe(true)
  })

  it('make an undecided model stale exactly when one of them supplied a field (CAT-034)', () => {
    expect(mergeModel([stale, fresh], FRESH).stale).toBe(false)
    expect(mergeModel([stale, fresh], WITH_STALE).stale).toBe(true)
    const silent = row('models_dev', { stale: true })
    expect(mergeModel([silent, fresh], WITH_STALE).stale).toBe(false)
    const outranked = row('models_dev', { stale: true, facts: { display_name: 'Known' } })
    const config = row('config', { facts: { display_name: 'Mine' } })
    expect(mergeModel([outranked, config], WITH_STALE).stale).toBe(false)
  })

  it('do not make it stale with a value that a rule cleared (CAT-034)', () => {
    const config = row('config', { facts: { supports_reasoning: false } })
    const cleared = row('models_dev', {
      stale: true,
      facts: { reasoning_efforts: ['low'], default_reasoning_effort: 'low' },
    })
    expect(mergeModel([cleared, config], WITH_STALE).stale).toBe(false)
  })

  it('make it stale with efforts that implied supports_reasoning (CAT-034)', () => {
    const implying = row('models_dev', { stale: true, facts: { reasoning_efforts: ['low'] } })
    expect(mergeModel([implying, row('config')], WITH_STALE).stale).toBe(true)
  })
})
