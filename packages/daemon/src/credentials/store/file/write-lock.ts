/** One writer at a time, in this process and others. The lock ends with its holder, however that ends. */
import { setTimeout as wait } from 'node:timers/promises'
import { acquireLock, type InstanceLock } from '../../../platform/instance-lock.ts'
import { CredentialStoreError } from '../credential-store-error.ts'

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
    const lock = acquireLock(lockFile)
    if (lock !== null) return lock
    if (performance.now() >= deadline) throw new CredentialStoreError('busy')
    await wait(PAUSE_MS)
  }
}
