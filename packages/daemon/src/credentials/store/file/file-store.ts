/**
 * Credentials in one encrypted file of mode 0600, under a key in a second file of mode 0600 beside it.
 *
 * What this protects from: a copy of the credentials file alone, such as a backup, a sync folder, a search index or a
 * `grep` that comes past; a change of it that goes unnoticed; a torn write.
 * What it does not protect from: anyone who can read both files, that is root and every program that runs as this user;
 * a copy of the whole home; a look into the memory of this process. Only the keychain of the system can do better.
 */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { MakeSecret } from '../../secret.ts'
import { decodeDocument, encodeDocument } from '../codec.ts'
import {
  type CredentialKey,
  type CredentialStore,
  compareKeys,
  requireKey,
  type StoredCredential,
  type StoredSummary,
  sameKey,
} from '../credential-store.ts'
import { CredentialStoreError } from '../credential-store-error.ts'
import { KEY_BYTES, seal, unseal } from './envelope.ts'
import { readPrivate, replacePrivate } from './private-file.ts'
import { type Exclusive, exclusive } from './write-lock.ts'

export interface CredentialFiles {
  readonly file: string
  readonly keyFile: string
  readonly lockFile: string
}

export const credentialFiles = (homeDir: string): CredentialFiles => ({
  file: join(homeDir, 'credentials.json'),
  keyFile: join(homeDir, 'credentials.key'),
  lockFile: join(homeDir, 'credentials.lock'),
})

const FILE_MAX = 4 * 1024 * 1024
const KEY_FILE_MAX = 256
const KEY_PATTERN = /^[A-Za-z0-9_-]{43}\n?$/

export class FileCredentialStore implements CredentialStore {
  readonly engine = 'file'
  readonly #files: CredentialFiles
  readonly #secret: MakeSecret
  readonly #exclusive: Exclusive

  constructor(files: CredentialFiles, secret: MakeSecret, lockPatienceMs?: number) {
    this.#files = files
    this.#secret = secret
    this.#exclusive = exclusive(files.lockFile, lockPatienceMs)
  }

  async list(): Promise<readonly StoredSummary[]> {
    return this.#read().map(({ provider_id, name, kind }) => ({ provider_id, name, kind }))
  }

  async get(key: CredentialKey): Promise<StoredCredential | null> {
    return this.#read().find((credential) => sameKey(credential, key)) ?? null
  }

  async put(credential: StoredCredential): Promise<void> {
    requireKey(credential)
    await this.#exclusive(() => {
      const others = this.#read().filter((other) => !sameKey(other, credential))
      this.#write([...others, credential])
    })
  }

  async remove(key: CredentialKey): Promise<boolean> {
    return await this.#exclusive(() => {
      const all = this.#read()
      const others = all.filter((credential) => !sameKey(credential, key))
      if (others.length === all.length) return false
      this.#write(others)
      return true
    })
  }

  /** Throws rather than take what cannot be read for empty: the next write would then be the end of it (RTE-043). */
  #read(): readonly StoredCredential[] {
    const sealed = readPrivate(this.#files.file, FILE_MAX)
    if (sealed === null) return []
    const key = this.#readKey()
    if (key === null) throw new CredentialStoreError('unreadable')
    return decodeDocument(unseal(sealed, key), this.#secret)
  }

  #write(credentials: readonly StoredCredential[]): void {
    const sealed = seal(encodeDocument(credentials.toSorted(compareKeys)), this.#readKey() ?? this.#createKey())
    if (Buffer.byteLength(sealed) > FILE_MAX) throw new CredentialStoreError('too_large')
    replacePrivate(this.#files.file, sealed)
  }

  #readKey(): Buffer | null {
    const text = readPrivate(this.#files.keyFile, KEY_FILE_MAX)?.toString('latin1')
    if (text === undefined) return null
    const key = Buffer.from(text.trim(), 'base64url')
    if (!KEY_PATTERN.test(text) || key.length !== KEY_BYTES) throw new CredentialStoreError('unreadable')
    return key
  }

  /** Only where there is no file that the lost key could have been for: `#read` has seen to that. */
  #createKey(): Buffer {
    const key = randomBytes(KEY_BYTES)
    replacePrivate(this.#files.keyFile, `${key.toString('base64url')}\n`)
    return key
  }
}
