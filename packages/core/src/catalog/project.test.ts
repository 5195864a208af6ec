import {
  AvailabilityEvidence,
  AvailabilityReason,
  Cost,
  DENIALS,
  Model,
  SourceRef,
  UNKNOWN_REASONS,
} from '@signalbox/contract/model'
import { OpenAIModel } from '@signalbox/contract/openai'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mergeModel } from './merge.ts'
import { projectModel, projectOpenAIModel } from './project.ts'
import { mergeOptionsArbitrary, modelRowsArbitrary } from './testing/arbitraries.ts'
import { FRESH, HOUR, NOW, row } from './testing/samples.ts'

const project = (...rows: Parameters<typeof mergeModel>[0]) => projectModel(mergeModel(rows, FRESH))
const anyModel = fc.tuple(modelRowsArbitrary, mergeOptionsArbitrary).map(([rows, options]) => mergeModel(rows, options))

describe('a listed model', () => {
  it('has every key of the contract, in its order, and no other, for any rows (CAT-059) (CAT-063)', () => {
    fc.assert(
      fc.property(anyModel, (merged) => {
        const shown = projectModel(merged)
        expect(Object.keys(shown)).toEqual(Object.keys(Model.shape))
        for (const ref of shown.sources) expect(Object.keys(ref)).toEqual(Object.keys(SourceRef.shape))
        if (shown.cost !== null) expect(Object.keys(shown.cost)).toEqual(Object.keys(Cost.shape))
        if (shown.availability_evidence !== null) {
          expect(Object.keys(shown.availability_evidence)).toEqual(Object.keys(AvailabilityEvidence.shape))
        }
      }),
    )
  })

  it('is what the strict contract takes, for any rows (CAT-056) (CAT-059) (CAT-061) (CAT-062) (CAT-064) (CAT-065)', () => {
    fc.assert(
      fc.property(anyModel, (merged) => {
        const shown = projectModel(merged)
        expect(Model.parse(shown)).toEqual(shown)
        expect(Model.parse(JSON.parse(JSON.stringify(shown)))).toEqual(shown)
      }),
      { numRuns: 500 },
    )
  })

  it('has null for everything that nobody states (CAT-063)', () => {
    expect(project(row('config'))).toEqual({
      provider_id: 'acme',
      model_id: 'm1',
      display_name: null,
      sources: [
        {
          source_id: 'config',
          source_kind: 'config',
          priority: 120,
          stale: false,
          refreshed_at: '2026-05-07T18:32:11Z',
        },
      ],
      available: null,
      availability_state: 'unknown',
      availability_reason: 'not_probed',
      availability_evidence: null,
      stale: false,
      refreshed_at: '2026-05-07T18:32:11Z',
      context_window: null,
      max_input_tokens: null,
      max_output_tokens: null,
      supports_tools: null,
      supports_reasoning: null,
      reasoning_efforts: null,
      default_reasoning_effort: null,
      family: null,
      modalities: null,
      release_date: null,
      lifecycle: null,
      cost: null,
    })
  })

  it('shows every merged value under its own key (CAT-056) (CAT-061) (CAT-062) (CAT-064)', () => {
    const facts = {
      display_name: 'GPT 5.2',
      context_window: 400_000,
      max_input_tokens: 272_000,
      max_output_tokens: 128_000,
      supports_tools: false,
      supports_reasoning: true,
      reasoning_efforts: ['high', 'off', 'low'],
      default_reasoning_effort: 'high',
      family: 'gpt',
      modalities: { input: ['text', 'image'], output: ['text'] },
      release_date: '2025-12-11',
      lifecycle: 'preview',
    } as const
    expect(project(row('config', { facts }))).toMatchObject(facts)
  })

  it.each(['openai/gpt-5.2:free', 'UPPER@1', '\u{1F600}'])('keeps the id %j byte for byte (CAT-056)', (model_id) => {
    expect(project(row('config', { model_id })).model_id).toBe(model_id)
  })

  it('names all merged rows in merge order, also one that supplied nothing (CAT-057) (CAT-058)', () => {
    const { sources } = project(
      row('builtin', { facts: { display_name: 'A' }, refreshed_at: 0 }),
      row('extension:hub'),
      row('models_dev', { stale: true }),
    )
    expect(sources).toEqual([
      {
        source_id: 'extension:hub',
        source_kind: 'extension',
        priority: 100,
        stale: false,
        refreshed_at: '2026-05-07T18:32:11Z',
      },
      {
        source_id: 'models_dev',
        source_kind: 'models_dev',
        priority: 50,
        stale: true,
        refreshed_at: '2026-05-07T18:32:11Z',
      },
      {
        source_id: 'builtin',
        source_kind: 'builtin',
        priority: 10,
        stale: false,
        refreshed_at: '1970-01-01T00:00:00Z',
      },
    ])
  })

  it('has the time of its first row in merge order, not the latest (CAT-060)', () => {
    const old = row('config', { refreshed_at: NOW - HOUR })
    expect(project(row('models_dev'), old).refreshed_at).toBe('2026-05-07T17:32:11Z')
  })

  it('has the evidence of the deciding row, without an age (CAT-160)', () => {
    const live = row('provider_live:acme', { available: true, stale: true, refreshed_at: NOW - HOUR, expires_at: NOW })
    expect(project(live, row('config')).availability_evidence).toEqual({
      source_id: 'provider_live:acme',
      observed_at: '2026-05-07T17:32:11Z',
      expires_at: '2026-05-07T18:32:11Z',
      stale: true,
    })
    expect(project(row('extension:hub', { available: false })).availability_evidence).toMatchObject({
      expires_at: null,
    })
  })

  it('has a reason of the contract that goes with its availability, for any rows (CAT-159) (CAT-161)', () => {
    const reasons = new Map<boolean | null, readonly string[]>([
      [true, ['proven']],
      [false, DENIALS],
      [null, UNKNOWN_REASONS],
    ])
    fc.assert(
      fc.property(anyModel, (merged) => {
        const shown = projectModel(merged)
        expect(reasons.get(shown.available)).toContain(AvailabilityReason.parse(shown.availability_reason))
        expect(shown.availability_evidence === null).toBe(shown.available === null)
        const word = new Map([
          [true, 'available'],
          [false, 'unavailable'],
        ]).get(shown.available ?? false)
        const state = shown.available === null ? 'unknown' : `${word}_${shown.stale ? 'stale' : 'live'}`
        expect(shown.availability_state).toBe(state)
      }),
    )
  })
})

