/**
 * The store port: what survives a restart. It holds lists, statuses and small states, and decides nothing; the catalog
 * is its only caller. Every engine passes `store.cases.ts`.
 */
import type { ProviderId, SourceId } from '@signalbox/contract/ids'
import type { UnknownReason } from '@signalbox/contract/model'
import type { RowList } from '@signalbox/contract/row'

/** How a source fared with one provider. Only finished runs are stored, so a restart never shows one that nobody runs. */
export interface StatusRecord {
  readonly source_id: SourceId
  /** Null while the source has named no provider yet. */
  readonly provider_id: ProviderId | null
  readonly outcome: 'succeeded' | 'failed'
  /** Epoch milliseconds, as all times here. */
  readonly last_refresh: number
  readonly next_refresh: number | null
  readonly last_success: number | null
  readonly last_error: string | null
  /** What a failure means for models that no row decides; null where the source does not say. */
  readonly reason: UnknownReason | null
  /** Failures in a row: the back-off grows with it. */
  readonly failures: number
}

/** What a source remembers between runs: HTTP validators, the shape of its last good answer. Opaque to the store. */
export interface SourceMemory {
  readonly source_id: SourceId
  /** Null for a source that speaks for all its providers at once. */
  readonly provider_id: ProviderId | null
  readonly memory: Readonly<Record<string, unknown>>
}

/** A provider's merged list as it was published, so that a restart can publish it again without merging. */
export interface PublishedList {
  readonly provider_id: ProviderId
  /** Hash of the static rows (built-in and configuration) that were merged in. */
  readonly static_fingerprint: string
  /** Hash of the discovered lists that were merged in. */
  readonly discovered_fingerprint: string
  /** When a row in it stops being fresh, and the list is no longer right. */
  readonly valid_until: number | null
  readonly model_count: number
  /** The models as JSON, comma-separated, without the brackets. */
  readonly body: Uint8Array
}

export interface StoredCatalog {
  readonly lists: readonly RowList[]
  readonly statuses: readonly StatusRecord[]
  readonly memories: readonly SourceMemory[]
  readonly published: readonly PublishedList[]
}

export interface ListKey {
  readonly source_id: SourceId
  readonly provider_id: ProviderId
}

/** One transaction. Removals happen before replacements. */
export interface StoreChange {
  readonly removeLists?: readonly ListKey[]
  /** Each replaces the whole list of its source and provider. */
  readonly lists?: readonly RowList[]
  /** Statuses of these sources are removed first, for all providers. */
  readonly removeStatusesOf?: readonly SourceId[]
  readonly statuses?: readonly StatusRecord[]
  readonly memories?: readonly SourceMemory[]
  readonly removePublished?: readonly ProviderId[]
  readonly published?: readonly PublishedList[]
  /** Small texts by name, such as the last good configuration. */
  readonly notes?: Readonly<Record<string, string>>
}

export interface Store {
  /** Everything, read once at start, each kind in byte order of its key. Rows of a list may be parsed when first read. */
  load(): StoredCatalog
  note(name: string): string | null
  /**
   * All of it or nothing. Throws `StoreWriteError` when it cannot be written; what was stored before stays. A list whose
   * `rows` are the very array that is stored only has its times written, so hand over the same array when rows stay.
   */
  commit(change: StoreChange): void
  close(): void
}
