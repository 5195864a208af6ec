/** What an SQLite or file system error means to us. */
import type { WriteFault } from '../store-write-error.ts'

export type Fault = WriteFault | 'corrupt'

/** What is in the file is not what we wrote, although SQLite may see nothing wrong. */
export class CorruptStoreError extends Error {
  override readonly name = 'CorruptStoreError'
}

/** By extended result code first, then by the primary one in its low byte: sqlite.org/rescode.html. */
const SQLITE_FAULTS: Readonly<Record<number, Fault>> = {
  1: 'corrupt', // ERROR: our constant SQL does not fit the schema
  3: 'read_only', // PERM
  8: 'read_only', // READONLY
  10: 'io', // IOERR
  11: 'corrupt', // CORRUPT
  13: 'full', // FULL
  14: 'io', // CANTOPEN
  24: 'corrupt', // FORMAT
  26: 'corrupt', // NOTADB
  522: 'corrupt', // IOERR_SHORT_READ: cut short
  1032: 'io', // READONLY_DBMOVED
  4874: 'full', // IOERR_SHMSIZE: no room for the -shm file
  5: 'io', // BUSY: another process holds it longer than the timeout
  6: 'io', // LOCKED
}

const ERRNO_FAULTS: Readonly<Record<string, Fault>> = {
  EACCES: 'read_only',
  EPERM: 'read_only',
  EROFS: 'read_only',
  ENOSPC: 'full',
  EDQUOT: 'full',
  EIO: 'io',
  EMFILE: 'io',
  ENFILE: 'io',
  ENOENT: 'io',
  ENOTDIR: 'io',
}

/** Null for an error that neither SQLite nor the file system raised, or that says our code is wrong. */
export function faultOf(error: unknown): Fault | null {
  if (error instanceof CorruptStoreError) return 'corrupt'
  if (!(error instanceof Error) || !('code' in error)) return null
  if (error.code === 'ERR_SQLITE_ERROR' && 'errcode' in error && typeof error.errcode === 'number') {
    return SQLITE_FAULTS[error.errcode] ?? SQLITE_FAULTS[error.errcode & 0xff] ?? null
  }
  return typeof error.code === 'string' ? (ERRNO_FAULTS[error.code] ?? null) : null
}
