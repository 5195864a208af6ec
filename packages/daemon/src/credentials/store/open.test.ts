import { existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync, unlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { secret, storedKey } from '../testing/samples.ts'
import { credentialFiles, FileCredentialStore } from './file/file-store.ts'
import { type FakeKeyring, fakeKeyring } from './keychain/testing/fake-keyring.ts'
import { type OpenOptions, openCredentialStore } from './open.ts'

let home: string
let keyring: FakeKeyring
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'signalbox-open-'))
  keyring = fakeKeyring()
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const installed = async () => keyring
const locked = async () => {
  keyring.lock()
  return keyring
}
const missing = async () => {
  throw Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' })
}
const open = (importer: NonNullable<OpenOptions['importer']>, engine?: OpenOptions['engine']) =>
  openCredentialStore({ homeDir: home, secret, importer, ...(engine === undefined ? {} : { engine }) })
const unavailable = expect.objectContaining({ problem: 'unavailable' })

describe('where credentials are stored', () => {
  it('is the keychain where there is one, and nothing of the probe stays in it', async () => {
    const { store, explanation } = await open(installed)
    expect(store.engine).toBe('keychain')
    expect(explanation).toBe('Credentials are in the keychain of this system: there is one.')
    await store.put(storedKey('openai', 'x'))
    expect([...keyring.entries].map(([service, held]) => [service, [...held.keys()]])).toEqual([
      ['signalbox-probe', []],
      ['signalbox', ['openai/default']],
    ])
    expect(readdirSync(home)).toEqual(['credentials.keychain'])
  })

  it.each<[string, () => Promise<unknown>, RegExp]>([
    ['the package is not installed', missing, /is not installed or has no binary/],
    [
      'its binary is missing',
      async () => {
        throw new Error('Cannot find native binding')
      },
      /is not installed or has no binary/,
    ],
    ['it is of another version', async () => ({ Entry: class {} }), /not of a version that we know/],
    ['it is not a module', async () => null, /not of a version that we know/],
    ['it does not answer', locked, /no keychain that answers/],
    ['it forgets', async () => fakeKeyring({ forgetful: true }), /no keychain that answers/],
  ])('is the file, said with the reason, where %s', async (_what, importer, reason) => {
    const { store, explanation } = await open(importer)
    expect(store.engine).toBe('file')
    expect(explanation).toMatch(reason)
    expect(explanation).toContain(join(home, 'credentials.json'))
    expect(readdirSync(home)).toEqual([])
    await store.put(storedKey('openai', 'x'))
    expect(existsSync(join(home, 'credentials.json'))).toBe(true)
  })

  it('stays the file when a keychain appears', async () => {
    await (await open(missing)).store.put(storedKey('openai', 'x'))
    const { store, explanation } = await open(installed)
    expect([store.engine, await store.list()]).toMatchObject(['file', [{ provider_id: 'openai' }]])
    expect(explanation).toContain('they have been there before')
  })

  it('stays the keychain when that goes away: nothing is read or written elsewhere (RTE-043)', async () => {
    await (await open(installed)).store.put(storedKey('openai', 'x'))
    const { store, explanation } = await open(missing)
    expect(explanation).toMatch(/in the keychain of this system \(they have been there before\), which cannot be asked/)
    for (const attempt of [
      () => store.list(),
      () => store.get(storedKey('openai', 'x')),
      () => store.put(storedKey('openai', 'x')),
      () => store.remove(storedKey('openai', 'x')),
    ]) {
      await expect(attempt()).rejects.toThrow(unavailable)
    }
    expect(readdirSync(home)).toEqual(['credentials.keychain'])
    expect(await (await open(installed)).store.list()).toHaveLength(1)
  })

  it('is what the configuration says', async () => {
    const inFile = await open(installed, 'file')
    expect([inFile.store.engine, inFile.explanation]).toEqual([
      'file',
      expect.stringContaining('the configuration says so'),
    ])
    await new FileCredentialStore(credentialFiles(home), secret).put(storedKey('openai', 'x'))
    expect((await open(installed, 'keychain')).store.engine).toBe('keychain')
    const { store } = await open(missing, 'keychain')
    await expect(store.put(storedKey('openai', 'y'))).rejects.toThrow(unavailable)
  })

  it('is not decided by a link in the place of the file', async () => {
    symlinkSync(join(home, 'nowhere'), join(home, 'credentials.json'))
    const { store } = await open(installed)
    await expect(store.list()).rejects.toThrow(expect.objectContaining({ code: 'unsafe_path' }))
    unlinkSync(join(home, 'credentials.json'))
    expect((await open(installed)).store.engine).toBe('keychain')
  })

  it('does not hide a fault in loading', async () => {
    const broken = async () => {
      throw Object.assign(new Error('x'), { code: 'EIO' })
    }
    await expect(open(broken)).rejects.toThrow('x')
  })
})
