/**
 * Logins that are still good when they are used: one that has expired, or soon will, is exchanged for a new one, once
 * for all who ask meanwhile, and the new one is stored before it is used.
 */
import type { Secret } from './secret.ts'
import { singleFlight } from './single-flight.ts'
import { type CredentialStore, type StoredOAuth, storedRef } from './store/credential-store.ts'
import { CredentialStoreError } from './store/credential-store-error.ts'

/** What an exchange throws when the authorization server says no or cannot be asked. It says nothing more. */
export class RefreshError extends Error {
  constructor() {
    super('the login could not be refreshed')
    this.name = 'RefreshError'
  }
}

export interface RefreshedTokens {
  readonly access: Secret
  /** Null where the server keeps the old one. */
  readonly refresh: Secret | null
  readonly expires_at: number | null
}

/** Asks the authorization server of the provider. */
export type Exchange = (login: StoredOAuth & { readonly refresh: Secret }) => Promise<RefreshedTokens>

export type FreshLogin =
  | { readonly kind: 'login'; readonly access: Secret; readonly warning: 'not_saved' | 'refresh_failed' | null }
  | { readonly kind: 'expired' | 'refresh_failed' }

export interface Refresher {
  /** The login, refreshed if it has to be. */
  fresh(login: StoredOAuth): Promise<FreshLogin>
}

type Login = Extract<FreshLogin, { readonly kind: 'login' }>
const good = ({ access }: StoredOAuth, warning: Login['warning'] = null): Login => ({ kind: 'login', access, warning })

/** A token that ends on its way is no use. */
const EARLY_MS = 60_000

export function createRefresher(store: CredentialStore, exchange: Exchange, now: () => number): Refresher {
  const once = singleFlight<FreshLogin>()
  /** Refreshed, and not stored as the store could not be written. A server that rotates tokens takes no other. */
  const unsaved = new Map<string, StoredOAuth>()

  const isDue = ({ expires_at }: StoredOAuth) => expires_at !== null && expires_at - EARLY_MS <= now()
  const hasEnded = ({ expires_at }: StoredOAuth) => expires_at !== null && expires_at <= now()

  async function save(login: StoredOAuth): Promise<FreshLogin> {
    try {
      await store.put(login)
      unsaved.delete(storedRef(login))
      return good(login)
    } catch (error) {
      // Expected: the store takes no writes now.
      if (!(error instanceof CredentialStoreError)) throw error
      unsaved.set(storedRef(login), login)
      return good(login, 'not_saved')
    }
  }

  async function stored(login: StoredOAuth): Promise<StoredOAuth | null> {
    const found = await store.get(login)
    return found?.kind === 'oauth' ? found : null
  }

  async function refresh(given: StoredOAuth): Promise<FreshLogin> {
    const before = await stored(given)
    // Removed while we were asked: it is not brought back.
    if (before === null) return { kind: 'expired' }
    const kept = unsaved.get(storedRef(given))
    const login = kept !== undefined && (kept.expires_at ?? 0) > (before.expires_at ?? 0) ? kept : before
    if (!isDue(login)) return login === kept ? await save(login) : good(login)
    if (login.refresh === null) return hasEnded(login) ? { kind: 'expired' } : good(login)
    try {
      const tokens = await exchange({ ...login, refresh: login.refresh })
      // Removed or replaced while the server was asked: what its user did last holds.
      const after = await stored(login)
      if (after === null) return { kind: 'expired' }
      if (!after.access.equals(before.access)) return good(after)
      return await save({ ...login, ...tokens, refresh: tokens.refresh ?? login.refresh })
    } catch (error) {
      // Expected: the server said no or did not answer.
      if (!(error instanceof RefreshError)) throw error
      return hasEnded(login) ? { kind: 'refresh_failed' } : good(login, 'refresh_failed')
    }
  }

  return {
    async fresh(login) {
      if (!isDue(login)) return good(login)
      return await once(storedRef(login), () => refresh(login))
    },
  }
}
