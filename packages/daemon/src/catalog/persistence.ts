/**
 * Writes what the catalog holds. The catalog lives in memory and the store follows it: when the disk is full or
 * read-only, reading goes on, the state says so, and the next write that works stores everything that was missed.
 */
import type { Telemetry } from '../telemetry/telemetry.ts'
import type { Store, StoreChange } from '../store/store.ts'

export class Persistence {
  readonly #store: Store
  readonly #telemetry: Telemetry
  #problem: string | null

  constructor(store: Store, telemetry: Telemetry, problem: string | null) {
    this.#store = store
    this.#telemetry = telemetry
    this.#problem = problem
    if (problem !== null) telemetry.emit('store.degraded', { problem })
  }

  /** Why rows are kept in memory only, or null while they are stored. */
  get problem(): string | null {
    return this.#problem
  }

  /** Write `change`; after an earlier failure, write `everything` instead. */
  commit(change: StoreChange, everything: () => StoreChange): void {
    try {
      this.#store.commit(this.#problem === null ? change : everything())
    } catch (error) {
      // Expected: a full or read-only disk. Whatever it is, readers must not notice.
      this.#degrade(error instanceof Error ? error.message : String(error))
      return
    }
    if (this.#problem !== null) {
      this.#problem = null
      this.#telemetry.emit('store.recovered', {})
    }
  }

  close(): void {
    this.#store.close()
  }

  #degrade(problem: string): void {
    const isNew = this.#problem === null
    this.#problem = problem
    if (isNew) this.#telemetry.emit('store.degraded', { problem })
  }
}
