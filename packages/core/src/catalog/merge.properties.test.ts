import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canProve } from './availability.ts'
import { FIELDS, isMissing } from './facts.ts'
import { compareRows, type MergedModel, mergeModel, mergeProvider } from './merge.ts'
import { mergeOptionsArbitrary, modelRowsArbitrary, providerRowsArbitrary } from './testing/arbitraries.ts'
import { deepFreeze } from './testing/deep-freeze.ts'

const shuffled = providerRowsArbitrary.chain((rows) =>
  fc.tuple(fc.constant(rows), fc.shuffledSubarray(rows, { minLength: rows.length })),
)

/** Everything a rule may do to a value that no row holds as shown. */
function expectRuleHolds(model: MergedModel, field: (typeof FIELDS)[number]): void {
  const { row, rule } = model.origins[field]
  const { facts } = model
  if (rule === 'implied_by_efforts') {
    expect(field).toBe('supports_reasoning')
    expect(facts.supports_reasoning).toBe(true)
    expect(model.rows[row]?.facts.supports_reasoning).toBeNull()
    expect(model.rows[row]?.facts.reasoning_efforts?.length).toBeGreaterThan(0)
  } else if (rule === 'cleared_no_reasoning') {
    expect(facts.supports_reasoning).toBe(false)
    expect(facts[field]).toEqual(field === 'reasoning_efforts' ? [] : null)
  } else {
    expect(field).toBe('default_reasoning_effort')
    expect(facts.default_reasoning_effort).toBeNull()
    expect(facts.reasoning_efforts ?? []).not.toContain(model.rows[row]?.facts.default_reasoning_effort)
  }
}

describe('merge, for any rows', () => {
  it('does not depend on their order (CAT-022)', () => {
    fc.assert(
      fc.property(shuffled, mergeOptionsArbitrary, ([rows, others], options) => {
        expect(mergeProvider(others, options)).toEqual(mergeProvider(rows, options))
      }),
    )
  })

  it('is idempotent: the rows of what was merged merge to the same (CAT-022)', () => {
    fc.assert(
      fc.property(providerRowsArbitrary, mergeOptionsArbitrary, (rows, options) => {
        const once = mergeProvider(rows, options)
        expect(
          mergeProvider(
            once.flatMap((model) => model.rows),
            options,
          ),
        ).toEqual(once)
      }),
    )
  })

  it('modifies no input row (CAT-022)', () => {
    fc.assert(
      fc.property(providerRowsArbitrary, mergeOptionsArbitrary, (rows, options) => {
        const before = structuredClone(rows)
        mergeProvider(deepFreeze(rows), options)
        for (const model of mergeProvider(rows, options)) mergeModel(deepFreeze(model.rows.toReversed()), options)
        expect(rows).toEqual(before)
      }),
    )
  })

  it('loses no row and adds none: each is in the model of its id, in merge order (CAT-016) (CAT-017)', () => {
    fc.assert(
      fc.property(providerRowsArbitrary, mergeOptionsArbitrary, (rows, options) => {
        const models = mergeProvider(rows, options)
        expect(models.flatMap((model) => model.rows)).toHaveLength(rows.length)
        for (const model of models) {
          expect(model.rows).toEqual(rows.filter((row) => row.model_id === model.model_id).sort(compareRows))
        }
      }),
    )
  })

  it('names for every value a row that holds exactly it and none before it does, or the rule that made it (CAT-172)', () => {
    fc.assert(
      fc.property(modelRowsArbitrary, mergeOptionsArbitrary, (rows, options) => {
        const model = mergeModel(rows, options)
        const anyFresh = model.rows.some((row) => !row.stale)
        const usable = model.rows.filter((row) => options.includeStale || !anyFresh || !row.stale)
        for (const field of FIELDS) {
          const { row, rule } = model.origins[field]
          const first = usable.find((one) => !isMissing(one.facts[field]))
          if (rule !== null) expectRuleHolds(model, field)
          else if (row === -1) expect([model.facts[field], first]).toEqual([null, undefined])
          else {
            expect(model.facts[field]).toBe(model.rows[row]?.facts[field])
            expect(model.rows[row]).toBe(first)
          }
        }
      }),
      { numRuns: 500 },
    )
  })

  it('shows only efforts that one row states in that order, or none (CAT-020) (CAT-025)', () => {
    fc.assert(
      fc.property(modelRowsArbitrary, mergeOptionsArbitrary, (rows, options) => {
        const { facts } = mergeModel(rows, options)
        const { reasoning_efforts, default_reasoning_effort } = facts
        if (reasoning_efforts !== null && reasoning_efforts.length > 0) {
          expect(rows.map((row) => row.facts.reasoning_efforts)).toContainEqual(reasoning_efforts)
        }
        if (default_reasoning_effort !== null) {
          expect(reasoning_efforts).toContain(default_reasoning_effort)
          expect(rows.map((row) => row.facts.default_reasoning_effort)).toContain(default_reasoning_effort)
        }
        if (facts.supports_reasoning === false) expect(reasoning_efforts).toEqual([])
      }),
    )
  })

  it('decides availability from live and extension rows only, and the same with and without stale fields (CAT-021) (CAT-036)', () => {
    fc.assert(
      fc.property(modelRowsArbitrary, mergeOptionsArbitrary, (rows, options) => {
        const { availability } = mergeModel(rows, options)
        const silenced = rows.map((row) => (canProve(row) ? row : { ...row, available: null }))
        expect(mergeModel(silenced, options).availability).toEqual(availability)
        expect(mergeModel(rows, { ...options, includeStale: !options.includeStale }).availability).toEqual(availability)
        expect(availability.available).toBe(availability.evidence?.row.available ?? null)
      }),
    )
  })

  it('compares rows in a total order (CAT-017)', () => {
    fc.assert(
      fc.property(modelRowsArbitrary, (rows) => {
        for (const a of rows) {
          for (const b of rows) {
            expect(Math.sign(compareRows(a, b)) + Math.sign(compareRows(b, a))).toBe(0)
            expect(compareRows(a, b) === 0).toBe(a === b)
            for (const c of rows) {
              if (compareRows(a, b) < 0 && compareRows(b, c) < 0) expect(compareRows(a, c)).toBeLessThan(0)
            }
          }
        }
      }),
    )
  })
})
