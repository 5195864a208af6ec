/**
 * Credentials in the keychain of the system, one entry each: macOS Keychain, Windows Credential Manager, Secret Service.
 * The system decides who may read them, and may ask its user. Entries that are not of our form are shown and never
 * overwritten.
 */
import { ProviderId } from '@signalbox/contract/ids'
import type { MakeSecret } from '../../secret.ts'
import { decodeCredential, encodeCredential } from '../codec.ts'
import {
  type CredentialKey,
  type CredentialStore,
  compareKeys,
  isCredentialKey,
  requireKey,
  type StoredCredential,
  type StoredSummary,
  sameKey,
} from '../credential-store.ts'
import { CredentialStoreError } from '../credential-store-error.ts'
import type { Keyring } from './keyring.ts'

export class KeychainCredentialStore implements CredentialStore {
  readonly engine = 'keychain'
  readonly #keyring: Keyring
  readonly #service: string
  readonly #secret: MakeSecret

  /** Homes that share a service share their credentials. */
  constructor(keyring: Keyring, service: string, secret: MakeSecret) {
    this.#keyring = keyring
    this.#service = service
    this.#secret = secret
  }

  async list(): Promise<readonly StoredSummary[]> {
    const entries = await this.#asked(() => this.#keyring.findCredentialsAsync(this.#service))
    return entries
      .flatMap(({ account, password }) => {
        const key = keyOf(account)
        return key === null ? [] : [{ ...key, kind: this.#decode(key, password)?.kind ?? ('unreadable' as const) }]
      })
      .sort(compareKeys)
  }

  async get(key: CredentialKey): Promise<StoredCredential | null> {
    if (!isCredentialKey(key)) return null
    const password = await this.#asked(() => this.#entry(key).getPassword())
    if (password === null || password === undefined) return null
    const credential = this.#decode(key, password)
    if (credential === null) throw new CredentialStoreError('unreadable')
    return credential
  }

  async put(credential: StoredCredential): Promise<void> {
    requireKey(credential)
    // Throws when something is there that we cannot read: it is not ours to overwrite (RTE-043).
    await this.get(credential)
    await this.#asked(() => this.#entry(credential).setPassword(encodeCredential(credential)))
  }

  async remove(key: CredentialKey): Promise<boolean> {
    if (!isCredentialKey(key)) return false
    return await this.#asked(async () => {
      const entry = this.#entry(key)
      // Asked first: deleting what is not there is an error in some versions of the library.
      const password = await entry.getPassword()
      return password === null || password === undefined ? false : await entry.deleteCredential()
    })
  }

  #entry({ provider_id, name }: CredentialKey) {
    return new this.#keyring.AsyncEntry(this.#service, `${provider_id}/${name}`)
  }

  #decode(key: CredentialKey, password: string): StoredCredential | null {
    try {
      const credential = decodeCredential(password, this.#secret)
      return sameKey(credential, key) ? credential : null
    } catch (error) {
      // Expected: an entry that something else wrote under our name.
      if (error instanceof CredentialStoreError) return null
      throw error
    }
  }

  async #asked<T>(ask: () => Promise<T>): Promise<T> {
    try {
      return await ask()
    } catch {
      // Expected: locked, refused by its user, or gone. The library has no codes, and its words may hold anything.
      throw new CredentialStoreError('unavailable')
    }
  }
}

/** Provider ids have no slash, so the first one ends it. */
function keyOf(account: string): CredentialKey | null {
  const slash = account.indexOf('/')
  const provider = ProviderId.safeParse(account.slice(0, Math.max(slash, 0)))
  if (!provider.success) return null
  const key = { provider_id: provider.data, name: account.slice(slash + 1) }
  return isCredentialKey(key) ? key : null
}