describe('the cost of a listed model', () => {
  it('is null where nobody states a price (CAT-065)', () => {
    expect(project(row('models_dev', { facts: { cost_tiers: [] } })).cost).toBeNull()
  })

  it('shows 0 for free and null for unknown, each price by itself (CAT-065)', () => {
    const cost = project(
      row('config', { facts: { cost_input_per_million: 0 } }),
      row('models_dev', { facts: { cost_input_per_million: 3, cost_cache_read_per_million: 0.5 } }),
    ).cost
    expect(cost).toEqual({
      input_per_million: 0,
      output_per_million: null,
      cache_read_per_million: 0.5,
      cache_write_per_million: null,
      tiers: null,
    })
  })

  it('is not null for a model that is only known to be free (CAT-065)', () => {
    expect(project(row('config', { facts: { cost_output_per_million: 0 } })).cost).toMatchObject({
      output_per_million: 0,
    })
  })

  it('shows tiers whose base prices nobody states (CAT-065)', () => {
    const tier = {
      above_context_tokens: 200_000,
      input_per_million: 6,
      output_per_million: 22.5,
      cache_read_per_million: null,
      cache_write_per_million: 0,
    }
    expect(project(row('models_dev', { facts: { cost_tiers: [tier] } })).cost).toMatchObject({
      input_per_million: null,
      tiers: [tier],
    })
  })
})

describe('an OpenAI list entry', () => {
  it('is what the strict contract takes, in its key order, for any rows (CAT-093) (CAT-095)', () => {
    fc.assert(
      fc.property(anyModel, (merged) => {
        const shown = projectOpenAIModel(merged)
        expect(OpenAIModel.parse(shown)).toEqual(shown)
        expect(Object.keys(shown)).toEqual(Object.keys(OpenAIModel.shape))
        expect(Object.keys(shown.signalbox)).toEqual(Object.keys(OpenAIModel.shape.signalbox.shape))
      }),
    )
  })

  it.each(['openai/gpt-5.2:free', 'UPPER@1', '\u{1F600}'])('keeps the id %j byte for byte (CAT-094)', (model_id) => {
    const shown = projectOpenAIModel(mergeModel([row('config', { model_id, provider_id: 'openrouter' })], FRESH))
    expect(shown).toMatchObject({ id: model_id, object: 'model', created: 0, owned_by: 'openrouter' })
  })

  it('says the same of the model as the native list, with its source ids in merge order (CAT-093) (CAT-095)', () => {
    fc.assert(
      fc.property(anyModel, (merged) => {
        const native = projectModel(merged)
        const { sources, ...rest } = projectOpenAIModel(merged).signalbox
        expect(sources).toEqual(native.sources.map((ref) => ref.source_id))
        expect(native).toMatchObject(rest)
      }),
    )
  })
})
