import { Timestamp } from '@signalbox/contract/model'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rfc3339 } from './time.ts'

describe('rfc3339', () => {
  it('cuts to whole seconds and ends in Z (CAT-060)', () => {
    expect(rfc3339(Date.UTC(2026, 4, 7, 18, 32, 11, 999))).toBe('2026-05-07T18:32:11Z')
    expect(rfc3339(0)).toBe('1970-01-01T00:00:00Z')
  })

  it('reads back as the same second for every time of a four-digit year (CAT-060)', () => {
    fc.assert(
      fc.property(
        fc.date({
          min: new Date('0000-01-01T00:00:00Z'),
          max: new Date('9999-12-31T23:59:59.999Z'),
          noInvalidDate: true,
        }),
        (date) => {
          const text = Timestamp.parse(rfc3339(date.getTime()))
          expect(Date.parse(text)).toBe(Math.floor(date.getTime() / 1_000) * 1_000)
        },
      ),
    )
  })

  it('throws on a time that is none', () => {
    expect(() => rfc3339(Number.NaN)).toThrow(RangeError)
  })
})
