/** What every engine of stored credentials promises. Each engine's test file runs this suite. */
import { inspect } from 'node:util'
import type { ProviderId } from '@signalbox/contract/ids'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { at, storedKey, storedLogin } from '../testing/samples.ts'
import type { CredentialStore, StoredCredential } from './credential-store.ts'

export interface Engine {
  readonly store: CredentialStore
  /** Another one over the same place, as the next process would have. */
  reopen(): CredentialStore
  /** Values that were registered as secret so far. */
  readonly registered: ReadonlySet<string>
  dispose(): void
}

/** Plain, for comparing: secrets are equal to nothing but by their value. */
export const plain = (credential: StoredCredential | null) =>
  credential?.kind === 'oauth'
    ? { ...credential, access: credential.access.reveal(), refresh: credential.refresh?.reveal() ?? null }
    : credential && { ...credential, secret: credential.secret.reveal() }

export function credentialStoreCases(name: string, open: () => Engine): void {
  describe(`${name} as a credential store`, () => {
    let engine: Engine
    let store: CredentialStore
    beforeEach(() => {
      engine = open()
      store = engine.store
    })
    afterEach(() => {
      engine.dispose()
    })

    it('starts empty', async () => {
      expect(await store.list()).toEqual([])
      expect(await store.get(at('openai'))).toBeNull()
      expect(await store.remove(at('openai'))).toBe(false)
    })

    it('keeps keys and logins as they were given, also for the next process', async () => {
      const key = storedKey('openai', 'sk-1 ä\u{1f600}"\\\n')
      const login = storedLogin('anthropic', 123)
      const bare = { ...storedLogin('google', null), refresh: null }
      for (const credential of [key, login, bare]) await store.put(credential)
      for (const reader of [store, engine.reopen()]) {
        for (const credential of [key, login, bare]) {
          expect(plain(await reader.get(credential))).toEqual(plain(credential))
        }
      }
    })

    it('lists what there is, default first, without any value', async () => {
      for (const credential of [
        storedKey('openai', 'canary-1', 'z'),
        storedKey('openai', 'canary-2', 'a'),
        storedKey('openai', 'canary-3'),
        storedLogin('anthropic', 1),
      ]) {
        await store.put(credential)
      }
      const listed = await engine.reopen().list()
      expect(listed).toEqual([
        { ...at('anthropic'), kind: 'oauth' },
        { ...at('openai'), kind: 'api_key' },
        { ...at('openai', 'a'), kind: 'api_key' },
        { ...at('openai', 'z'), kind: 'api_key' },
      ])
      expect(inspect(listed, { depth: null, showHidden: true })).not.toContain('canary')
    })

    it('replaces what has the same name, and only that', async () => {
      await store.put(storedKey('openai', 'old'))
      await store.put(storedKey('openai', 'other', 'work'))
      await store.put(storedLogin('openai', 1, 'new'))
      expect(plain(await store.get(at('openai')))).toMatchObject({ kind: 'oauth', access: 'new' })
      expect(plain(await store.get(at('openai', 'work')))).toMatchObject({ secret: 'other' })
      expect(await store.list()).toHaveLength(2)
    })

    it('removes what it is asked to, and only that', async () => {
      await store.put(storedKey('openai', 'one'))
      await store.put(storedKey('openai', 'two', 'work'))
      expect(await store.remove(at('openai'))).toBe(true)
      expect(await store.remove(at('openai'))).toBe(false)
      expect(await engine.reopen().list()).toEqual([{ ...at('openai', 'work'), kind: 'api_key' }])
    })

    it('tells telemetry of every value that it reads (SEL-240)', async () => {
      await store.put(storedKey('openai', 'canary-key'))
      await store.put(storedLogin('anthropic', 1, 'canary-access'))
      const next = engine.reopen()
      await next.get(at('openai'))
      await next.get(at('anthropic'))
      expect([...engine.registered]).toEqual(expect.arrayContaining(['canary-key', 'canary-access', 'refresh-1']))
    })

    it('loses none of many writes at a time', async () => {
      const names = Array.from({ length: 10 }, (_, index) => `n${index}`)
      const other = engine.reopen()
      await Promise.all(
        names.map((each, index) => (index % 2 === 0 ? store : other).put(storedKey('openai', each, each))),
      )
      expect((await store.list()).map(({ name: each }) => each)).toEqual(names)
    })

    it.each(['', ' ', '/', 'a/b', '../x', '-a', 'a b', 'ä', 'x'.repeat(65), 'a\n', '\0'])(
      'refuses the name %j, and writes nothing',
      async (bad) => {
        await store.put(storedKey('openai', 'good'))
        const refused = expect.objectContaining({ problem: 'bad_name' })
        await expect(store.put(storedKey('openai', 'canary', bad))).rejects.toThrow(refused)
        expect(await store.get(at('openai', bad))).toBeNull()
        expect(await store.list()).toEqual([{ ...at('openai'), kind: 'api_key' }])
      },
    )

    it.each(['', 'OpenAI', 'a/b', '../x', ' '])('refuses the provider id %j, and writes nothing', async (bad) => {
      const credential = { ...storedKey('openai', 'canary'), provider_id: bad as ProviderId }
      await expect(store.put(credential)).rejects.toThrow(expect.objectContaining({ problem: 'bad_name' }))
      expect(await store.list()).toEqual([])
    })

    it('does what a map does, whatever the order of calls', { timeout: 60_000 }, async () => {
      const key = fc.record({ id: fc.constantFrom('openai', 'groq'), name: fc.constantFrom('default', 'a') })
      const action = fc.record({
        key,
        value: fc.option(fc.string({ unit: 'binary' }).filter((text) => text.isWellFormed())),
      })
      await fc.assert(
        fc.asyncProperty(fc.array(action, { maxLength: 6 }), async (actions) => {
          const fresh = open()
          try {
            const model = new Map<string, string>()
            for (const { key: on, value } of actions) {
              const slot = `${on.id}/${on.name}`
              if (value === null) expect(await fresh.store.remove(at(on.id, on.name))).toBe(model.delete(slot))
              else {
                await fresh.store.put(storedKey(on.id, value, on.name))
                model.set(slot, value)
              }
            }
            const next = fresh.reopen()
            const found = await Promise.all((await next.list()).map(async (each) => plain(await next.get(each))))
            const read = found.map((each) =>
              each && 'secret' in each ? [`${each.provider_id}/${each.name}`, each.secret] : [],
            )
            expect(new Map(read as [string, string][])).toEqual(model)
          } finally {
            fresh.dispose()
          }
        }),
        { numRuns: 20 },
      )
    })
  })
}
