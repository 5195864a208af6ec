import { AddCredential, RemoveCredential } from '@signalbox/contract/auth'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isCredentialKey } from './store/credential-store.ts'
import { at } from './testing/samples.ts'

const { provider_id } = at('openai')
const nearlyName = fc.string({ unit: fc.constantFrom(...'aZ09._@+-/ é\n'), maxLength: 70 })

it('takes the names of credentials that the stores take, and no others', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), nearlyName), (name) => {
      const isStorable = isCredentialKey({ provider_id, name })
      expect(AddCredential.safeParse({ api_key: 'k', name }).success).toBe(isStorable)
      expect(RemoveCredential.safeParse({ name }).success).toBe(isStorable)
    }),
    { examples: [['default'], ['a'.repeat(64)], ['a'.repeat(65)], [''], ['__proto__']] },
  )
})
