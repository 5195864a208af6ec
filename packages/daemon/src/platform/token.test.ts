import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { hashToken, loadOrCreateToken, tokenMatches } from './token.ts'

let dir: string
let file: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'signalbox-token-'))
  file = join(dir, 'token')
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

const mode = (path: string) => statSync(path).mode & 0o777
const unsafe = expect.objectContaining({ code: 'unsafe_path' })
const isRoot = process.geteuid?.() === 0

describe('the token', () => {
  it('is 256 random bits in a file of mode 0600 (CAT-198)', () => {
    const token = loadOrCreateToken(file)
    expect(Buffer.from(token, 'base64url')).toHaveLength(32)
    expect(readFileSync(file, 'utf8')).toBe(`${token}\n`)
    expect(mode(file)).toBe(0o600)
    expect(loadOrCreateToken(join(dir, 'other'))).not.toBe(token)
  })

  it('is the same at the next start (CAT-198)', () => {
    const token = loadOrCreateToken(file)
    expect(loadOrCreateToken(file)).toBe(token)
  })

  it('is kept, and its file closed to others, when the mode was wider (CAT-198)', () => {
    const token = loadOrCreateToken(file)
    chmodSync(file, 0o644)
    expect(loadOrCreateToken(file)).toBe(token)
    expect(mode(file)).toBe(0o600)
  })

  const BAD: Readonly<Record<string, string>> = {
    empty: '',
    blank: ' \n\n',
    'too short': 'abc',
    'cut off': 'A'.repeat(42),
    'two lines': `${'A'.repeat(43)}\n${'B'.repeat(43)}`,
    binary: '\u0000'.repeat(43),
    'not of the alphabet': `${'A'.repeat(43)}!`,
    huge: 'A'.repeat(100_000),
  }
  for (const [what, content] of Object.entries(BAD)) {
    it(`is replaced when the file is ${what}`, () => {
      writeFileSync(file, content, { mode: 0o644 })
      const token = loadOrCreateToken(file)
      expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/)
      expect(content).not.toContain(token)
      expect(loadOrCreateToken(file)).toBe(token)
      expect(mode(file)).toBe(0o600)
      expect(readdirSync(dir)).toEqual(['token'])
    })
  }

  it('is not read through a symbolic link, which stays untouched', () => {
    const target = join(dir, 'target')
    writeFileSync(target, 'A'.repeat(43), { mode: 0o644 })
    symlinkSync(target, file)
    expect(() => loadOrCreateToken(file)).toThrow(unsafe)
    expect(mode(target)).toBe(0o644)
  })

  it('is not created through a dangling link', () => {
    symlinkSync(join(dir, 'nowhere'), file)
    expect(() => loadOrCreateToken(file)).toThrow(unsafe)
    expect(readdirSync(dir)).toEqual(['token'])
  })

  it('is not a directory', () => {
    mkdirSync(file)
    expect(() => loadOrCreateToken(file)).toThrow(unsafe)
  })

  it.runIf(isRoot)('is not a file of another user', () => {
    writeFileSync(file, 'A'.repeat(43), { mode: 0o600 })
    chownSync(file, 12345, 12345)
    expect(() => loadOrCreateToken(file)).toThrow(unsafe)
  })
})

describe('comparing tokens', () => {
  it('accepts the same token only, of whatever length (CAT-198)', () => {
    const token = loadOrCreateToken(file)
    const hash = hashToken(token)
    expect(tokenMatches(hash, token)).toBe(true)
    for (const wrong of [
      '',
      token.slice(1),
      `${token}x`,
      token.toUpperCase(),
      `${token}\n`,
      'é'.repeat(43),
      'x'.repeat(100_000),
    ]) {
      expect(tokenMatches(hash, wrong)).toBe(false)
    }
  })
})
