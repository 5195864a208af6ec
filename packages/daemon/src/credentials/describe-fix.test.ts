import { type CredentialStep, NO_AUTH } from '@signalbox/contract/credentials'
import type { SourceId } from '@signalbox/contract/ids'
import { describe, expect, it } from 'vitest'
import { fixOf, type Stuck } from './describe-fix.ts'
import { at } from './testing/samples.ts'

const { provider_id } = at('openai')
const stuck: Stuck = {
  provider_id,
  credential: null,
  trace: [],
  variable: 'OPENAI_API_KEY',
  live: 'provider_live:openai' as SourceId,
}
const stored = (name: string): Stuck => ({
  ...stuck,
  credential: { ref: `stored:openai/${name}`, source: 'stored_key', kind: 'api_key' },
})
const fromEnvironment: Stuck = {
  ...stuck,
  credential: { ref: 'env:OPENAI_API_KEY', source: 'environment', kind: 'api_key' },
}
const unreadable = (ref: string | null): CredentialStep => ({
  source: 'stored_key',
  ref,
  outcome: 'skipped',
  reason: 'unreadable',
  message: null,
  warnings: [],
})

describe('the fix', () => {
  it('of a missing or rejected key is to store one, which goes before any other', () => {
    expect(fixOf('no_credential', stuck)).toBe('signalbox auth add openai')
    expect(fixOf('credential_rejected', fromEnvironment)).toBe('signalbox auth add openai')
  })

  it('of a rejected stored key is to replace that one', () => {
    expect(fixOf('credential_rejected', stored('default'))).toBe('signalbox auth add openai')
    expect(fixOf('credential_rejected', stored('work'))).toBe('signalbox auth add openai --name work')
  })

  it('is the environment while nothing can be stored', () => {
    const closed = { ...stuck, trace: [unreadable(null)] }
    expect(fixOf('no_credential', closed)).toBe('export OPENAI_API_KEY=…')
    expect(fixOf('no_credential', { ...closed, variable: null })).toBeNull()
  })

  it('is to store again where only one entry cannot be read', () => {
    const damaged = { ...stuck, trace: [unreadable('stored:openai/default')] }
    expect(fixOf('no_credential', damaged)).toBe('signalbox auth add openai')
  })

  it('of a provider that did not answer is to ask again', () => {
    for (const reason of ['provider_unreachable', 'rate_limited', 'not_probed'] as const)
      expect(fixOf(reason, fromEnvironment)).toBe('signalbox auth test openai')
  })

  it('is none where no command helps', () => {
    const unasked: Stuck = { ...stuck, credential: { ref: NO_AUTH, source: 'none', kind: 'none' }, live: null }
    expect(fixOf('not_probed', unasked)).toBeNull()
    for (const reason of ['source_disabled', 'offline'] as const) expect(fixOf(reason, stuck)).toBeNull()
  })
})
