import { SignalboxError } from '@signalbox/contract/errors'

/** An answer that the list can do without: null where the call failed. */
export async function answerOrNull(answer: Promise<unknown>): Promise<unknown> {
  try {
    return await answer
  } catch (error) {
    // Expected: an older server without this path, or one that is busy. Anything else is a fault of ours.
    if (error instanceof SignalboxError && error.code === 'source_failed') return null
    throw error
  }
}
