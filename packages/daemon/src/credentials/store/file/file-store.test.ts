import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { inspect } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { acquireLock } from '../../../platform/instance-lock.ts'
import { Secret, secretMaker } from '../../secret.ts'
import { at, secret, storedKey } from '../../testing/samples.ts'
import { credentialStoreCases, plain } from '../credential-store.cases.ts'
import { type CredentialFiles, credentialFiles, FileCredentialStore } from './file-store.ts'

const newHome = () => mkdtempSync(join(tmpdir(), 'signalbox-credentials-'))

credentialStoreCases('the file', () => {
  const home = newHome()
  const registered = new Set<string>()
  const open = () =>
    new FileCredentialStore(
      credentialFiles(home),
      secretMaker((value) => registered.add(value)),
    )
  return { store: open(), reopen: open, registered, dispose: () => rmSync(home, { recursive: true, force: true }) }
})

let home: string
let files: CredentialFiles
let store: FileCredentialStore
beforeEach(() => {
  home = newHome()
  files = credentialFiles(home)
  store = new FileCredentialStore(files, secret)
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const mode = (path: string) => statSync(path).mode & 0o777
const problem = (name: string) => expect.objectContaining({ name: 'CredentialStoreError', problem: name })
const isRoot = process.geteuid?.() === 0

describe('the credentials file', () => {
  it('and its key have mode 0600, and the file holds no value in any spelling', async () => {
    const value = 'canary-value-in-the-file'
    await store.put(storedKey('openai', value))
    expect([mode(files.file), mode(files.keyFile), mode(files.lockFile)]).toEqual([0o600, 0o600, 0o600])
    const bytes = Buffer.concat(readdirSync(home).map((name) => readFileSync(join(home, name)))).toString('latin1')
    for (const spelling of [
      value,
      Buffer.from(value).toString('base64'),
      Buffer.from(value).toString('hex'),
      'openai',
    ]) {
      expect(bytes).not.toContain(spelling)
    }
  })

  it('is encrypted anew each time it is written', async () => {
    await store.put(storedKey('openai', 'same'))
    const first = JSON.parse(readFileSync(files.file, 'utf8'))
    await store.put(storedKey('openai', 'same'))
    const second = JSON.parse(readFileSync(files.file, 'utf8'))
    expect([second.nonce === first.nonce, second.data === first.data]).toEqual([false, false])
  })

  it('is closed to others when its mode, or that of its key, was wider', async () => {
    await store.put(storedKey('openai', 'x'))
    for (const file of [files.file, files.keyFile]) chmodSync(file, 0o664)
    expect(await store.list()).toHaveLength(1)
    expect([mode(files.file), mode(files.keyFile)]).toEqual([0o600, 0o600])
  })

  it('leaves nothing half-made beside it', async () => {
    writeFileSync(`${files.file}.tmp`, 'of a process that was killed', { mode: 0o644 })
    await store.put(storedKey('openai', 'x'))
    expect(readdirSync(home).sort()).toEqual(['credentials.json', 'credentials.key', 'credentials.lock'])
    expect(mode(files.file)).toBe(0o600)
  })
})

/** What can be wrong with the files. Each gets a home with one stored credential. */
const flip = (file: string, position: (length: number) => number) => {
  const bytes = readFileSync(file)
  const at = position(bytes.length)
  bytes[at] = (bytes[at] ?? 0) ^ 1
  writeFileSync(file, bytes)
}
const edit =
  (change: (envelope: Record<string, unknown>) => object) =>
  ({ file }: CredentialFiles) =>
    writeFileSync(file, JSON.stringify(change(JSON.parse(readFileSync(file, 'utf8')))))
const DAMAGE: Readonly<Record<string, (files: CredentialFiles) => void>> = {
  'an empty file': ({ file }) => truncateSync(file),
  'a file that was cut': ({ file }) => truncateSync(file, 100),
  'bytes that are not text': ({ file }) => writeFileSync(file, Buffer.alloc(500, 0xff)),
  'JSON of another form': ({ file }) => writeFileSync(file, '{"openai":"canary"}'),
  'a plain list': ({ file }) => writeFileSync(file, '[]'),
  'one changed bit': ({ file }) => flip(file, (length) => length - 10),
  'a newer version': edit((envelope) => ({ ...envelope, version: 2 })),
  'a short tag': edit((envelope) => ({ ...envelope, tag: Buffer.alloc(4).toString('base64') })),
  'another nonce': edit((envelope) => ({ ...envelope, nonce: Buffer.alloc(12).toString('base64') })),
  'no data': edit((envelope) => ({ ...envelope, data: '' })),
  'no key': ({ keyFile }) => unlinkSync(keyFile),
  'an empty key': ({ keyFile }) => truncateSync(keyFile),
  'another key': ({ keyFile }) => writeFileSync(keyFile, `${'A'.repeat(43)}\n`),
  'a key that is no key': ({ keyFile }) => writeFileSync(keyFile, 'canary, not a key at all, and of no use to us'),
  'a key that was cut': ({ keyFile }) => truncateSync(keyFile, 20),
}

describe('credentials that cannot be decrypted', () => {
  it.each(Object.entries(DAMAGE))(
    'by %s refuse every write, and the files stay as they are (RTE-043)',
    async (_what, damage) => {
      await store.put(storedKey('openai', 'canary'))
      damage(files)
      const before = [files.file, files.keyFile].map((file) => (existsSync(file) ? readFileSync(file) : null))
      const next = new FileCredentialStore(files, secret)
      for (const attempt of [
        () => next.put(storedKey('groq', 'new')),
        () => next.put(storedKey('openai', 'over the old one')),
        () => next.remove(at('openai')),
        () => next.get(at('openai')),
        () => next.list(),
      ]) {
        const error: unknown = await attempt().catch((thrown: unknown) => thrown)
        expect(error).toEqual(problem('unreadable'))
        expect(inspect(error, { depth: null, showHidden: true })).not.toContain('canary')
      }
      expect([files.file, files.keyFile].map((file) => (existsSync(file) ? readFileSync(file) : null))).toEqual(before)
    },
  )

  it('are there again, and can be written, once their key is back (RTE-043)', async () => {
    await store.put(storedKey('openai', 'kept'))
    renameSync(files.keyFile, `${files.keyFile}.away`)
    await expect(store.put(storedKey('groq', 'new'))).rejects.toThrow(problem('unreadable'))
    renameSync(`${files.keyFile}.away`, files.keyFile)
    await store.put(storedKey('groq', 'new'))
    expect((await store.list()).map(({ provider_id }) => provider_id)).toEqual(['groq', 'openai'])
  })
})

describe('a file that is not what it should be', () => {
  const unsafe = expect.objectContaining({ code: 'unsafe_path' })
  const replaceWith = (make: (path: string) => void) => async (path: string) => {
    await store.put(storedKey('openai', 'x'))
    unlinkSync(path)
    make(path)
  }
  const target = () => join(home, 'target')
  const ODD: Readonly<Record<string, (path: string) => void>> = {
    'a link': (path) => {
      writeFileSync(target(), 'somebody’s', { mode: 0o644 })
      symlinkSync(target(), path)
    },
    'a dangling link': (path) => symlinkSync(target(), path),
    'a directory': (path) => mkdirSync(path),
    'a pipe': (path) => execFileSync('mkfifo', [path]),
  }
  for (const which of ['file', 'keyFile'] as const) {
    it.each(Object.entries(ODD))(`is refused and left alone: %s in place of the ${which}`, async (_what, make) => {
      await replaceWith(make)(files[which])
      await expect(store.list()).rejects.toThrow(unsafe)
      await expect(store.put(storedKey('groq', 'new'))).rejects.toThrow(unsafe)
      if (existsSync(target())) {
        expect(readFileSync(target(), 'utf8')).toBe('somebody’s')
        expect(mode(target())).toBe(0o644)
      }
    })
  }

  it('is not written through a link where the next version is made', async () => {
    writeFileSync(target(), 'somebody’s')
    symlinkSync(target(), `${files.file}.tmp`)
    await store.put(storedKey('openai', 'x'))
    expect(readFileSync(target(), 'utf8')).toBe('somebody’s')
    expect(await store.list()).toHaveLength(1)
  })

  it.runIf(isRoot)('is refused when it belongs to another user', async () => {
    await store.put(storedKey('openai', 'x'))
    chownSync(files.file, 12345, 12345)
    await expect(store.list()).rejects.toThrow(unsafe)
  })

  it('is not read when it is huge, and stays', async () => {
    await store.put(storedKey('openai', 'x'))
    truncateSync(files.file, 3 * 2 ** 30)
    await expect(store.list()).rejects.toThrow(problem('too_large'))
    await expect(store.put(storedKey('groq', 'x'))).rejects.toThrow(problem('too_large'))
    expect(statSync(files.file).size).toBe(3 * 2 ** 30)
  })

  it('does not grow beyond what can be read again', async () => {
    await store.put(storedKey('openai', 'kept'))
    await expect(store.put(storedKey('groq', 'x'.repeat(5_000_000)))).rejects.toThrow(problem('too_large'))
    expect(plain(await store.get(at('openai')))).toMatchObject({ secret: 'kept' })
  })

  it('that cannot be written says so, and the old one stays', async () => {
    await store.put(storedKey('openai', 'kept'))
    // A directory of that name is in the way for root as well.
    mkdirSync(`${files.file}.tmp`)
    await expect(store.put(storedKey('groq', 'x'))).rejects.toThrow(problem('unwritable'))
    expect(await store.list()).toEqual([{ ...at('openai'), kind: 'api_key' }])
    rmSync(home, { recursive: true })
    await expect(store.put(storedKey('groq', 'x'))).rejects.toThrow(problem('unwritable'))
  })

  it.each(['full', 'read-only'])(
    'is whole, readable and unchanged after a write to a disk that is %s',
    async (scenario) => {
      // A real small disk, in a mount namespace of its own; whoever is not root becomes root of a user namespace.
      const unshare = ['--mount', ...(isRoot ? [] : ['--map-root-user'])]
      const mountAndRun = 'mount -t tmpfs -o size=256k none "$1" && exec "$2" "$3" "$4" "$1"'
      const program = join(import.meta.dirname, 'testing', 'disk.child.ts')
      const args = [...unshare, 'sh', '-c', mountAndRun, 'sh', home, process.execPath, program, scenario]
      expect(JSON.parse(execFileSync('unshare', args, { encoding: 'utf8' }))).toEqual({
        during: 'unwritable',
        same: true,
        readable: 1,
        after: 'stored',
        names: ['first', 'third'],
      })
    },
  )
})

describe('several processes', { timeout: 90_000 }, () => {
  const program = join(import.meta.dirname, 'testing', 'put-loop.child.ts')
  const running: ReturnType<typeof start>[] = []
  function start(prefix: string, count: number) {
    const child = spawn(process.execPath, [program, home, prefix, String(count)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    return { child, lines: createInterface({ input: child.stdout }), ended: once(child, 'close') }
  }
  const putLoop = (prefix: string, count: number) => {
    const process = start(prefix, count)
    running.push(process)
    return process
  }
  afterEach(async () => {
    for (const { child, ended } of running.splice(0)) {
      child.kill('SIGKILL')
      await ended
    }
  })

  it('that write at the same time lose nothing of each other, from the first write on', async () => {
    const loops = ['a', 'b'].map((prefix) => putLoop(prefix, 8))
    const codes = await Promise.all(loops.map(async ({ ended }) => (await ended)[0]))
    expect(codes).toEqual([0, 0])
    const names = (await store.list()).map(({ name }) => name)
    expect(names).toEqual(
      ['a', 'b'].flatMap((prefix) => Array.from({ length: 8 }, (_, index) => `${prefix}${index + 1}`)),
    )
  })

  it('of which one is killed while it writes leave the old or the new, whole, ten times in a row', async () => {
    for (let round = 0; round < 10; round++) {
      const { child, lines, ended } = putLoop('latest', 1_000_000)
      const goal = 1 + Math.floor(Math.random() * 15)
      let acknowledged = 0
      lines.on('line', (line) => {
        if (line.endsWith(';')) acknowledged = Number.parseInt(line, 10)
        // At a moment nobody chose within the next put.
        if (acknowledged >= goal) setTimeout(() => child.kill('SIGKILL'), Math.random() * 10)
      })
      const [, signal] = await ended
      expect(signal).toBe('SIGKILL')
      const kept = plain(await store.get(at('openai', 'latest')))
      if (kept === null || !('secret' in kept)) throw new Error('an acknowledged put was lost')
      expect([acknowledged, acknowledged + 1]).toContain(kept.created_at)
      expect(kept.secret === `${kept.created_at};`.repeat(20_000)).toBe(true)
      // The dead one's lock does not hold us up.
      await store.put(storedKey('groq', `round ${round}`))
    }
    expect(readdirSync(home).sort()).toEqual(['credentials.json', 'credentials.key', 'credentials.lock'])
  })

  it('of which one hangs with the lock make the other give up in time, and reads go on', async () => {
    await store.put(storedKey('openai', 'x'))
    using held = acquireLock(files.lockFile)
    expect(held).not.toBeNull()
    const hurried = new FileCredentialStore(files, (value) => new Secret(value, () => {}), 200)
    await expect(hurried.put(storedKey('groq', 'y'))).rejects.toThrow(problem('busy'))
    expect(await hurried.list()).toHaveLength(1)
    held?.release()
    await hurried.put(storedKey('groq', 'y'))
    expect(await hurried.list()).toHaveLength(2)
  })
})
