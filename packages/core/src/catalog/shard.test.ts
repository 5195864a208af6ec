import { ModelList } from '@signalbox/contract/model'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mergeProvider } from './merge.ts'
import { projectModel } from './project.ts'
import { ProviderShard } from './shard.ts'
import { listsArbitrary } from './testing/arbitraries.ts'
import { FRESH, HOUR, list, model, NOW, provider, stated, WITH_STALE } from './testing/samples.ts'
import { shard } from './testing/shards.ts'

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

describe('a shard enriched from another provider', () => {
  const theirs = list(
    'models_dev',
    [
      stated('gpt-5', { facts: { context_window: 400_000, display_name: 'GPT-5' } }),
      stated('gpt-image', { facts: { display_name: 'Image' } }),
    ],
    { provider_id: 'openai' },
  )
  const codex = { provider_id: provider('codex'), enriching: [theirs] }

  it('fills fields of the models that its own sources state (CAT-178)', () => {
    const own = list('config', [stated('gpt-5', { facts: { display_name: 'Mine' } })], { provider_id: 'codex' })
    const [only, ...others] = shard([own], codex).models
    expect(only).toMatchObject({ provider_id: 'codex', facts: { display_name: 'Mine', context_window: 400_000 } })
    expect(only?.rows.map((row) => [row.source_id, row.provider_id])).toEqual([
      ['config', 'codex'],
      ['models_dev', 'codex'],
    ])
    expect(others).toEqual([])
  })

  it('lists none of the other provider’s models by itself (CAT-178)', () => {
    expect(shard([], codex).models).toEqual([])
    const own = list('builtin', [stated('codex-mini')], { provider_id: 'codex' })
    expect(shard([own], codex).models.map((one) => one.model_id)).toEqual(['codex-mini'])
  })

  it('matches ids exactly (CAT-178)', () => {
    const own = list('config', [stated('GPT-5'), stated('openai/gpt-5')], { provider_id: 'codex' })
    expect(shard([own], codex).rows.map((row) => row.source_id)).toEqual(['config', 'config'])
  })

  it('keeps its own row of a source before the other provider’s of the same (CAT-178)', () => {
    const own = list('models_dev', [stated('gpt-5', { facts: { context_window: 1 } })], { provider_id: 'codex' })
    const [only] = shard([own], codex).models
    expect(only?.rows).toHaveLength(1)
    expect(only?.facts.context_window).toBe(1)
  })

  it('expires with the rows that enrich it (CAT-183)', () => {
    const own = list('config', [stated('gpt-5')], { provider_id: 'codex' })
    expect(shard([own], codex).validUntil).toBe(NOW + HOUR)
  })
})

describe('a shard', () => {
  it('is right until its first row turns stale (CAT-183)', () => {
    const lists = [list('config', []), list('models_dev', [], { fresh_until: NOW + 9 }), list('extension:hub', [])]
    expect(shard(lists).validUntil).toBe(NOW + 9)
    expect(shard(lists.toReversed()).validUntil).toBe(NOW + 9)
    expect(shard([list('config', []), list('builtin', [])]).validUntil).toBeNull()
  })

  it('reads a row whose TTL passed as stale, as of its moment (CAT-183)', () => {
    const lists = [list('models_dev', [stated('m1')])]
    expect(shard(lists).models[0]?.stale).toBe(false)
    expect(shard(lists, { now: NOW + HOUR }).models[0]?.stale).toBe(true)
  })

  it('merges its rows, once without stale fields and once with (CAT-038)', () => {
    fc.assert(
      fc.property(listsArbitrary('acme'), (lists) => {
        const one = shard(lists)
        expect(one.models).toEqual(mergeProvider(one.rows, FRESH))
        expect(one.modelsWithStale).toEqual(mergeProvider(one.rows, WITH_STALE))
        expect(shard(lists.toReversed()).models).toEqual(one.models)
      }),
    )
  })

  it('encodes exactly what it lists, in canonical JSON (CAT-056)', () => {
    fc.assert(
      fc.property(listsArbitrary('acme'), (lists) => {
        const one = shard(lists)
        const parsed = JSON.parse(`{"models":[${text(one.body)}]}`)
        expect(ModelList.parse(parsed).models).toEqual(one.models.map(projectModel))
        expect(JSON.stringify(parsed.models)).toBe(`[${text(one.body)}]`)
        expect(one.modelCount).toBe(one.models.length)
      }),
    )
  })

  it('merges only the rows of one source when asked for it', () => {
    const one = shard([
      list('config', [stated('m1', { facts: { display_name: 'Mine' } })]),
      list('models_dev', [stated('m1', { facts: { display_name: 'Known' } }), stated('m2')]),
    ])
    const known = one.modelsOf('models_dev', false)
    expect(known.map((merged) => [merged.model_id, merged.facts.display_name])).toEqual([
      ['m1', 'Known'],
      ['m2', null],
    ])
    expect(one.modelsOf('builtin', false)).toEqual([])
  })

  it('serves the bytes that were published before, without merging', () => {
    const body = new TextEncoder().encode('{"published":true}')
    const lists = [list('config', [stated('m1')])]
    const input = { provider_id: provider('acme'), lists, enriching: [], probe: 'not_probed', now: NOW } as const
    const published = new ProviderShard(input, { body, model_count: 7 })
    published.prepare()
    expect(published.body).toBe(body)
    expect(published.modelCount).toBe(7)
    expect(published.find(model('m1'))?.model_id).toBe('m1')
  })
})
