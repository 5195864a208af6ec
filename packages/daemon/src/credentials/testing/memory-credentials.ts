/** A store in memory for tests of what uses one. */
import { type CredentialStore, compareKeys, type StoredCredential, storedRef } from '../store/credential-store.ts'

export function memoryCredentials(...initial: readonly StoredCredential[]): CredentialStore {
  const all = new Map(initial.map((credential) => [storedRef(credential), credential]))
  return {
    engine: 'file',
    list: async () => [...all.values()].sort(compareKeys),
    get: async (key) => all.get(storedRef(key)) ?? null,
    put: async (credential) => void all.set(storedRef(credential), credential),
    remove: async (key) => all.delete(storedRef(key)),
  }
}
