import { describe, expect, it } from 'vitest'
import { createRefresher, type Exchange, RefreshError } from './refresh.ts'
import type { CredentialStore, StoredOAuth } from './store/credential-store.ts'
import { CredentialStoreError } from './store/credential-store-error.ts'
import { memoryCredentials } from './testing/memory-credentials.ts'
import { at, secret, storedLogin } from './testing/samples.ts'

const NOW = 1_000_000_000
const HOUR = 3_600_000

/** A server that gives a new access token each time and counts. */
function server(...answers: readonly ('fail' | 'rotate')[]) {
  const seen: string[] = []
  const exchange: Exchange = async ({ refresh }) => {
    seen.push(refresh.reveal())
    const count = seen.length
    if (answers[count - 1] === 'fail') throw new RefreshError()
    const rotated = answers[count - 1] === 'rotate' ? secret(`refresh-${count + 1}`) : null
    return { access: secret(`access-${count + 1}`), refresh: rotated, expires_at: NOW + HOUR }
  }
  return { seen, exchange }
}
const told = async (answer: ReturnType<ReturnType<typeof createRefresher>['fresh']>) => {
  const fresh = await answer
  return fresh.kind === 'login' ? [fresh.access.reveal(), fresh.warning] : [fresh.kind]
}
const readLogin = async (store: CredentialStore): Promise<StoredOAuth> => {
  const found = await store.get(at('anthropic'))
  if (found?.kind !== 'oauth') throw new Error('no login is stored')
  return found
}

describe('a stored login', () => {
  it.each<[string, number | null, boolean]>([
    ['in the past', NOW - 1, true],
    ['right now', NOW, true],
    ['within the minute', NOW + 30_000, true],
    ['later', NOW + HOUR, false],
    ['never', null, false],
  ])('that ends %s is refreshed only if it has to be (SEL-100)', async (_when, expires_at, refreshed) => {
    const login = storedLogin('anthropic', expires_at)
    const { exchange, seen } = server()
    const refresher = createRefresher(memoryCredentials(login), exchange, () => NOW)
    expect(await told(refresher.fresh(login))).toEqual([refreshed ? 'access-2' : 'access-1', null])
    expect(seen).toEqual(refreshed ? ['refresh-1'] : [])
  })

  it('is refreshed once for concurrent callers, and stored (SEL-100)', async () => {
    const login = storedLogin('anthropic', NOW - 1)
    const store = memoryCredentials(login)
    const { exchange, seen } = server('rotate')
    const refresher = createRefresher(store, exchange, () => NOW)
    const answers = await Promise.all(Array.from({ length: 20 }, () => told(refresher.fresh(login))))
    expect(new Set(answers.map(([access]) => access))).toEqual(new Set(['access-2']))
    expect(seen).toHaveLength(1)
    const stored = await readLogin(store)
    expect([stored.access.reveal(), stored.refresh?.reveal(), stored.expires_at]).toEqual([
      'access-2',
      'refresh-2',
      NOW + HOUR,
    ])
    // One who still holds the old one gets the new one, not another.
    expect(await told(refresher.fresh(login))).toEqual(['access-2', null])
    expect(seen).toHaveLength(1)
  })

  it('keeps its refresh token where the server gives no new one (SEL-100)', async () => {
    const login = storedLogin('anthropic', NOW - 1)
    const store = memoryCredentials(login)
    await createRefresher(store, server().exchange, () => NOW).fresh(login)
    expect((await readLogin(store)).refresh?.reveal()).toBe('refresh-1')
  })

  it('that cannot be refreshed is used while it lasts, and not after', async () => {
    const soon = storedLogin('anthropic', NOW + 1_000)
    expect(
      await told(createRefresher(memoryCredentials(soon), server('fail').exchange, () => NOW).fresh(soon)),
    ).toEqual(['access-1', 'refresh_failed'])
    const past = storedLogin('anthropic', NOW - 1)
    const { exchange } = server('fail')
    const refresher = createRefresher(memoryCredentials(past), exchange, () => NOW)
    expect(await told(refresher.fresh(past))).toEqual(['refresh_failed'])
    // The failure is not remembered.
    expect(await told(refresher.fresh(past))).toEqual(['access-3', null])
  })

  it('without a refresh token has expired when it has', async () => {
    const login = { ...storedLogin('anthropic', NOW - 1), refresh: null }
    const refresher = createRefresher(memoryCredentials(login), server().exchange, () => NOW)
    expect(await told(refresher.fresh(login))).toEqual(['expired'])
  })

  it('that is removed or replaced while the server is asked stays removed or replaced', async () => {
    const login = storedLogin('anthropic', NOW - 1)
    const store = memoryCredentials(login)
    const { exchange } = server()
    const removing = createRefresher(
      store,
      async (old) => {
        await store.remove(old)
        return exchange(old)
      },
      () => NOW,
    )
    expect(await told(removing.fresh(login))).toEqual(['expired'])
    expect(await store.list()).toEqual([])

    await store.put(login)
    const newer = storedLogin('anthropic', NOW + HOUR, 'from-a-new-login')
    const replacing = createRefresher(
      store,
      async (old) => {
        await store.put(newer)
        return exchange(old)
      },
      () => NOW,
    )
    expect(await told(replacing.fresh(login))).toEqual(['from-a-new-login', null])
    expect((await readLogin(store)).access.reveal()).toBe('from-a-new-login')
  })

  it('that could not be stored is kept, and stored as soon as that is possible', async () => {
    const login = storedLogin('anthropic', NOW - 1)
    const memory = memoryCredentials(login)
    let full = true
    const put: CredentialStore['put'] = async (credential) => {
      if (full) throw new CredentialStoreError('unwritable')
      await memory.put(credential)
    }
    const { exchange, seen } = server('rotate')
    const refresher = createRefresher({ ...memory, put }, exchange, () => NOW)
    expect(await told(refresher.fresh(login))).toEqual(['access-2', 'not_saved'])
    expect(await told(refresher.fresh(login))).toEqual(['access-2', 'not_saved'])
    full = false
    expect(await told(refresher.fresh(login))).toEqual(['access-2', null])
    expect((await readLogin(memory)).refresh?.reveal()).toBe('refresh-2')
    expect(seen).toEqual(['refresh-1'])
  })

  it('does not hide a fault of ours as a failed refresh', async () => {
    const login = storedLogin('anthropic', NOW - 1)
    const broken = async () => {
      throw new TypeError('a bug')
    }
    await expect(createRefresher(memoryCredentials(login), broken, () => NOW).fresh(login)).rejects.toThrow('a bug')
  })
})
