/**
 * Which engine holds the credentials of a home, decided once and remembered, so that a keychain that comes or goes never
 * makes credentials disappear:
 *
 * 1. what was asked for;
 * 2. the file, if it exists;
 * 3. the keychain, if it was chosen before: when it does not answer now, nothing is read or written elsewhere;
 * 4. the keychain, if it is there and keeps what it is given; 5. the file.
 */
import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import type { MakeSecret } from '../secret.ts'
import type { CredentialStore } from './credential-store.ts'
import { CredentialStoreError } from './credential-store-error.ts'
import { credentialFiles, FileCredentialStore } from './file/file-store.ts'
import { replacePrivate } from './file/private-file.ts'
import { KeychainCredentialStore } from './keychain/keychain-store.ts'
import { type Importer, type Keyring, loadKeyring } from './keychain/keyring.ts'

export interface OpenOptions {
  readonly homeDir: string
  readonly secret: MakeSecret
  /** `auto` unless the configuration says otherwise. */
  readonly engine?: 'auto' | CredentialStore['engine']
  /** Entries of the keychain are filed under it. */
  readonly service?: string
  readonly importer?: Importer
}

export interface OpenedStore {
  readonly store: CredentialStore
  /** One sentence for a person: where credentials are, and why there. */
  readonly explanation: string
}

const SERVICE = 'signalbox'
const MARKER = 'credentials.keychain'
const PROBE_ACCOUNT = 'probe'

export async function openCredentialStore(options: OpenOptions): Promise<OpenedStore> {
  const { homeDir, secret, engine = 'auto', service = SERVICE, importer = (name) => import(name) } = options
  const files = credentialFiles(homeDir)
  const marker = join(homeDir, MARKER)
  const inFile = (why: string): OpenedStore => ({
    store: new FileCredentialStore(files, secret),
    explanation: `Credentials are in ${files.file}, encrypted, with the key beside it: ${why}.`,
  })
  const inKeychain = (keyring: Keyring, why: string): OpenedStore => ({
    store: new KeychainCredentialStore(keyring, service, secret),
    explanation: `Credentials are in the keychain of this system: ${why}.`,
  })

  if (engine === 'file') return inFile('the configuration says so')
  const chosen = engine === 'keychain' || (!isThere(files.file) && isThere(marker))
  if (!chosen && isThere(files.file)) return inFile('they have been there before')

  const { keyring, problem } = await loadKeyring(importer)
  if (chosen) {
    const why = engine === 'keychain' ? 'the configuration says so' : 'they have been there before'
    if (keyring !== null) return inKeychain(keyring, why)
    const explanation = `Credentials are in the keychain of this system (${why}), which cannot be asked: ${problem}.`
    return { store: new UnavailableStore(), explanation }
  }
  if (keyring === null) return inFile(problem)
  if (!(await keepsEntries(keyring, service))) return inFile('this system has no keychain that answers')
  replacePrivate(marker, 'Credentials of this home are in the keychain of the system.\n')
  return inKeychain(keyring, 'there is one')
}

/** Whatever is in its place, a link too: it is refused when it is read, and never passed over. */
const isThere = (file: string): boolean => lstatSync(file, { throwIfNoEntry: false }) !== undefined

/**
 * An entry is written and must be found again. Not only asked for: without Secret Service the library falls back to the
 * kernel's memory on Linux, which cannot be listed and is empty after a restart.
 */
async function keepsEntries(keyring: Keyring, service: string): Promise<boolean> {
  const probe = `${service}-probe`
  try {
    const entry = new keyring.AsyncEntry(probe, PROBE_ACCOUNT)
    await entry.setPassword(PROBE_ACCOUNT)
    const found = await keyring.findCredentialsAsync(probe)
    await entry.deleteCredential()
    return found.some(({ account }) => account === PROBE_ACCOUNT)
  } catch {
    // Expected: no session bus, a locked keychain, a user who says no. The library has no codes.
    return false
  }
}

/** Stands where a keychain should be: nothing is taken for empty, and nothing is written anywhere else. */
class UnavailableStore implements CredentialStore {
  readonly engine = 'keychain'

  async list(): Promise<never> {
    throw new CredentialStoreError('unavailable')
  }

  async get(): Promise<never> {
    throw new CredentialStoreError('unavailable')
  }

  async put(): Promise<never> {
    throw new CredentialStoreError('unavailable')
  }

  async remove(): Promise<never> {
    throw new CredentialStoreError('unavailable')
  }
}
