import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nextExpiry, rowsOf } from './rows.ts'
import { listArbitrary } from './testing/arbitraries.ts'
import { HOUR, list, NOW, provider, stated } from './testing/samples.ts'

const staleAt = (one: Parameters<typeof rowsOf>[0], now = NOW) => rowsOf(one, now).map((row) => row.stale)

const AGEING = ['models_dev', 'provider_live:acme', 'extension:hub']
const LASTING = ['config', 'builtin']

describe('the identity of a row', () => {
  it('is its source’s, whatever the row claims (CAT-012)', () => {
    const claims = { source_id: 'config', source_kind: 'config', priority: 999, provider_id: 'evil', stale: false }
    const claiming = { ...stated('m1'), ...claims }
    expect(rowsOf(list('extension:hub', [claiming], { failed: true }), NOW)).toEqual([
      expect.objectContaining({
        provider_id: 'acme',
        model_id: 'm1',
        source_id: 'extension:hub',
        source_kind: 'extension',
        priority: 100,
        stale: true,
      }),
    ])
  })

  it('takes the provider it enriches, and the time of its list unless it has its own', () => {
    const rows = rowsOf(list('models_dev', [stated('a'), stated('b', { refreshed_at: 5 })]), NOW, provider('codex'))
    expect(rows.map((row) => [row.provider_id, row.refreshed_at])).toEqual([
      ['codex', NOW],
      ['codex', 5],
    ])
  })
})

describe('a row is stale', () => {
  it.each(AGEING)('when the last refresh of %s failed (CAT-035)', (id) => {
    expect(staleAt(list(id, [stated('m1')]))).toEqual([false])
    expect(staleAt(list(id, [stated('m1')], { failed: true }))).toEqual([true])
  })

  it.each(AGEING)('when the TTL of %s passed, without any refresh, at that very moment (CAT-183) (CAT-035)', (id) => {
    const one = list(id, [stated('m1')], { fresh_until: NOW + HOUR })
    expect(staleAt(one, NOW + HOUR - 1)).toEqual([false])
    expect(staleAt(one, NOW + HOUR)).toEqual([true])
  })

  it('when its extension says so (CAT-035)', () => {
    expect(staleAt(list('extension:hub', [stated('m1', { declared_stale: true }), stated('m2')]))).toEqual([
      true,
      false,
    ])
  })

  it.each(LASTING)('never, when it is of %s (CAT-035) (CAT-184)', (id) => {
    const rows = [stated('m1', { declared_stale: true, expires_at: NOW - 1 })]
    const one = list(id, rows, { failed: true, fresh_until: NOW - 1 })
    expect(staleAt(one)).toEqual([false])
    expect(nextExpiry(one, NOW - HOUR)).toBeNull()
  })

  it('by its own expires_at before the TTL of its list, in an extension (CAT-184)', () => {
    const rows = [
      stated('early', { expires_at: NOW + 5 }),
      stated('late', { expires_at: NOW + 2 * HOUR }),
      stated('none'),
    ]
    const one = list('extension:hub', rows)
    expect(staleAt(one, NOW + 5)).toEqual([true, false, false])
    expect(staleAt(one, NOW + HOUR)).toEqual([true, false, true])
    expect(rowsOf(one, NOW).map((row) => row.expires_at)).toEqual([NOW + 5, NOW + 2 * HOUR, NOW + HOUR])
  })

  it.each(['models_dev', 'provider_live:acme'])('by the TTL of its list alone in %s (CAT-184)', (id) => {
    const one = list(id, [stated('m1', { expires_at: NOW - 1 })])
    expect(staleAt(one)).toEqual([false])
    expect(rowsOf(one, NOW)[0]?.expires_at).toBe(NOW + HOUR)
  })

  it('never by age in a list without a TTL (CAT-184)', () => {
    const one = list('models_dev', [stated('m1')], { fresh_until: null })
    expect(staleAt(one, NOW + 1_000 * HOUR)).toEqual([false])
    expect(nextExpiry(one, NOW)).toBeNull()
  })
})

describe('the next expiry', () => {
  it('is the earliest moment still to come (CAT-183)', () => {
    const one = list('extension:hub', [
      stated('past', { expires_at: NOW - 1 }),
      stated('next', { expires_at: NOW + 7 }),
    ])
    expect(nextExpiry(one, NOW)).toBe(NOW + 7)
    expect(nextExpiry(one, NOW + 7)).toBe(NOW + HOUR)
    expect(nextExpiry(one, NOW + HOUR)).toBeNull()
  })

  it('is none for a list that failed: it is stale already', () => {
    expect(nextExpiry(list('models_dev', [stated('m1')], { failed: true }), NOW)).toBeNull()
  })

  it('comes no later than any change of a row, for any list (CAT-183)', () => {
    const moment = fc.integer({ min: NOW - 2_000, max: NOW + 2_000 })
    fc.assert(
      fc.property(listArbitrary('acme'), moment, moment, (one, now, later) => {
        const next = nextExpiry(one, now)
        fc.pre(later >= now && (next === null || later < next))
        expect(staleAt(one, later)).toEqual(staleAt(one, now))
      }),
      { numRuns: 500 },
    )
  })
})
