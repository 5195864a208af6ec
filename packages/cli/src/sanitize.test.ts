import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { printable, printableJson } from './sanitize.ts'

const hostile = fc.string({
  unit: fc.oneof(
    fc.constantFrom('\u001b', '\u009b', '\u0007', '\r', '\u007f', '\u202e', '\n', '\t'),
    fc.string({ minLength: 1, maxLength: 1 }),
  ),
})

describe('text for a terminal', () => {
  it('shows escape sequences instead of obeying them (CAT-150)', () => {
    expect(printable('a\u001b[31mb\u009bc\rd\u202e')).toBe('a\\u001b[31mb\\u009bc\\u000dd\\u202e')
  })

  it('indents further lines, so that none can pass for one of ours (CAT-150)', () => {
    expect(printable('x\nhint: run this')).toBe('x\n  hint: run this')
  })

  it('holds nothing that a terminal obeys, whatever went in (CAT-150)', () => {
    fc.assert(fc.property(hostile, (text) => !/[\p{Cc}\u202e]/u.test(printable(text).replaceAll('\n', ''))))
  })

  it('keeps the value of JSON text while it escapes (CAT-150)', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const safe = printableJson(JSON.stringify({ text }))
        expect(JSON.parse(safe)).toEqual({ text })
        expect(safe).not.toMatch(/[\p{Cc}\u202e]/u)
      }),
    )
  })
})
