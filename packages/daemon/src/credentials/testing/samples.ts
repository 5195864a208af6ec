/** Secrets and stored credentials for tests. */
import { ProviderId } from '@signalbox/contract/ids'
import { Secret } from '../secret.ts'
import type { CredentialKey, StoredKey, StoredOAuth } from '../store/credential-store.ts'

export const provider = (id: string): ProviderId => ProviderId.parse(id)
export const secret = (value: string): Secret => new Secret(value, () => {})
export const at = (id: string, name = 'default'): CredentialKey => ({ provider_id: provider(id), name })

export const storedKey = (id: string, value: string, name = 'default'): StoredKey => ({
  ...at(id, name),
  kind: 'api_key',
  secret: secret(value),
  created_at: 1,
})

export const storedLogin = (id: string, expires_at: number | null, value = 'access-1'): StoredOAuth => ({
  ...at(id),
  kind: 'oauth',
  access: secret(value),
  refresh: secret('refresh-1'),
  expires_at,
  created_at: 1,
})
