/**
 * Sources made anew, one swap after the other: a configuration, a credential or a local server changed. A read that comes
 * right after a change waits a moment for it, and no longer: a command that gives a key may take its time.
 */
import { setTimeout } from 'node:timers/promises'
import { SignalboxError } from '@signalbox/contract/errors'

const PATIENCE_MS = 500

export class SourceSwap {
  readonly #swap: () => Promise<void>
  readonly #onFault: (error: unknown) => void
  #last: Promise<void> = Promise.resolve()
  #waiting = 0
  /** When the first of those that wait or run began. */
  #since = 0

  constructor(swap: () => Promise<void>, onFault: (error: unknown) => void) {
    this.#swap = swap
    this.#onFault = onFault
  }

  /** Resolves when the sources are made of what is known now. Never rejects. */
  run(): Promise<void> {
    if (this.#waiting === 0) this.#since = performance.now()
    this.#waiting += 1
    this.#last = this.#last.then(() => this.#runNow())
    return this.#last
  }

  /** Whether a read need not wait. */
  get isSettled(): boolean {
    return this.#waiting === 0 || performance.now() - this.#since >= PATIENCE_MS
  }

  /** Resolves when all swaps asked for are done, or when a read has waited long enough. */
  async settle(): Promise<void> {
    await Promise.race([this.#last, setTimeout(PATIENCE_MS, undefined, { ref: false })])
  }

  async #runNow(): Promise<void> {
    try {
      await this.#swap()
    } catch (error) {
      // Expected: a file that is saved while the daemon stops.
      const isStopping = error instanceof SignalboxError && error.code === 'shutting_down'
      if (!isStopping) this.#onFault(error)
    } finally {
      this.#waiting -= 1
    }
  }
}
