import { PROVIDER_ID_PATTERN, REQUEST_ID_PATTERN, sourceKindOf } from '@signalbox/contract/ids'
import { LIMIT_MAX as CONTRACT_LIMIT } from '@signalbox/contract/queries'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LIMIT_MAX, PROVIDER_ID, REQUEST_ID, SOURCE_ID, splitModel } from './values.ts'

describe('the CLI’s copies of the contract’s rules', () => {
  it('are the same patterns and limits', () => {
    expect(PROVIDER_ID).toEqual(PROVIDER_ID_PATTERN)
    expect(REQUEST_ID).toEqual(REQUEST_ID_PATTERN)
    expect(LIMIT_MAX).toBe(CONTRACT_LIMIT)
  })

  it('take the same source ids', () => {
    const kind = fc.constantFrom('config', 'models_dev', 'builtin', 'provider_live', 'extension', 'acp_session')
    const slug = fc.stringMatching(/^[a-z0-9._:A-Z -]{0,6}$/)
    const id = fc.oneof(
      kind,
      fc.tuple(kind, slug).map((parts) => parts.join(':')),
      fc.string(),
    )
    fc.assert(
      fc.property(id, (text) => SOURCE_ID.test(text) === (sourceKindOf(text) !== null)),
      { numRuns: 1000 },
    )
  })
})

describe('splitModel', () => {
  it('splits at the first slash and leaves the rest as it is (CAT-170)', () => {
    expect(splitModel('openrouter/qwen/Qwen3:free@x')).toEqual({ provider: 'openrouter', model: 'qwen/Qwen3:free@x' })
    expect(splitModel('llama.cpp//m')).toEqual({ provider: 'llama.cpp', model: '/m' })
  })

  it('keeps every model id byte for byte (CAT-170)', () => {
    fc.assert(fc.property(fc.string({ minLength: 1 }), (model) => splitModel(`p/${model}`)?.model === model))
  })
})
