import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Home, locateHome, prepareHome, trustedRunPaths } from './home.ts'

let dir: string
let home: Home
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'sb-'))
  chmodSync(dir, 0o755)
  home = inDir(locateHome({ SIGNALBOX_HOME: join(dir, 'home') }))
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

/** The fallback in the test's own directory instead of the shared one. */
const inDir = (found: Home): Home => ({
  ...found,
  runDirs: found.runDirs.map((runDir) => (runDir.startsWith(dir) ? runDir : fallback())),
})
const fallback = () => join(dir, 'tmp', 'user', 'hash')

const mode = (path: string) => statSync(path).mode & 0o777
const unsafe = expect.objectContaining({ code: 'unsafe_path' })
const isRoot = process.geteuid?.() === 0

/** Root may write everywhere, so permission tests put that aside. */
function unprivileged<T>(run: () => T): T {
  if (!isRoot) return run()
  process.seteuid?.(65534)
  try {
    return run()
  } finally {
    process.seteuid?.(0)
  }
}

describe('locating the home', () => {
  it('takes SIGNALBOX_HOME, and ~/.signalbox when it is unset or empty', () => {
    expect(locateHome({ SIGNALBOX_HOME: '/x/y' }).dir).toBe('/x/y')
    expect(locateHome({}).dir).toMatch(/\/\.signalbox$/)
    expect(locateHome({ SIGNALBOX_HOME: '' }).dir).toBe(locateHome({}).dir)
  })

  it('has a socket path that fits the kernel, however long the home is and whatever TMPDIR says', () => {
    const long = locateHome({ SIGNALBOX_HOME: `/${'long/'.repeat(40)}`, TMPDIR: `/${'t'.repeat(100)}` })
    expect(long.runDirs).toHaveLength(1)
    expect(Buffer.byteLength(join(long.runDirs[0] ?? '', 'signalbox.sock'))).toBeLessThan(104)
    expect(long.runDirs).toEqual(locateHome({ SIGNALBOX_HOME: `/${'long/'.repeat(40)}` }).runDirs)
  })

  it('gives each home a fallback of its own', () => {
    expect(locateHome({ SIGNALBOX_HOME: '/a' }).runDirs[1]).not.toBe(locateHome({ SIGNALBOX_HOME: '/b' }).runDirs[1])
  })
})

describe('preparing the home', () => {
  it('makes the home and its run directory with mode 0700, and again changes nothing (CAT-199)', () => {
    const paths = prepareHome(home)
    const runDir = join(home.dir, 'run')
    expect(paths).toEqual({ runDir, socket: join(runDir, 'signalbox.sock'), lockFile: join(runDir, 'daemon.lock') })
    expect([mode(home.dir), mode(runDir)]).toEqual([0o700, 0o700])
    expect(prepareHome(home)).toEqual(paths)
    expect(existsSync(join(dir, 'tmp'))).toBe(false)
  })

  it('accepts a home with a wider mode or behind a link, and leaves the mode alone', () => {
    mkdirSync(join(dir, 'dotfiles'))
    chmodSync(join(dir, 'dotfiles'), 0o775)
    symlinkSync(join(dir, 'dotfiles'), home.dir)
    prepareHome(home)
    expect(mode(home.dir)).toBe(0o775)
    expect(mode(join(home.dir, 'run'))).toBe(0o700)
  })

  it('tightens a run directory that others can only read (CAT-199)', () => {
    mkdirSync(join(home.dir, 'run'), { recursive: true })
    chmodSync(join(home.dir, 'run'), 0o755)
    prepareHome(home)
    expect(mode(join(home.dir, 'run'))).toBe(0o700)
  })

  it('tightens a run directory that others can write, which clients do not trust before (CAT-199)', () => {
    mkdirSync(join(home.dir, 'run'), { recursive: true })
    chmodSync(join(home.dir, 'run'), 0o777)
    expect(trustedRunPaths(home)).toEqual([])
    const paths = prepareHome(home)
    expect(mode(join(home.dir, 'run'))).toBe(0o700)
    expect(trustedRunPaths(home)).toEqual([paths])
  })

  it('refuses a run directory that is a link or a file, and leaves it', () => {
    mkdirSync(home.dir)
    mkdirSync(join(dir, 'elsewhere'), { mode: 0o700 })
    symlinkSync(join(dir, 'elsewhere'), join(home.dir, 'run'))
    expect(() => prepareHome(home)).toThrow(unsafe)
    expect(trustedRunPaths(home)).toEqual([])
    expect(lstatSync(join(home.dir, 'run')).isSymbolicLink()).toBe(true)
    rmSync(join(home.dir, 'run'))
    writeFileSync(join(home.dir, 'run'), '')
    expect(() => prepareHome(home)).toThrow(unsafe)
  })

  it.runIf(isRoot)('refuses a run directory of another user (CAT-199)', () => {
    mkdirSync(join(home.dir, 'run'), { recursive: true, mode: 0o700 })
    chownSync(join(home.dir, 'run'), 12345, 12345)
    expect(() => prepareHome(home)).toThrow(unsafe)
    expect(trustedRunPaths(home)).toEqual([])
  })

  it('refuses a home that is a file', () => {
    writeFileSync(home.dir, 'precious')
    expect(() => prepareHome(home)).toThrow(unsafe)
  })

  it('uses the second candidate when the home cannot be written', () => {
    mkdirSync(home.dir, { mode: 0o555 })
    mkdirSync(join(dir, 'tmp'))
    chmodSync(join(dir, 'tmp'), 0o777)
    const paths = unprivileged(() => prepareHome(home))
    expect(paths.runDir).toBe(fallback())
    expect([mode(fallback()), mode(dirname(fallback()))]).toEqual([0o700, 0o700])
    expect(unprivileged(() => trustedRunPaths(home))).toEqual([paths])
  })

  it('uses the second candidate when the home cannot be made at all', () => {
    mkdirSync(join(dir, 'tmp'))
    chmodSync(join(dir, 'tmp'), 0o777)
    chmodSync(dir, 0o555)
    expect(unprivileged(() => prepareHome(home)).runDir).toBe(fallback())
  })

  it('tightens the parent of the fallback too: whoever can write it could swap what is inside', () => {
    mkdirSync(fallback(), { recursive: true, mode: 0o700 })
    chmodSync(dirname(fallback()), 0o777)
    const onlyFallback = { ...home, runDirs: [fallback()] }
    expect(trustedRunPaths(onlyFallback)).toEqual([])
    prepareHome(onlyFallback)
    expect(mode(dirname(fallback()))).toBe(0o700)
  })

  it('says which directories it tried when none can be written', () => {
    chmodSync(dir, 0o555)
    const attempt = () => unprivileged(() => prepareHome(home))
    expect(attempt).toThrow(expect.objectContaining({ code: 'daemon_unavailable' }))
    expect(attempt).toThrow(join(home.dir, 'run'))
    expect(attempt).toThrow(fallback())
  })
})
