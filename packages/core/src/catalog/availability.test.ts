import { UNKNOWN_REASONS } from '@signalbox/contract/model'
import { describe, expect, it } from 'vitest'
import { mergeModel } from './merge.ts'
import { FRESH, HOUR, NOW, row, WITH_STALE } from './testing/samples.ts'

const decided = (...rows: Parameters<typeof mergeModel>[0]) => {
  const { availability, stale } = mergeModel(rows, FRESH)
  return { available: availability.available, state: availability.state, reason: availability.reason, stale }
}

const LIVE = 'provider_live:acme'

describe.each([LIVE, 'extension:hub'])('a row of %s', (source_id) => {
  it('that is fresh and says true makes the model available_live (CAT-027)', () => {
    const expected = { available: true, state: 'available_live', reason: 'proven', stale: false }
    expect(decided(row(source_id, { available: true }))).toEqual(expected)
  })

  it('that is stale and says true makes it available_stale (CAT-028)', () => {
    const expected = { available: true, state: 'available_stale', reason: 'proven', stale: true }
    expect(decided(row(source_id, { available: true, stale: true }))).toEqual(expected)
  })

  it('that is fresh and says false makes it unavailable_live (CAT-029)', () => {
    const expected = { available: false, state: 'unavailable_live', reason: 'denied', stale: false }
    expect(decided(row(source_id, { available: false }))).toEqual(expected)
  })

  it('that is stale and says false makes it unavailable_stale (CAT-030)', () => {
    const expected = { available: false, state: 'unavailable_stale', reason: 'denied', stale: true }
    expect(decided(row(source_id, { available: false, stale: true }))).toEqual(expected)
  })

  it('that does not say decides nothing (CAT-031)', () => {
    expect(decided(row(source_id))).toMatchObject({ available: null, state: 'unknown' })
  })

  it.each(['denied', 'not_entitled', 'retired'] as const)(
    'gives its denial %s as the reason (CAT-159) (CAT-161)',
    (denial) => {
      expect(decided(row(source_id, { available: false, denial }))).toMatchObject({ available: false, reason: denial })
    },
  )

  it('is proven when it says true, whatever denial it also holds (CAT-161)', () => {
    expect(decided(row(source_id, { available: true, denial: 'retired' }))).toMatchObject({ reason: 'proven' })
  })
})

describe('the deciding row', () => {
  it.each([
    ['config', true],
    ['config', false],
    ['models_dev', true],
    ['models_dev', false],
    ['builtin', true],
    ['builtin', false],
  ] as const)('is never one of %s, even if that says %s (CAT-021)', (source_id, available) => {
    const unknown = { available: null, state: 'unknown', reason: 'not_probed', stale: false }
    expect(decided(row(source_id, { available }))).toEqual(unknown)
    expect(decided(row(source_id, { available }), row(LIVE, { available: !available }))).toMatchObject({
      available: !available,
    })
  })

  it('is missing for a model that is only curated and known: it stays unknown (CAT-031)', () => {
    expect(decided(row('config'), row('models_dev'))).toMatchObject({ available: null, state: 'unknown' })
  })

  it('is the live one before an extension’s, also when it is stale (CAT-032)', () => {
    const live = row(LIVE, { available: false, stale: true, refreshed_at: NOW - HOUR })
    expect(decided(row('extension:hub', { available: true }), live)).toMatchObject({ state: 'unavailable_stale' })
  })

  it('is an extension’s where the live one does not say (CAT-032)', () => {
    expect(decided(row(LIVE), row('extension:hub', { available: true }))).toMatchObject({ state: 'available_live' })
  })

  it('is the later of two extensions’ (CAT-032)', () => {
    const older = row('extension:a', { available: false, refreshed_at: NOW - 1 })
    expect(decided(older, row('extension:b', { available: true }))).toMatchObject({ available: true })
  })

  it('alone says whether the model is stale, whatever else is (CAT-033)', () => {
    const stale = row('models_dev', { stale: true, facts: { family: 'f' } })
    const live = row(LIVE, { available: true })
    expect(mergeModel([live, stale], WITH_STALE).stale).toBe(false)
    expect(mergeModel([{ ...live, stale: true }, row('builtin', { facts: { family: 'f' } })], FRESH).stale).toBe(true)
  })

  it('may be stale although fields come from fresh rows only (CAT-036)', () => {
    const live = row(LIVE, { available: true, stale: true, facts: { display_name: 'Live' } })
    const model = mergeModel([live, row('builtin', { facts: { display_name: 'Shipped' } })], FRESH)
    expect(model.facts.display_name).toBe('Shipped')
    expect(model.availability.evidence?.row).toBe(live)
  })

  it.each([FRESH, WITH_STALE])(
    'that is stale and said true is visible beside a fresh built-in row: %o (CAT-038)',
    (options) => {
      const live = row(LIVE, { available: true, stale: true, facts: { context_window: 9 } })
      const model = mergeModel([row('builtin'), live], options)
      expect(model.availability.state).toBe('available_stale')
      expect(model.stale).toBe(true)
      expect(model.facts.context_window).toBe(options.includeStale ? 9 : null)
    },
  )
})

describe('the reason where nothing decided', () => {
  it.each(UNKNOWN_REASONS)('is what the probe of the provider saw: %s (CAT-159) (CAT-161)', (probe) => {
    const { availability } = mergeModel([row('builtin')], { includeStale: false, probe })
    expect(availability).toEqual({ available: null, state: 'unknown', reason: probe, evidence: null })
  })

  it('is not_probed for a provider without a live source (CAT-162)', () => {
    expect(decided(row('config'), row('models_dev'), row('builtin'))).toMatchObject({
      state: 'unknown',
      reason: 'not_probed',
    })
  })

  it('does not show where a row decided (CAT-161)', () => {
    const { availability } = mergeModel([row(LIVE, { available: true })], { includeStale: false, probe: 'offline' })
    expect(availability.reason).toBe('proven')
  })

  it.each([true, false, null])(
    'and the availability %s do not change with a deprecated or retired lifecycle (CAT-161)',
    (available) => {
      const live = (lifecycle: 'active' | 'deprecated' | 'retired') =>
        decided(row(LIVE, { available, facts: { lifecycle } }))
      expect(live('deprecated')).toEqual(live('active'))
      expect(live('retired')).toEqual(live('active'))
    },
  )
})
