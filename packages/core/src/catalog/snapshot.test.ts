import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { MergedModel } from './merge.ts'
import { findModel, makeSnapshot, type Selection, selectModels } from './snapshot.ts'
import { listsArbitrary, MODEL_IDS, SOURCES } from './testing/arbitraries.ts'
import { HOUR, list, model, NOW, provider, stated } from './testing/samples.ts'
import { shard, snapshotOf } from './testing/shards.ts'

const snapshot = snapshotOf([
  list('config', [stated('Sonnet', { facts: { display_name: 'Claude' } }), stated('haiku')], { provider_id: 'zeta' }),
  list('provider_live:acme', [stated('up', { available: true }), stated('down', { available: false }), stated('mute')]),
  list('builtin', [stated('up', { facts: { display_name: 'Größe' } }), stated('old')]),
])

const keys = (models: readonly MergedModel[]) => models.map((one) => `${one.provider_id}/${one.model_id}`)
const select = (selection: Selection) => keys(selectModels(snapshot, selection).models)
const ALL = ['acme/down', 'acme/mute', 'acme/old', 'acme/up', 'zeta/Sonnet', 'zeta/haiku']

describe('a list of models', () => {
  it('holds all of them by provider, then model id, in byte order (CAT-026)', () => {
    expect(select({})).toEqual(ALL)
  })

  it.each([
    ['true', ['acme/up']],
    ['false', ['acme/down']],
    ['unknown', ['acme/mute', 'acme/old', 'zeta/Sonnet', 'zeta/haiku']],
    [undefined, ALL],
  ] as const)('with available=%s holds %j (CAT-053)', (available, expected) => {
    expect(select({ available })).toEqual(expected)
  })

  it.each([
    ['SONNET', ['zeta/Sonnet']],
    ['claude', ['zeta/Sonnet']],
    ['ACM', ['acme/down', 'acme/mute', 'acme/old', 'acme/up']],
    ['GRÖSSE', []],
    ['GRÖ', ['acme/up']],
    ['a', ALL],
    ['.*', []],
    ['acme/up', []],
    ['', ALL],
  ])('with q=%j holds %j (CAT-052)', (q, expected) => {
    expect(select({ q })).toEqual(expected)
  })

  it('is cut by limit after sorting, with the uncut count (CAT-052)', () => {
    expect(keys(selectModels(snapshot, { limit: 2 }).models)).toEqual(['acme/down', 'acme/mute'])
    expect(selectModels(snapshot, { limit: 2 }).total).toBe(6)
    expect(selectModels(snapshot, { limit: 1, available: 'unknown' })).toMatchObject({ total: 4 })
    expect(selectModels(snapshot, { limit: 100_000 }).models).toHaveLength(6)
  })

  it('narrows to a provider and to a source, and is empty for one that nobody knows', () => {
    expect(select({ provider_id: provider('zeta') })).toEqual(['zeta/Sonnet', 'zeta/haiku'])
    expect(select({ source_id: 'builtin' })).toEqual(['acme/old', 'acme/up'])
    expect(select({ provider_id: provider('zeta'), source_id: 'builtin' })).toEqual([])
    expect(selectModels(snapshot, { provider_id: provider('nobody') })).toEqual({ models: [], total: 0 })
  })

  it('holds a model with only stale rows, with and without include_stale (CAT-037)', () => {
    const stale = snapshotOf([list('models_dev', [stated('m1')], { failed: true })])
    expect(keys(selectModels(stale, {}).models)).toEqual(['acme/m1'])
    expect(keys(selectModels(stale, { include_stale: true }).models)).toEqual(['acme/m1'])
  })

  it('lets stale rows supply fields with include_stale (CAT-038)', () => {
    const mixed = snapshotOf([
      list('models_dev', [stated('m1', { facts: { family: 'f' } })], { failed: true }),
      list('builtin', [stated('m1')]),
    ])
    expect(selectModels(mixed, {}).models[0]?.facts.family).toBeNull()
    expect(selectModels(mixed, { include_stale: true }).models[0]?.facts.family).toBe('f')
  })

  it('holds exactly what the filters do not exclude, for any rows and filters (CAT-052) (CAT-053)', () => {
    const lists = fc.tuple(listsArbitrary('zeta'), listsArbitrary('acme')).map((both) => both.flat())
    const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
    const selection: fc.Arbitrary<Selection> = fc.record({
      provider_id: optional(fc.constantFrom(...['acme', 'zeta', 'nobody'].map(provider))),
      source_id: optional(fc.constantFrom(...SOURCES)),
      include_stale: fc.boolean(),
      q: optional(fc.constantFrom('M1', 'vendor', 'A', 'b', ':', 'nothing')),
      available: optional(fc.constantFrom('true', 'false', 'unknown')),
      limit: optional(fc.integer({ min: 1, max: 6 })),
    })
    fc.assert(
      fc.property(lists, selection, (some, wanted) => {
        const { source_id, include_stale, q, available, limit } = wanted
        const here = snapshotOf(some)
        const all = selectModels(here, { source_id, include_stale }).models
        const expected = all.filter((one) => {
          const { provider_id, model_id, facts } = one
          if (wanted.provider_id !== undefined && provider_id !== wanted.provider_id) return false
          if (available !== undefined && String(one.availability.available ?? 'unknown') !== available) return false
          const texts = [provider_id, model_id, facts.display_name ?? ''].map((text) => text.toLowerCase())
          return q === undefined || texts.some((text) => text.includes(q.toLowerCase()))
        })
        const { models, total } = selectModels(here, wanted)
        expect(models).toEqual(expected.slice(0, limit))
        expect(total).toBe(expected.length)
        if (source_id !== undefined) {
          expect(models.flatMap((one) => one.rows).every((row) => row.source_id === source_id)).toBe(true)
        }
      }),
    )
  })
})

describe('a snapshot', () => {
  it('orders its providers in byte order and counts their models (CAT-026)', () => {
    const ids = ['zeta', 'a.b', 'a-b', '302ai', 'a']
    const here = snapshotOf(ids.map((provider_id) => list('config', [stated('m1')], { provider_id })))
    expect(here.shards.map((one) => one.provider_id)).toEqual(['302ai', 'a', 'a-b', 'a.b', 'zeta'])
    expect(here.modelCount).toBe(5)
  })

  it('is right until the first of its providers is not (CAT-183)', () => {
    const timed = (provider_id: string, fresh_until: number | null) =>
      shard([list('models_dev', [], { provider_id, fresh_until })])
    expect(makeSnapshot(1, [timed('a', NOW + HOUR), timed('b', null), timed('c', NOW + 1)]).validUntil).toBe(NOW + 1)
    expect(makeSnapshot(1, [timed('a', null)]).validUntil).toBeNull()
    expect(makeSnapshot(1, []).validUntil).toBeNull()
  })

  it('cannot be changed', () => {
    expect(Object.isFrozen(snapshot)).toBe(true)
    expect(Object.isFrozen(snapshot.shards)).toBe(true)
  })

  it('finds a model by exactly its ids (CAT-016)', () => {
    const here = snapshotOf([
      list(
        'config',
        MODEL_IDS.map((id) => stated(id)),
      ),
    ])
    for (const id of MODEL_IDS) expect(findModel(here, provider('acme'), id)?.model_id).toBe(id)
    expect(findModel(here, provider('acme'), model('m1 '))).toBeUndefined()
    expect(findModel(here, provider('nobody'), model('m1'))).toBeUndefined()
  })
})
