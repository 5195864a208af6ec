/** The engine on disk: one SQLite file. */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { crc32 } from 'node:zlib'
import type { RowList, StatedRow } from '@signalbox/contract/row'
import { recordKey } from '../record-key.ts'
import type { Store, StoreChange, StoredCatalog } from '../store.ts'
import { StoreWriteError } from '../store-write-error.ts'
import { openDatabase } from './database.ts'
import { faultOf } from './faults.ts'
import { NO_PROVIDER, readCatalog } from './read-catalog.ts'
import { encodeRows } from './row-codec.ts'

const SQL = {
  removeList: 'DELETE FROM lists WHERE source_id = ? AND provider_id = ?',
  restampList: 'UPDATE lists SET refreshed_at = ?, fresh_until = ?, failed = ? WHERE source_id = ? AND provider_id = ?',
  putList: `INSERT OR REPLACE INTO lists (source_id, provider_id, refreshed_at, fresh_until, failed, row_count, rows_crc32, rows)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  removeStatuses: 'DELETE FROM statuses WHERE source_id = ?',
  putStatus: `INSERT OR REPLACE INTO statuses
    (source_id, provider_id, outcome, last_refresh, next_refresh, last_success, last_error, reason, failures) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  putMemory: 'INSERT OR REPLACE INTO memories (source_id, provider_id, memory) VALUES (?, ?, ?)',
  removePublished: 'DELETE FROM published WHERE provider_id = ?',
  putPublished: `INSERT OR REPLACE INTO published
    (provider_id, static_fingerprint, discovered_fingerprint, valid_until, model_count, body_crc32, body) VALUES (?, ?, ?, ?, ?, ?, ?)`,
  putNote: 'INSERT OR REPLACE INTO notes (name, text) VALUES (?, ?)',
  note: 'SELECT text FROM notes WHERE name = ?',
} as const
type Statements = Readonly<Record<keyof typeof SQL, StatementSync>>

/** The rows array last stored under a key. A list that comes back with the very same array has only new times. */
interface Slot {
  rows: WeakRef<readonly StatedRow[]> | null
}

export class SqliteStore implements Store {
  readonly #db: DatabaseSync
  readonly #run: Statements
  readonly #slots = new Map<string, Slot>()
  /** What the constructor read, until it is handed out or out of date. */
  #loaded: StoredCatalog | null

  /** Reads and checks everything: a file that cannot be read whole is found now, not by a later reader. */
  constructor(db: DatabaseSync) {
    this.#db = db
    this.#run = Object.fromEntries(Object.entries(SQL).map(([name, sql]) => [name, db.prepare(sql)])) as Statements
    this.#loaded = this.#read()
  }

  static open(file: string): SqliteStore {
    const db = openDatabase(file)
    try {
      return new SqliteStore(db)
    } catch (error) {
      db.close()
      throw error
    }
  }

  load(): StoredCatalog {
    const catalog = this.#loaded ?? this.#read()
    this.#loaded = null
    return catalog
  }

  note(name: string): string | null {
    const text = this.#run.note.get(name)?.text
    return typeof text === 'string' ? text : null
  }

  commit(change: StoreChange): void {
    // Encoded first: a value that is no JSON fails before the transaction, and the file is locked for less time.
    // Of two lists with one key the later wins.
    const lists = new Map((change.lists ?? []).map((list) => [recordKey(list.source_id, list.provider_id), list]))
    const writes = Array.from(lists, ([key, list]) => this.#prepareList(key, list))
    const memories = (change.memories ?? []).map(
      (m) => [m.source_id, m.provider_id ?? NO_PROVIDER, JSON.stringify(m.memory)] as const,
    )
    const run = this.#run
    this.#transaction(() => {
      for (const key of change.removeLists ?? []) run.removeList.run(key.source_id, key.provider_id)
      for (const write of writes) write()
      for (const source_id of change.removeStatusesOf ?? []) run.removeStatuses.run(source_id)
      for (const s of change.statuses ?? []) {
        const provider_id = s.provider_id ?? NO_PROVIDER
        run.putStatus.run(
          s.source_id,
          provider_id,
          s.outcome,
          s.last_refresh,
          s.next_refresh,
          s.last_success,
          s.last_error,
          s.reason,
          s.failures,
        )
      }
      for (const memory of memories) run.putMemory.run(...memory)
      for (const provider_id of change.removePublished ?? []) run.removePublished.run(provider_id)
      for (const p of change.published ?? []) {
        const { provider_id, static_fingerprint, discovered_fingerprint, valid_until, model_count, body } = p
        run.putPublished.run(
          provider_id,
          static_fingerprint,
          discovered_fingerprint,
          valid_until,
          model_count,
          crc32(body),
          body,
        )
      }
      for (const [name, text] of Object.entries(change.notes ?? {})) run.putNote.run(name, text)
    })
    this.#loaded = null
    for (const { source_id, provider_id } of change.removeLists ?? [])
      this.#slots.delete(recordKey(source_id, provider_id))
    for (const [key, { rows }] of lists) this.#slots.set(key, { rows: new WeakRef(rows) })
  }

  close(): void {
    if (this.#db.isOpen) this.#db.close()
  }

  #read(): StoredCatalog {
    this.#slots.clear()
    return readCatalog(this.#db, (key) => {
      const slot: Slot = { rows: null }
      this.#slots.set(key, slot)
      return (rows) => {
        slot.rows = new WeakRef(rows)
      }
    })
  }

  /** Everything a list needs but the write. */
  #prepareList(key: string, list: RowList): () => void {
    const { source_id, provider_id, refreshed_at, fresh_until, rows } = list
    const failed = list.failed ? 1 : 0
    const put = () => {
      const bytes = encodeRows(rows)
      return () => {
        this.#run.putList.run(
          source_id,
          provider_id,
          refreshed_at,
          fresh_until,
          failed,
          rows.length,
          crc32(bytes),
          bytes,
        )
      }
    }
    if (this.#slots.get(key)?.rows?.deref() !== rows) return put()
    return () => {
      const { changes } = this.#run.restampList.run(refreshed_at, fresh_until, failed, source_id, provider_id)
      // Removed by this same change.
      if (changes === 0) put()()
    }
  }

  #transaction(write: () => void): void {
    try {
      this.#db.exec('BEGIN IMMEDIATE')
      write()
      this.#db.exec('COMMIT')
    } catch (error) {
      // SQLite has already rolled back by itself after some errors, such as a full disk.
      if (this.#db.isOpen && this.#db.isTransaction) this.#db.exec('ROLLBACK')
      throw asWriteError(error)
    }
  }
}

/** The error that a commit throws. What says nothing about the disk is a fault of ours and stays as it is. */
export function asWriteError(error: unknown): unknown {
  const fault = faultOf(error)
  return fault === null ? error : new StoreWriteError(fault === 'corrupt' ? 'io' : fault, { cause: error })
}
