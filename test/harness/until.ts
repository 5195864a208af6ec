/** Waiting with a deadline. Prefer an event; `until` is for things that tell nobody, such as a file that appears. */
import { setTimeout as pause } from 'node:timers/promises'

/** Below vitest's own limit, so that a test that waits in vain says for what. */
export const DEADLINE_MS = 10_000
const POLL_MS = 10

/**
 * Resolves with the first value of `condition` that is neither false, null nor undefined. An error that it throws ends
 * the wait.
 */
export async function until<T>(
  what: string,
  condition: () => T | Promise<T>,
  deadlineMs: number = DEADLINE_MS,
): Promise<Exclude<T, false | null | undefined>> {
  const end = performance.now() + deadlineMs
  for (;;) {
    const value = await condition()
    if (value !== false && value !== null && value !== undefined) return value as Exclude<T, false | null | undefined>
    if (performance.now() >= end) throw new Error(`Waited ${deadlineMs} ms in vain: ${what}`)
    await pause(POLL_MS)
  }
}

/** The promise's outcome, or an error that says what did not happen in time. */
export async function within<T>(what: string, promise: Promise<T>, deadlineMs: number = DEADLINE_MS): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`Waited ${deadlineMs} ms in vain: ${what}`)), deadlineMs)
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}
