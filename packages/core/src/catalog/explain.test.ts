import { Explanation } from '@signalbox/contract/explain'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { explainModel } from './explain.ts'
import { isMissing } from './facts.ts'
import { mergeModel } from './merge.ts'
import { projectModel } from './project.ts'
import { mergeOptionsArbitrary, modelRowsArbitrary } from './testing/arbitraries.ts'
import { FRESH, HOUR, NOW, row } from './testing/samples.ts'

const explain = (...rows: Parameters<typeof mergeModel>[0]) => explainModel(mergeModel(rows, FRESH), 7)
const fieldOf = (explanation: Explanation, name: string) => explanation.fields.find(({ field }) => field === name)

describe('an explanation of a field', () => {
  it('names its value, the winner and every loser’s value, stale ones included (CAT-168)', () => {
    const explained = explain(
      row('builtin', { facts: { display_name: 'Shipped' } }),
      row('models_dev', { facts: { display_name: 'Known' }, stale: true, refreshed_at: NOW - HOUR }),
      row('config', { facts: { display_name: 'Mine' } }),
      row('extension:hub'),
    )
    const at = '2026-05-07T18:32:11Z'
    expect(fieldOf(explained, 'display_name')).toEqual({
      field: 'display_name',
      value: 'Mine',
      winner: { source_id: 'config', refreshed_at: at, stale: false, value: 'Mine' },
      rule: null,
      losers: [
        { source_id: 'models_dev', refreshed_at: '2026-05-07T17:32:11Z', stale: true, value: 'Known' },
        { source_id: 'builtin', refreshed_at: at, stale: false, value: 'Shipped' },
      ],
    })
  })

  it('has no winner where nobody states it (CAT-168)', () => {
    expect(fieldOf(explain(row('config')), 'family')).toEqual({
      field: 'family',
      value: null,
      winner: null,
      rule: null,
      losers: [],
    })
  })

  it('names the field as it stands in the list (CAT-168)', () => {
    const explained = explain(row('models_dev', { facts: { cost_input_per_million: 0 } }))
    expect(fieldOf(explained, 'cost.input_per_million')).toMatchObject({ value: 0, winner: { value: 0 } })
  })

  it('names the rule that made a value which no row holds (CAT-168) (CAT-172)', () => {
    const cleared = explain(
      row('config', { facts: { supports_reasoning: false } }),
      row('models_dev', { facts: { reasoning_efforts: ['low'] } }),
    )
    expect(fieldOf(cleared, 'reasoning_efforts')).toMatchObject({
      value: [],
      winner: { source_id: 'models_dev', value: ['low'] },
      rule: expect.stringContaining('supports_reasoning is false'),
    })
    const implied = explain(row('models_dev', { facts: { reasoning_efforts: ['low'] } }))
    expect(fieldOf(implied, 'supports_reasoning')).toMatchObject({
      value: true,
      rule: expect.stringContaining('efforts'),
    })
  })

  it('shows for every merged field exactly the listed value, and every row that states it once (CAT-168) (CAT-172)', () => {
    fc.assert(
      fc.property(modelRowsArbitrary, mergeOptionsArbitrary, (rows, options) => {
        const merged = mergeModel(rows, options)
        const explained = Explanation.parse(explainModel(merged, 1))
        const shown = projectModel(merged)
        const listed: Readonly<Record<string, unknown>> = {
          ...shown,
          ...Object.fromEntries(Object.entries(shown.cost ?? {}).map(([name, value]) => [`cost.${name}`, value])),
        }
        for (const { field, value, winner, losers, rule } of explained.fields) {
          expect(value).toEqual(listed[field] ?? null)
          if (rule === null) expect(winner?.value ?? null).toEqual(value)
          const name = field.startsWith('cost.') ? `cost_${field.slice(5)}` : field
          const stating = merged.rows.filter((one) => !isMissing(one.facts[name as keyof typeof one.facts]))
          const told = [winner, ...losers].flatMap((one) => (one === null || one.value === null ? [] : [one.source_id]))
          expect(told.toSorted()).toEqual(stating.map((one) => one.source_id).toSorted())
        }
      }),
    )
  })
})

describe('an explanation of availability', () => {
  it('names the deciding row and its evidence, and the rows left out as stale (CAT-169)', () => {
    const live = row('provider_live:acme', { available: true, stale: true, expires_at: NOW })
    const explained = explain(live, row('extension:hub', { available: false }), row('config'))
    expect(explained).toMatchObject({ provider_id: 'acme', model_id: 'm1', generation: 7, stale: true })
    expect(explained.availability).toMatchObject({
      available: true,
      availability_state: 'available_stale',
      availability_reason: 'proven',
      availability_evidence: { source_id: 'provider_live:acme', expires_at: '2026-05-07T18:32:11Z', stale: true },
      decided_by: 'provider_live:acme',
    })
    expect(explained.availability.why).toBe(
      'provider_live:acme says available: true, the highest-ranking row that states it; that row is stale',
    )
    expect(explained.left_out).toMatchObject([
      { source_id: 'provider_live:acme', refreshed_at: '2026-05-07T18:32:11Z' },
    ])
  })

  it('says why none decided: nobody who could was asked (CAT-169)', () => {
    const { availability } = explain(row('config', { available: true }), row('builtin'))
    expect(availability).toMatchObject({ available: null, decided_by: null, availability_evidence: null })
    expect(availability.why).toContain('only a live or extension row can prove availability')
    expect(availability.why).toContain('config, builtin')
  })

  it('says why none decided: what the reason means (CAT-169)', () => {
    const model = mergeModel([row('builtin')], { includeStale: false, probe: 'not_listed' })
    expect(explainModel(model, 1).availability.why).toMatch(
      /^the provider’s own list does not have it.*stated by builtin$/,
    )
  })

  it('says why none decided: those who could do not say (CAT-169)', () => {
    expect(explain(row('extension:hub'), row('config')).availability.why).toBe('extension:hub does not say')
    expect(explain(row('extension:hub'), row('provider_live:acme')).availability.why).toBe(
      'provider_live:acme, extension:hub do not say',
    )
  })

  it('leaves no row out where all are stale, or none is (CAT-169)', () => {
    const stale = row('models_dev', { stale: true })
    expect(explain(stale).left_out).toEqual([])
    expect(explain(row('models_dev'), row('config')).left_out).toEqual([])
    expect(explain(stale, row('config')).left_out).toHaveLength(1)
  })
})
