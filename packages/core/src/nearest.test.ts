import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nearest } from './nearest.ts'

describe('nearest', () => {
  const known = ['openai', 'openrouter', 'anthropic', 'ollama', 'xai']

  it.each([
    ['opnai', ['openai']],
    ['OPENAI', ['openai']],
    ['open', ['openai', 'openrouter']],
    ['my-ollama-box', ['ollama']],
    ['zzzzzz', []],
  ])('finds for %j the names %j, best first', (wanted, expected) => {
    expect(nearest(wanted, known)).toEqual(expected)
  })

  it('returns no more names than asked for, and the best of them', () => {
    const names = ['gpt-5-nano', 'gpt-5', 'gpt-5-mini', 'gpt-5.2']
    expect(nearest('gpt-5', names, 2)).toEqual(['gpt-5', 'gpt-5.2'])
  })

  it('breaks ties in byte order, so that the order of the known names does not show', () => {
    expect(nearest('abc', ['abd', 'aBc', 'abe', 'abc'])).toEqual(['aBc', 'abc', 'abd', 'abe'])
    expect(nearest('abc', ['abe', 'abc', 'abd', 'aBc'])).toEqual(['aBc', 'abc', 'abd', 'abe'])
  })

  it('never throws, invents nothing, and does not depend on the order of the known names', () => {
    const name = fc.string({ unit: 'grapheme', maxLength: 12 })
    const anyText = fc.string({ unit: 'binary', maxLength: 40 })
    fc.assert(
      fc.property(anyText, fc.uniqueArray(name), fc.nat(8), (wanted, names, most) => {
        const found = nearest(wanted, names, most)
        expect(found.length).toBeLessThanOrEqual(most)
        for (const one of found) expect(names).toContain(one)
        expect(nearest(wanted, names.toReversed(), most)).toEqual(found)
      }),
    )
  })

  it('copes with very long text', () => {
    expect(nearest('x'.repeat(10_000), ['y'.repeat(9_999), 'openai'])).toEqual([])
  })
})
