/**
 * A store whose file could not be opened for writing: it reads from memory, and each commit tries the file again. Until
 * that works a commit throws, so that nobody believes that rows are kept; the caller writes everything it missed.
 */
import type { MemoryStore } from '../memory/memory-store.ts'
import type { Store, StoreChange, StoredCatalog } from '../store.ts'
import { asWriteError, SqliteStore } from './sqlite-store.ts'

export class DetachedStore implements Store {
  readonly #file: string
  #inner: MemoryStore | SqliteStore
  #open = true

  constructor(file: string, memory: MemoryStore) {
    this.#file = file
    this.#inner = memory
  }

  load(): StoredCatalog {
    return this.#inner.load()
  }

  note(name: string): string | null {
    return this.#inner.note(name)
  }

  commit(change: StoreChange): void {
    if (!this.#open) throw new Error('the store is closed')
    this.#attached().commit(change)
  }

  close(): void {
    this.#open = false
    this.#inner.close()
  }

  #attached(): SqliteStore {
    if (this.#inner instanceof SqliteStore) return this.#inner
    try {
      this.#inner = SqliteStore.open(this.#file)
      return this.#inner
    } catch (error) {
      // Expected: the disk is as it was.
      throw asWriteError(error)
    }
  }
}
