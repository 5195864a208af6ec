/** The bearer token of the TCP listener: 256 random bits in a file that only its owner can read. */
import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  openSync,
  readFileSync,
  renameSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import { permissions, requireOurs } from './ownership.ts'
import { systemErrorCode } from './system-error.ts'

const TOKEN_BYTES = 32
/** What we write has 43 characters; a longer one that somebody put there is as good. */
const TOKEN_PATTERN = /^[A-Za-z0-9_-]{43,512}$/
const TOKEN_FILE_MAX = 1024

/** The token in the file; where there is none that can be used, a new one. */
export function loadOrCreateToken(file: string): string {
  if (lstatSync(file, { throwIfNoEntry: false }) !== undefined) return readToken(file) ?? replaceToken(file)
  try {
    return writeNewToken(file)
  } catch (error) {
    // Expected: something appeared there since we looked.
    if (systemErrorCode(error) !== 'EEXIST') throw error
    return readToken(file) ?? replaceToken(file)
  }
}

/** What `tokenMatches` compares with, so that the token itself need not be kept. */
export const hashToken = (token: string): Buffer => hash('sha256', token, 'buffer')

/** In constant time, whatever the length of what was presented. */
export const tokenMatches = (expectedHash: Buffer, presented: string): boolean =>
  timingSafeEqual(expectedHash, hashToken(presented))

function readToken(file: string): string | null {
  requireOurs(file, lstatSync(file), 'a regular file')
  // Should it be swapped in between: no link is followed and no pipe is waited for, and what was opened is checked again.
  const fd = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const stat = fstatSync(fd)
    requireOurs(file, stat, 'a regular file')
    if ((permissions(stat) & 0o077) !== 0) fchmodSync(fd, 0o600)
    if (stat.size > TOKEN_FILE_MAX) return null
    const token = readFileSync(fd, 'utf8').trim()
    return TOKEN_PATTERN.test(token) ? token : null
  } finally {
    closeSync(fd)
  }
}

function writeNewToken(file: string): string {
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  const fd = openSync(file, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600)
  try {
    writeSync(fd, `${token}\n`)
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
  return token
}

/** By rename, so that a client never reads half a token. */
function replaceToken(file: string): string {
  const fresh = `${file}.${randomBytes(6).toString('hex')}.tmp`
  try {
    const token = writeNewToken(fresh)
    renameSync(fresh, file)
    return token
  } catch (error) {
    // Expected: a full or read-only disk. Only the half-made file is ours to take away.
    if (lstatSync(fresh, { throwIfNoEntry: false }) !== undefined) unlinkSync(fresh)
    throw error
  }
}
