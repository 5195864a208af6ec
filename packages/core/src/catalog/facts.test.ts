import type { Facts } from '@signalbox/contract/row'
import { describe, expect, it } from 'vitest'
import { FIELDS, isMissing, NO_FACTS } from './facts.ts'

describe('what counts as stated', () => {
  const missing: Facts[keyof Facts][] = [null, '', [], { input: [], output: [] }]
  it.each(missing)('takes %j for missing (CAT-019)', (value) => {
    expect(isMissing(value)).toBe(true)
  })

  const values: Facts[keyof Facts][] = [false, true, 0, 1, ' ', 'x', ['low'], { input: ['text'], output: [] }]
  it.each(values)('takes %j for a value (CAT-019)', (value) => {
    expect(isMissing(value)).toBe(false)
  })

  it('starts from facts that state nothing, in every field', () => {
    expect(FIELDS.filter((field) => NO_FACTS[field] !== null)).toEqual([])
    expect(Object.isFrozen(NO_FACTS)).toBe(true)
  })
})
