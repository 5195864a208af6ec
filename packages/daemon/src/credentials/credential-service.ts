/** Credentials as the rest of the daemon sees them: which one a provider would be used with, and changing what is stored. */
import type { CredentialStep } from '@signalbox/contract/credentials'
import { SignalboxError } from '@signalbox/contract/errors'
import type { ProviderId } from '@signalbox/contract/ids'
import { runCommand } from './command.ts'
import { createCommandValues } from './command-values.ts'
import { createRefresher, RefreshError } from './refresh.ts'
import { type Credential, type CredentialProvider, type CredentialSources, resolveCredentials } from './resolve.ts'
import { type MakeSecret, type RegisterSecret, secretMaker } from './secret.ts'
import { type CredentialStore, DEFAULT_NAME, type StoredSummary } from './store/credential-store.ts'
import { CredentialStoreError } from './store/credential-store-error.ts'
import { openCredentialStore } from './store/open.ts'
import { type Environment, readValue } from './value.ts'

export interface CredentialServiceOptions {
  readonly homeDir: string
  readonly environment: Environment
  readonly register: RegisterSecret
  readonly now: () => number
}

export interface ProviderCredential {
  /** The one to use; null when there is none. */
  readonly credential: Credential | null
  readonly trace: readonly CredentialStep[]
}

export class CredentialService {
  /** One sentence for a person: where stored credentials are, and why there. */
  readonly storage: string
  readonly #store: CredentialStore
  readonly #secret: MakeSecret
  readonly #sources: CredentialSources
  readonly #now: () => number
  readonly #listeners = new Set<() => Promise<void>>()
  readonly #stop: AbortController

  static async open({ homeDir, environment, register, now }: CredentialServiceOptions): Promise<CredentialService> {
    const secret = secretMaker(register)
    const { store: opened, explanation } = await openCredentialStore({ homeDir, secret })
    const store = listedOnce(opened)
    const stop = new AbortController()
    const commands = createCommandValues((reference) =>
      runCommand(reference, { environment, directory: homeDir, secret, signal: stop.signal }),
    )
    // Nothing can log in yet, so no stored login knows how to be renewed; one that has expired says so.
    const refresher = createRefresher(store, () => Promise.reject(new RefreshError()), now)
    const sources: CredentialSources = {
      override: null,
      store,
      refresher,
      environment,
      command: (reference) => commands.value(reference),
      secret,
      want: 'first',
    }
    return new CredentialService(store, secret, sources, now, explanation, stop)
  }

  private constructor(
    store: CredentialStore,
    secret: MakeSecret,
    sources: CredentialSources,
    now: () => number,
    storage: string,
    stop: AbortController,
  ) {
    this.#store = store
    this.#secret = secret
    this.#sources = sources
    this.#now = now
    this.storage = storage
    this.#stop = stop
  }

  async resolve(provider: CredentialProvider): Promise<ProviderCredential> {
    const { credentials, trace } = await resolveCredentials(provider, this.#sources)
    return { credential: credentials[0] ?? null, trace }
  }

  /** What is stored, without its values; nothing while it cannot be read, which each provider's trace tells. */
  async stored(): Promise<readonly StoredSummary[]> {
    try {
      return await this.#store.list()
    } catch (error) {
      // Expected: it cannot be decrypted or asked, or a file of it is not ours.
      const isUnsafe = error instanceof SignalboxError && error.code === 'unsafe_path'
      if (isUnsafe || error instanceof CredentialStoreError) return []
      throw error
    }
  }

  /** Store a key, in place of one of the same name. */
  async add(provider_id: ProviderId, api_key: string, name: string = DEFAULT_NAME): Promise<void> {
    const read = readValue(api_key)
    if (read.kind !== 'value') {
      const expected = 'printable characters on one line'
      throw new SignalboxError('invalid_request', `the key is ${read.kind}`, { field: 'api_key', expected })
    }
    const secret = this.#secret(read.value)
    await told(this.#store.put({ kind: 'api_key', provider_id, name, secret, created_at: this.#now() }))
    await this.#tell()
  }

  /** Whether there was one. */
  async remove(provider_id: ProviderId, name: string = DEFAULT_NAME): Promise<boolean> {
    const removed = await told(this.#store.remove({ provider_id, name }))
    if (removed) await this.#tell()
    return removed
  }

  /** Called when what is stored changed; whoever changed it is answered when the listeners are done. */
  subscribe(listener: () => Promise<void>): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  close(): void {
    this.#stop.abort()
    this.#listeners.clear()
  }

  async #tell(): Promise<void> {
    await Promise.all([...this.#listeners].map((listener) => listener()))
  }
}

/** The list is read for every provider: once is enough until we change it, as nobody else does. A failure is not kept. */
function listedOnce(store: CredentialStore): CredentialStore {
  let listed: Promise<readonly StoredSummary[]> | null = null
  const list = async () => {
    try {
      return await store.list()
    } catch (error) {
      // Whatever it was: a keychain that is locked now may be open the next time.
      listed = null
      throw error
    }
  }
  // After it, too: who lists while it is written may have seen the old one.
  const changed = <T>(result: Promise<T>) => {
    listed = null
    return result.finally(() => {
      listed = null
    })
  }
  return {
    engine: store.engine,
    list: () => (listed ??= list()),
    get: (key) => store.get(key),
    put: (credential) => changed(store.put(credential)),
    remove: (key) => changed(store.remove(key)),
  }
}

/** The store's own problems, as errors that a client can be shown. */
async function told<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    // Expected: it cannot be decrypted or written now.
    if (error instanceof CredentialStoreError) throw new SignalboxError('credentials_unavailable', error.message)
    throw error
  }
}
