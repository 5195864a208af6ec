import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isDue, nextAfterFailure, nextAfterSuccess } from './schedule.ts'
import { HOUR, NOW } from './testing/samples.ts'

describe('after a failure', () => {
  it.each([
    [1, 60],
    [2, 120],
    [3, 240],
    [4, 480],
    [5, 960],
    [6, 1_920],
    [7, 3_600],
    [8, 3_600],
    [5_000, 3_600],
  ])('number %i in a row the source rests for %i s (CAT-186)', (failures, seconds) => {
    expect(nextAfterFailure(NOW, failures) - NOW).toBe(seconds * 1_000)
  })

  it('the source is not due until the pause is over (CAT-186)', () => {
    const record = { last_refresh: NOW, next_refresh: nextAfterFailure(NOW, 1) }
    expect(isDue(record, NOW)).toBe(false)
    expect(isDue(record, NOW + 59_999)).toBe(false)
    expect(isDue(record, NOW + 60_000)).toBe(true)
  })
})

describe('after a success', () => {
  it('the source is due at its TTL, up to a tenth earlier and never later (CAT-186)', () => {
    expect(nextAfterSuccess(NOW, HOUR, 0)).toBe(NOW + HOUR)
    fc.assert(
      fc.property(
        fc.integer({ min: 1_000, max: 24 * HOUR }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (ttl, random) => {
          const next = nextAfterSuccess(NOW, ttl, random) ?? Number.NaN
          expect(next).toBeGreaterThanOrEqual(NOW + Math.floor(ttl * 0.9))
          expect(next).toBeLessThanOrEqual(NOW + ttl)
          expect(Number.isInteger(next)).toBe(true)
        },
      ),
    )
  })

  it('chance spreads the sources over that tenth (CAT-186)', () => {
    expect(nextAfterSuccess(NOW, HOUR, 1)).toBe(NOW + HOUR * 0.9)
    expect(nextAfterSuccess(NOW, HOUR, 0.5)).toBe(NOW + HOUR * 0.95)
  })

  it('a source without a TTL has no next time', () => {
    expect(nextAfterSuccess(NOW, null, 0.5)).toBeNull()
  })
})

describe('a source is due', () => {
  it('when it was never asked, or has no planned time', () => {
    expect(isDue(null, NOW)).toBe(true)
    expect(isDue({ last_refresh: NOW, next_refresh: null }, NOW)).toBe(true)
  })

  it('when the clock jumped back behind its last refresh, so that it is not silent for years', () => {
    expect(isDue({ last_refresh: NOW + HOUR, next_refresh: NOW + 2 * HOUR }, NOW)).toBe(true)
  })
})
