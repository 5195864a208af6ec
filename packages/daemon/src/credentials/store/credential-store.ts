/**
 * The port of stored credentials. It holds and decides nothing: which one is used is `resolve.ts`. Every engine passes
 * `credential-store.cases.ts`.
 */
import type { ProviderId } from '@signalbox/contract/ids'
import { PROVIDER_ID_PATTERN } from '@signalbox/contract/ids'
import type { Secret } from '../secret.ts'
import { CredentialStoreError } from './credential-store-error.ts'

/** A provider may have several, told apart by name. */
export interface CredentialKey {
  readonly provider_id: ProviderId
  readonly name: string
}

export interface StoredKey extends CredentialKey {
  readonly kind: 'api_key'
  /** The key, or a command reference (`!cmd …`). */
  readonly secret: Secret
  /** Epoch milliseconds, as all times here. */
  readonly created_at: number
}

export interface StoredOAuth extends CredentialKey {
  readonly kind: 'oauth'
  readonly access: Secret
  readonly refresh: Secret | null
  readonly expires_at: number | null
  readonly created_at: number
}

export type StoredCredential = StoredKey | StoredOAuth

/** What may be shown of one. `unreadable`: it is there, and what it holds is not of our form. */
export interface StoredSummary extends CredentialKey {
  readonly kind: StoredCredential['kind'] | 'unreadable'
}

export interface CredentialStore {
  readonly engine: 'keychain' | 'file'
  /** By provider, each with `default` first and then by name. */
  list(): Promise<readonly StoredSummary[]>
  get(key: CredentialKey): Promise<StoredCredential | null>
  /** Whole or not at all; once it returns, it is kept. Refused while what is there cannot be read. */
  put(credential: StoredCredential): Promise<void>
  /** Whether there was one. */
  remove(key: CredentialKey): Promise<boolean>
}

export const DEFAULT_NAME = 'default'
const NAME_PATTERN = /^[A-Za-z0-9][A-Za-z0-9._@+-]{0,63}$/

export const isCredentialKey = ({ provider_id, name }: CredentialKey): boolean =>
  PROVIDER_ID_PATTERN.test(provider_id) && NAME_PATTERN.test(name)

/** Engines call this before anything is written under a key. */
export function requireKey(key: CredentialKey): void {
  if (!isCredentialKey(key)) throw new CredentialStoreError('bad_name')
}

/** How a stored credential is referred to everywhere. */
export const storedRef = ({ provider_id, name }: CredentialKey): string => `stored:${provider_id}/${name}`

export const sameKey = (a: CredentialKey, b: CredentialKey): boolean =>
  a.provider_id === b.provider_id && a.name === b.name

/** Keys are ASCII, so comparing units is comparing bytes. */
export function compareKeys(a: CredentialKey, b: CredentialKey): number {
  if (a.provider_id !== b.provider_id) return a.provider_id < b.provider_id ? -1 : 1
  if (a.name === b.name) return 0
  if (a.name === DEFAULT_NAME || b.name === DEFAULT_NAME) return a.name === DEFAULT_NAME ? -1 : 1
  return a.name < b.name ? -1 : 1
}
