import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type RunMemory, readMemory, rememberedIdentity, writeMemory } from './source-memory.ts'

const MEMORY: RunMemory = {
  asked: 'x',
  good: { identity: 'x', row_count: 3, shrunken: { set: 's', first_seen: 1, seen: 2 } },
  validators: { etag: '"1"' },
}

describe('what a run leaves for the next', () => {
  it('comes back from JSON as it was (CAT-176, CAT-181)', () => {
    expect(readMemory(JSON.parse(JSON.stringify(writeMemory(MEMORY))))).toEqual(MEMORY)
  })

  it('is nothing when it was never there or is of another form', () => {
    for (const stored of [null, {}, { asked: 1 }, { good: MEMORY.good }]) expect(readMemory(stored)).toBeNull()
  })

  it.each([
    [{ good: { identity: 1, row_count: 3 } }, { good: null }],
    [{ good: [] }, { good: null }],
    [{ good: { ...MEMORY.good, shrunken: { set: 1 } } }, { good: { identity: 'x', row_count: 3, shrunken: null } }],
    [{ validators: { etag: 1, last_modified: 'm' } }, { validators: { last_modified: 'm' } }],
    [{ validators: 'etag' }, { validators: {} }],
  ])('leaves out a part that is damaged: %j', (damaged, kept) => {
    expect(readMemory({ ...MEMORY, ...damaged })).toEqual({ ...MEMORY, ...kept })
  })

  it('never throws, whatever is stored', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom('asked', 'good', 'validators'), fc.jsonValue()),
        (stored) => void readMemory(stored),
      ),
    )
  })

  it('tells endpoints apart without holding them (CAT-076)', () => {
    const identity = rememberedIdentity({ identity: 'https://x.test/?key=canary' })
    expect(identity).not.toContain('canary')
    expect(identity).not.toBe(rememberedIdentity({ identity: 'https://y.test/?key=canary' }))
  })
})
