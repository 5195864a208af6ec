import { SignalboxError } from '@signalbox/contract/errors'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseJson } from '../../http/parse-json.ts'
import { splitMembers } from './split.ts'

/** What the split means: every member parsed. Null where either step refuses. */
function viaSplit(text: string): readonly (readonly [string, unknown])[] | null {
  try {
    return [...splitMembers(text)].map(([key, value]) => [key, parseJson(value)])
  } catch (error) {
    if (error instanceof SignalboxError && error.code === 'source_failed') return null
    throw error
  }
}

/** What JSON.parse says, if it is an object. */
function viaParse(text: string): readonly (readonly [string, unknown])[] | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : null
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

const asObject = (members: ReturnType<typeof viaSplit>) => (members === null ? null : new Map(members))

describe('splitting a JSON object into members', () => {
  it.each([
    '{}',
    ' {\n} ',
    '{"a":1}',
    '{"a":{"b":"}"},"c":[1,{"d":"\\""}]}',
    '{"\\u0061\\n":"\\\\"}',
    '{"__proto__":{"x":1}}',
    '{"a" : true , "b":null}\n',
  ])('gives the members of %s', (text) => {
    expect(asObject(viaSplit(text))).toEqual(asObject(viaParse(text)))
    expect(viaSplit(text)).not.toBeNull()
  })

  it.each([
    '',
    ' ',
    '[]',
    '"a"',
    'null',
    '{',
    '{"a"',
    '{"a":',
    '{"a":1',
    '{"a":1,',
    '{"a":1,}',
    '{,}',
    '{"a":}',
    '{"a":1 2}',
    '{"a":[}]}',
    '{"a":[1}}',
    '{"a":"x}',
    '{"a":1}}',
    '{"a":1} x',
    '{a:1}',
    "{'a':1}",
    '{"a":1;"b":2}',
    '{"a\n":1}',
    '{"a":"\\x"}',
    '\u00a0{}',
  ])('refuses %j', (text) => {
    expect(viaParse(text)).toBeNull()
    expect(viaSplit(text)).toBeNull()
  })

  it('gives a repeated key twice, so that a repeated provider can be seen (CAT-155)', () => {
    expect([...splitMembers('{"a":1,"a":2}')]).toEqual([
      ['a', '1'],
      ['a', '2'],
    ])
  })

  it('agrees with JSON.parse on any object', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue()),
        fc.constantFrom(0, 1, '\t'),
        (value, indent) => {
          const text = JSON.stringify(value, null, indent)
          expect(asObject(viaSplit(text))).toEqual(asObject(viaParse(text)))
        },
      ),
    )
  })

  it('agrees with JSON.parse on objects with a piece cut out or put in', () => {
    const scrap = fc.string({ unit: fc.constantFrom(...'{}[]",:\\ \n1at'), maxLength: 3 })
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(), fc.nat(3), scrap, (value, at, cut, put) => {
        const text = JSON.stringify(value)
        const start = at % (text.length + 1)
        const damaged = text.slice(0, start) + put + text.slice(start + cut)
        expect(asObject(viaSplit(damaged))).toEqual(asObject(viaParse(damaged)))
      }),
      { numRuns: 2_000 },
    )
  })
})
