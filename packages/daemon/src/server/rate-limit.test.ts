import { describe, expect, it } from 'vitest'
import { RateLimit } from './rate-limit.ts'

describe('a rate limit', () => {
  it('lets a burst pass and then so many a second (CAT-097)', () => {
    let now = 0
    const limit = new RateLimit(2, 3, () => now)
    const take = (times: number) => Array.from({ length: times }, () => limit.take())
    expect(take(4)).toEqual([true, true, true, false])
    now += 500
    expect(take(2)).toEqual([true, false])
    now += 60_000
    expect(take(4)).toEqual([true, true, true, false])
  })
})
