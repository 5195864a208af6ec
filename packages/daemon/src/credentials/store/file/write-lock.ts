/** One writer at a time, in this process and others. The lock ends with its holder, however that ends. */
import { accessSync, constants } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { acquireLock, type InstanceLock } from '../../../platform/instance-lock.ts'
import { systemErrorCode } from '../../../platform/system-error.ts'
import { CredentialStoreError } from '../credential-store-error.ts'
import { UNWRITABLE } from './private-file.ts'

/** A write takes milliseconds; whoever needs longer hangs. */
const PATIENCE_MS = 10_000
const PAUSE_MS = 10

export type Exclusive = <T>(work: () => T) => Promise<T>

/** Work that needs the lock, one after the other in the order of the calls. */
export function exclusive(lockFile: string, patienceMs = PATIENCE_MS): Exclusive {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const run = async () => {
      using _lock = await acquire(lockFile, patienceMs)
      return work()
    }
    // A failure is told to its own caller; the next one in line runs all the same.
    const mine = last.then(run, run)
    last = mine
    return mine
  }
}

async function acquire(lockFile: string, patienceMs: number): Promise<InstanceLock> {
  const deadline = performance.now() + patienceMs
  for (;;) {
    const lock = tryLock(lockFile)
    if (lock !== null) return lock
    if (performance.now() >= deadline) throw new CredentialStoreError('busy')
    await wait(PAUSE_MS)
  }
}

/** SQLite's "read-only", "I/O error", "full" and "cannot open": even an empty lock writes a journal. */
const NO_LOCK_HERE: ReadonlySet<number> = new Set([8, 10, 13, 14])

function tryLock(lockFile: string): InstanceLock | null {
  try {
    // Asked first, so that a read-only home is found out before anything is open.
    accessSync(dirname(lockFile), constants.W_OK)
    return acquireLock(lockFile)
  } catch (error) {
    // Expected: the home is missing or takes no writes.
    const code = systemErrorCode(error)
    const sqlite = error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode : 0
    if (NO_LOCK_HERE.has(sqlite & 0xff) || (code !== null && UNWRITABLE.has(code))) {
      throw new CredentialStoreError('unwritable')
    }
    throw error
  }
}
