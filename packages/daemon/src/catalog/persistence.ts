/**
 * Writes what the catalog holds. The catalog lives in memory and the store follows it: when the disk is full or
 * read-only, reading goes on, the state says so, and the next write that works stores everything that was missed.
 */
import { recordKey } from '../store/record-key.ts'
import type { Store, StoreChange } from '../store/store.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'

type Removals = Required<Pick<StoreChange, 'removeLists' | 'removeStatusesOf' | 'removePublished'>>

const NO_REMOVALS: Removals = { removeLists: [], removeStatusesOf: [], removePublished: [] }

export class Persistence {
  readonly #store: Store
  readonly #telemetry: Telemetry
  #problem: string | null
  /** What the store still holds although it is gone here: no list of what there is tells it. */
  #missed = NO_REMOVALS

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

  /** Write `change`; after an earlier failure, write `everything` (the state after the change) instead. */
  commit(change: StoreChange, everything: () => StoreChange): void {
    const removals = both(this.#missed, change)
    try {
      this.#store.commit(this.#problem === null ? change : { ...everything(), ...removals })
    } catch (error) {
      // Expected: a full or read-only disk. Whatever it is, readers must not notice.
      this.#missed = removals
      this.#degrade(error instanceof Error ? error.message : String(error))
      return
    }
    this.#missed = NO_REMOVALS
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

function both(earlier: Removals, change: StoreChange): Removals {
  return {
    removeLists: [
      ...new Map(
        [...earlier.removeLists, ...(change.removeLists ?? [])].map((key) => [
          recordKey(key.source_id, key.provider_id),
          key,
        ]),
      ).values(),
    ],
    removeStatusesOf: [...new Set([...earlier.removeStatusesOf, ...(change.removeStatusesOf ?? [])])],
    removePublished: [...new Set([...earlier.removePublished, ...(change.removePublished ?? [])])],
  }
}
