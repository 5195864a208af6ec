import { createHash } from 'node:crypto'
import { inspect } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createFingerprints } from './fingerprint.ts'
import { secret } from './testing/samples.ts'

describe('a fingerprint', () => {
  it('tells whether a value changed', () => {
    const of = createFingerprints()
    fc.assert(
      fc.property(fc.string(), fc.string(), (a, b) => {
        expect(of(secret(a)).equals(of(secret(b)))).toBe(a === b)
      }),
    )
  })

  it('of another process is another one, so that it is worth nothing when found', () => {
    expect(createFingerprints()(secret('key')).equals(createFingerprints()(secret('key')))).toBe(false)
  })

  it('shows neither the value nor a hash of it (SEL-240)', () => {
    const print = createFingerprints()(secret('literal-key'))
    const shown = [
      `${print}`,
      JSON.stringify(print),
      inspect(print, { showHidden: true }),
      inspect(Reflect.ownKeys(print)),
    ]
    expect(shown).toEqual(['[fingerprint]', '"[fingerprint]"', '[fingerprint]', '[]'])
    expect(shown.join()).not.toContain(createHash('sha256').update('literal-key').digest('hex'))
  })
})
