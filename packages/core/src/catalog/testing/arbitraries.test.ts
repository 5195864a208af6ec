import { AVAILABILITY_STATES } from '@signalbox/contract/model'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FIELDS } from '../facts.ts'
import { mergeModel } from '../merge.ts'
import { mergeOptionsArbitrary, modelRowsArbitrary, providerRowsArbitrary } from './arbitraries.ts'

/** A property over rows that never differ proves nothing, so the arbitraries are themselves held to something. */
describe('arbitrary rows', () => {
  const sample = { seed: 1, numRuns: 500 }
  const models = fc
    .sample(fc.tuple(modelRowsArbitrary, mergeOptionsArbitrary), sample)
    .map(([rows, options]) => mergeModel(rows, options))

  it.each(FIELDS)('state %s, at times in a row that is not the first', (field) => {
    expect(models.some((model) => model.origins[field].row > 0 && model.facts[field] !== null)).toBe(true)
  })

  it('meet every rule, every availability and both staleness', () => {
    const origins = models.flatMap((model) => Object.values(model.origins))
    expect(new Set(origins.map((origin) => origin.rule))).toEqual(
      new Set([null, 'implied_by_efforts', 'cleared_no_reasoning', 'cleared_not_in_efforts']),
    )
    expect(new Set(models.map((model) => model.availability.state))).toEqual(new Set(AVAILABILITY_STATES))
    expect(new Set(models.map((model) => model.stale))).toEqual(new Set([true, false]))
  })

  it('of one provider meet in one model', () => {
    const most = fc.sample(providerRowsArbitrary, sample).map((rows) => {
      const sizes = Map.groupBy(rows, (row) => row.model_id)
        .values()
        .map((group) => group.length)
      return Math.max(0, ...sizes)
    })
    expect(Math.max(...most)).toBeGreaterThan(3)
  })
})
