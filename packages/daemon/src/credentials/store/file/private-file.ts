/** Files that only their owner can read, replaced as a whole. */
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
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { permissions, requireOurs } from '../../../platform/ownership.ts'
import { systemErrorCode } from '../../../platform/system-error.ts'
import { CredentialStoreError } from '../credential-store-error.ts'

/** Its bytes, or null when there is none. A mode that is too wide is tightened; what is not ours is refused. */
export function readPrivate(file: string, max: number): Buffer | null {
  const found = lstatSync(file, { throwIfNoEntry: false })
  if (found === undefined) return null
  requireOurs(file, found, 'a regular file')
  const fd = openPrivate(file)
  if (fd === null) return null
  try {
    // Should it have been swapped in between: no link was followed and no pipe waited for, and what was opened is checked.
    const stat = fstatSync(fd)
    requireOurs(file, stat, 'a regular file')
    if ((permissions(stat) & 0o077) !== 0) fchmodSync(fd, 0o600)
    if (stat.size > max) throw new CredentialStoreError('too_large')
    return readFileSync(fd)
  } finally {
    closeSync(fd)
  }
}

function openPrivate(file: string): number | null {
  try {
    return openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch (error) {
    // Expected: removed since we looked, or a mode without our own read bit.
    const code = systemErrorCode(error)
    if (code === 'ENOENT') return null
    if (code === 'EACCES') throw new CredentialStoreError('unreadable')
    throw error
  }
}

/** Codes of a place that takes no writes, or where something is in the way. */
export const UNWRITABLE: ReadonlySet<string> = new Set([
  'ENOSPC',
  'EDQUOT',
  'EROFS',
  'EACCES',
  'EPERM',
  'ENOENT',
  'EISDIR',
  'EIO',
])

/**
 * The old bytes or the new ones, whatever happens: written beside it, forced to the disk, renamed, and the rename
 * forced too. The caller holds the write lock, so what is left of an earlier attempt is nobody's.
 */
export function replacePrivate(file: string, bytes: string): void {
  const found = lstatSync(file, { throwIfNoEntry: false })
  if (found !== undefined) requireOurs(file, found, 'a regular file')
  const fresh = `${file}.tmp`
  try {
    removeIfThere(fresh)
    const fd = openSync(fresh, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, 0o600)
    try {
      writeFileSync(fd, bytes)
      fsyncSync(fd)
    } finally {
      closeSync(fd)
    }
    renameSync(fresh, file)
    syncDirectory(dirname(file))
  } catch (error) {
    // Expected: a disk that takes no more, or no writes.
    const code = systemErrorCode(error)
    if (code === null || !UNWRITABLE.has(code)) throw error
    throw new CredentialStoreError('unwritable')
  }
}

function removeIfThere(file: string): void {
  try {
    unlinkSync(file)
  } catch (error) {
    // Expected: there is none.
    if (systemErrorCode(error) !== 'ENOENT') throw error
  }
}

function syncDirectory(dir: string): void {
  const fd = openSync(dir, constants.O_RDONLY | constants.O_DIRECTORY)
  try {
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}
