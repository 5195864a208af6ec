/** The engine that keeps nothing on disk: for tests, and for a disk that takes no writes. */

import type { RowList } from '@signalbox/contract/row'
import { compareBytes } from '@signalbox/core/bytes'
import { recordKey } from '../record-key.ts'
import type { PublishedList, SourceMemory, StatusRecord, Store, StoreChange, StoredCatalog } from '../store.ts'

interface Tables {
  readonly lists: Map<string, RowList>
  readonly statuses: Map<string, StatusRecord>
  readonly memories: Map<string, SourceMemory>
  readonly published: Map<string, PublishedList>
  readonly notes: Map<string, string>
}

export interface MemorySeed {
  readonly catalog: StoredCatalog
  readonly notes: ReadonlyMap<string, string>
}

export class MemoryStore implements Store {
  #tables: Tables
  #open = true

  constructor(seed?: MemorySeed) {
    const tables = emptyTables()
    if (seed !== undefined) apply(tables, { ...seed.catalog, notes: Object.fromEntries(seed.notes) })
    this.#tables = tables
  }

  load(): StoredCatalog {
    this.#assertOpen()
    const { lists, statuses, memories, published } = this.#tables
    return {
      lists: [...lists.values()].sort(bySourceAndProvider),
      statuses: [...statuses.values()].sort(bySourceAndProvider),
      memories: [...memories.values()].sort(bySourceAndProvider),
      published: [...published.values()].sort((a, b) => compareBytes(a.provider_id, b.provider_id)),
    }
  }

  note(name: string): string | null {
    this.#assertOpen()
    return this.#tables.notes.get(name) ?? null
  }

  commit(change: StoreChange): void {
    this.#assertOpen()
    const { lists, statuses, memories, published, notes } = this.#tables
    // Applied to copies, so that a change that throws half-way leaves no trace.
    const next: Tables = {
      lists: new Map(lists),
      statuses: new Map(statuses),
      memories: new Map(memories),
      published: new Map(published),
      notes: new Map(notes),
    }
    apply(next, change)
    this.#tables = next
  }

  close(): void {
    this.#open = false
  }

  #assertOpen(): void {
    if (!this.#open) throw new Error('the store is closed')
  }
}

function emptyTables(): Tables {
  return { lists: new Map(), statuses: new Map(), memories: new Map(), published: new Map(), notes: new Map() }
}

function apply(tables: Tables, change: StoreChange): void {
  for (const { source_id, provider_id } of change.removeLists ?? [])
    tables.lists.delete(recordKey(source_id, provider_id))
  for (const list of change.lists ?? []) tables.lists.set(recordKey(list.source_id, list.provider_id), list)
  const forgotten = new Set<string>(change.removeStatusesOf)
  for (const [key, { source_id }] of tables.statuses) if (forgotten.has(source_id)) tables.statuses.delete(key)
  for (const status of change.statuses ?? [])
    tables.statuses.set(recordKey(status.source_id, status.provider_id), status)
  for (const { source_id, provider_id, memory } of change.memories ?? []) {
    // Through JSON, so that it keeps and refuses what the engines on disk keep and refuse.
    const kept = JSON.parse(JSON.stringify(memory)) as SourceMemory['memory']
    tables.memories.set(recordKey(source_id, provider_id), { source_id, provider_id, memory: kept })
  }
  for (const provider_id of change.removePublished ?? []) tables.published.delete(provider_id)
  for (const list of change.published ?? []) tables.published.set(list.provider_id, list)
  for (const [name, text] of Object.entries(change.notes ?? {})) tables.notes.set(name, text)
}

interface Keyed {
  readonly source_id: string
  readonly provider_id: string | null
}

/** Null first, as the empty text that SQLite holds in its place. */
function bySourceAndProvider(a: Keyed, b: Keyed): number {
  return compareBytes(a.source_id, b.source_id) || compareBytes(a.provider_id ?? '', b.provider_id ?? '')
}
