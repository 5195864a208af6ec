import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalJson, escapeControls } from './canonical-json.ts'

describe('canonical JSON', () => {
  it('ends in one line feed and escapes no HTML (CAT-051)', () => {
    expect(canonicalJson({ b: '<&>', a: [1, null] }).toString()).toBe('{"b":"<&>","a":[1,null]}\n')
  })

  it('escapes every control character, and nothing beside them (CAT-150)', () => {
    expect(canonicalJson('\u001b\u007f\u0080\u009b\u009f\u00a0é©').toString()).toBe(
      '"\\u001b\\u007f\\u0080\\u009b\\u009f\u00a0é©"\n',
    )
  })

  it('means the same for any text and holds no control character (CAT-150)', () => {
    const text = fc.string({
      unit: fc.oneof(
        fc.constantFrom('\u007f', '\u0080', '\u009f', '\u00c2', '©', '"', '\\'),
        fc.string({ unit: 'binary' }),
      ),
    })
    fc.assert(
      fc.property(fc.dictionary(text, text), (value) => {
        const encoded = canonicalJson(value).toString()
        expect(JSON.parse(encoded)).toEqual(value)
        expect(encoded).not.toMatch(/[\u007f-\u009f]/)
      }),
    )
  })

  it('is the same buffer where nothing is to be escaped', () => {
    const plain = Buffer.from('{"a":"é"}')
    expect(escapeControls(plain)).toBe(plain)
  })
})
