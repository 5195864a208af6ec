/** A keyring in memory with the library's surface, for tests. */
import type { Keyring } from '../keyring.ts'

export interface FakeKeyring extends Keyring {
  /** By service, then account. */
  readonly entries: Map<string, Map<string, string>>
  /** Every call fails from now on, with words that must not get out. */
  lock(): void
  unlock(): void
}

/** `forgetful` keeps entries that it cannot list, as the kernel's keyring does. */
export function fakeKeyring({ forgetful = false } = {}): FakeKeyring {
  const entries = new Map<string, Map<string, string>>()
  let locked = false
  const of = (service: string) => {
    if (locked) throw new Error('Platform secure storage failure: canary')
    const found = entries.get(service) ?? new Map<string, string>()
    entries.set(service, found)
    return found
  }
  class AsyncEntry {
    readonly service: string
    readonly account: string
    constructor(service: string, account: string) {
      this.service = service
      this.account = account
    }
    async setPassword(password: string) {
      of(this.service).set(this.account, password)
    }
    async getPassword() {
      return of(this.service).get(this.account)
    }
    async deleteCredential() {
      if (!of(this.service).delete(this.account)) throw new Error('No matching entry found in secure storage')
      return true
    }
  }
  return {
    entries,
    AsyncEntry,
    findCredentialsAsync: async (service) =>
      [...of(service)].map(([account, password]) => ({ account, password })).filter(() => !forgetful),
    lock: () => {
      locked = true
    },
    unlock: () => {
      locked = false
    },
  }
}
