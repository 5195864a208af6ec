/**
 * One daemon per home, decided by the kernel. The lock is an open exclusive SQLite transaction, that is a POSIX record
 * lock: it ends with the process however that ends, and no child process inherits it.
 *
 * Nothing else in the daemon may open the lock file: closing any descriptor of it would drop the lock.
 */
import { chmodSync, lstatSync, truncateSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { requireOurs } from './ownership.ts'

export interface InstanceLock extends Disposable {
  release(): void
}

/**
 * Not 0: contenders that start together each hold the read lock for a moment, and without a pause to let go of it all
 * of them could lose.
 */
const CONTENTION_MS = 100

const SQLITE_BUSY = 5
const SQLITE_NOTADB = 26

/** The lock, or null while another process holds it. */
export function acquireLock(file: string): InstanceLock | null {
  const stat = lstatSync(file, { throwIfNoEntry: false })
  if (stat !== undefined) requireOurs(file, stat, 'a regular file')

  let attempt = tryLock(file)
  if (attempt === 'not a database') {
    // It could be read, so nobody holds it. Emptied in place: a new file would not carry the lock of whoever is faster.
    truncateSync(file)
    attempt = tryLock(file)
  }
  if (attempt === 'held') return null
  if (attempt === 'not a database') throw new Error(`${file} is being written by something else`)

  const database = attempt
  try {
    chmodSync(file, 0o600)
  } catch (error) {
    // Expected: a disk that has become read-only. Without us the lock must not live on.
    database.close()
    throw error
  }
  const release = () => {
    if (database.isOpen) database.close()
  }
  return { release, [Symbol.dispose]: release }
}

function tryLock(file: string): DatabaseSync | 'held' | 'not a database' {
  const database = new DatabaseSync(file, { timeout: CONTENTION_MS })
  try {
    database.exec('BEGIN EXCLUSIVE')
    return database
  } catch (error) {
    database.close()
    // Expected: somebody holds it, or the file holds something else.
    const code = sqliteCode(error)
    if (code === SQLITE_BUSY) return 'held'
    if (code === SQLITE_NOTADB) return 'not a database'
    throw error
  }
}

/** The primary result code: the extended ones have it in their low byte. */
const sqliteCode = (error: unknown): number | null =>
  error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode & 0xff : null
