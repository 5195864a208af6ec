import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareBytes } from './bytes.ts'

/** Any UTF-16, lone surrogates included, and many near the edges where UTF-16 and UTF-8 order part ways. */
const text = fc
  .array(fc.oneof(fc.integer({ min: 0, max: 0xffff }), fc.constantFrom(0x61, 0xd7ff, 0xd83d, 0xde00, 0xe000, 0xffff)), {
    maxLength: 6,
  })
  .map((units) => String.fromCharCode(...units))

describe('compareBytes', () => {
  it('orders as the UTF-8 bytes do, whatever the text (CAT-026)', () => {
    fc.assert(
      fc.property(text, text, text, (prefix, a, b) => {
        const [x, y] = [prefix + a, prefix + b]
        expect(Math.sign(compareBytes(x, y))).toBe(Buffer.compare(Buffer.from(x), Buffer.from(y)))
      }),
      { numRuns: 2_000 },
    )
  })

  it.each([
    ['Z', 'a', 'upper case first'],
    ['a', 'aa', 'a prefix first'],
    ['', 'a', 'the empty text first'],
    ['a-1', 'a.1', '"-" before "."'],
    ['\uE000', '\u{1F600}', 'a character above U+FFFF after the private ones, although its UTF-16 unit is lower'],
    ['\uFFFF', '\u{10000}', 'U+FFFF before U+10000'],
  ])('puts %j before %j: %s (CAT-026)', (first, second) => {
    expect(compareBytes(first, second)).toBeLessThan(0)
    expect(compareBytes(second, first)).toBeGreaterThan(0)
    expect(compareBytes(first, first)).toBe(0)
  })
})
