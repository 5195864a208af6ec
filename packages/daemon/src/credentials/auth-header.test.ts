import { describe, expect, it } from 'vitest'
import { withAuthHeader } from './auth-header.ts'
import type { Credential } from './resolve.ts'
import { at, secret } from './testing/samples.ts'

const { provider_id } = at('openai')
const key: Credential = { ref: 'env:X', provider_id, source: 'environment', kind: 'api_key', secret: secret('the-key') }
const none: Credential = { ref: 'kNoAuth', provider_id, source: 'none', kind: 'none', secret: null }

describe('the authorization header', () => {
  it('is added with auth_header, over a configured one in any case (SEL-103)', () => {
    expect(withAuthHeader({ 'x-a': '1', authorization: 'old', AUTHORIZATION: 'older' }, true, key)).toEqual({
      'x-a': '1',
      Authorization: 'Bearer the-key',
    })
  })

  it.each([
    ['without auth_header', false, key],
    ['without a credential', true, null],
    ['for a provider that takes none', true, none],
  ])('stays as configured %s (SEL-103)', (_when, authHeader, credential) => {
    expect(withAuthHeader({ Authorization: 'mine' }, authHeader, credential)).toEqual({ Authorization: 'mine' })
  })
})
