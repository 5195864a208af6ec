import { inspect } from 'node:util'
import { beforeEach, describe, expect, it } from 'vitest'
import { secretMaker } from '../../secret.ts'
import { at, secret, storedKey } from '../../testing/samples.ts'
import { credentialStoreCases } from '../credential-store.cases.ts'
import { KeychainCredentialStore } from './keychain-store.ts'
import { type FakeKeyring, fakeKeyring } from './testing/fake-keyring.ts'

credentialStoreCases('the keychain', () => {
  const keyring = fakeKeyring()
  const registered = new Set<string>()
  const open = () =>
    new KeychainCredentialStore(
      keyring,
      'signalbox',
      secretMaker((value) => registered.add(value)),
    )
  return { store: open(), reopen: open, registered, dispose: () => {} }
})

describe('the keychain', () => {
  let keyring: FakeKeyring
  let store: KeychainCredentialStore
  beforeEach(() => {
    keyring = fakeKeyring()
    store = new KeychainCredentialStore(keyring, 'signalbox', secret)
  })
  const problem = (name: string) => expect.objectContaining({ name: 'CredentialStoreError', problem: name })
  const plant = (account: string, password: string) => {
    const found = keyring.entries.get('signalbox') ?? new Map<string, string>()
    keyring.entries.set('signalbox', found.set(account, password))
  }

  it('that is locked says so in our words, and works again when it is unlocked', async () => {
    await store.put(storedKey('openai', 'x'))
    keyring.lock()
    for (const attempt of [
      () => store.list(),
      () => store.get(at('openai')),
      () => store.put(storedKey('openai', 'y')),
      () => store.remove(at('openai')),
    ]) {
      const error: unknown = await attempt().catch((thrown: unknown) => thrown)
      expect(error).toEqual(problem('unavailable'))
      expect(inspect(error, { depth: null, showHidden: true })).not.toContain('canary')
    }
    keyring.unlock()
    expect(await store.list()).toHaveLength(1)
  })

  it.each([
    ['no JSON', 'canary'],
    ['another form', '{"canary":1}'],
    [
      'the credential of another account',
      JSON.stringify({ ...at('groq'), kind: 'api_key', secret: 'canary', created_at: 1 }),
    ],
    ['nothing', ''],
  ])('with an entry that holds %s shows it and does not overwrite it (RTE-043)', async (_what, password) => {
    plant('openai/default', password)
    await store.put(storedKey('groq', 'fine'))
    expect(await store.list()).toEqual([
      { ...at('groq'), kind: 'api_key' },
      { ...at('openai'), kind: 'unreadable' },
    ])
    await expect(store.get(at('openai'))).rejects.toThrow(problem('unreadable'))
    await expect(store.put(storedKey('openai', 'new'))).rejects.toThrow(problem('unreadable'))
    expect(keyring.entries.get('signalbox')?.get('openai/default')).toBe(password)
    // Only whoever says so takes it away.
    expect(await store.remove(at('openai'))).toBe(true)
  })

  it.each(['', 'openai', '/default', 'OpenAI/default', 'openai/', 'openai/a/b', '../x'])(
    'passes over the account %j, which is not ours',
    async (account) => {
      plant(account, 'x')
      expect(await store.list()).toEqual([])
    },
  )

  it('of another service is not touched', async () => {
    await store.put(storedKey('openai', 'x'))
    expect(await new KeychainCredentialStore(keyring, 'another', secret).list()).toEqual([])
  })
})
