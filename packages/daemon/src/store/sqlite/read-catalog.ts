/** Everything in a database, with every byte checked and no row parsed. */
import type { DatabaseSync } from 'node:sqlite'
import { crc32 } from 'node:zlib'
import type { ProviderId, SourceId } from '@signalbox/contract/ids'
import type { RowList, StatedRow } from '@signalbox/contract/row'
import { recordKey } from '../record-key.ts'
import type { PublishedList, SourceMemory, StatusRecord, StoredCatalog } from '../store.ts'
import { CorruptStoreError } from './faults.ts'
import { lazyList } from './row-codec.ts'

/** What holds the place of a null provider. No provider id is empty. */
export const NO_PROVIDER = ''

interface ListRecord extends Omit<RowList, 'failed' | 'rows'> {
  readonly failed: 0 | 1
  readonly rows_crc32: number
  readonly rows: Uint8Array
}

interface MemoryRecord {
  readonly source_id: SourceId
  readonly provider_id: ProviderId | ''
  readonly memory: string
}

/** `onDecode(key)` is asked once per list, and its answer called with the rows when they are parsed. */
export function readCatalog(
  db: DatabaseSync,
  onDecode: (key: string) => (rows: readonly StatedRow[]) => void,
): StoredCatalog {
  return {
    lists: query<ListRecord>(db, 'SELECT * FROM lists ORDER BY source_id, provider_id').map((record) =>
      readList(record, onDecode),
    ),
    statuses: query<StatusRecord>(db, 'SELECT * FROM statuses ORDER BY source_id, provider_id').map((record) => ({
      ...record,
      provider_id: record.provider_id || null,
    })),
    memories: query<MemoryRecord>(db, 'SELECT * FROM memories ORDER BY source_id, provider_id').map(readMemory),
    published: query<PublishedList & { readonly body_crc32: number }>(
      db,
      'SELECT * FROM published ORDER BY provider_id',
    ).map(({ body_crc32, ...list }) => {
      verify(list.body, body_crc32, `the published list of ${list.provider_id}`)
      return list
    }),
  }
}

export function readNotes(db: DatabaseSync): ReadonlyMap<string, string> {
  const notes = query<{ readonly name: string; readonly text: string }>(db, 'SELECT name, text FROM notes')
  return new Map(notes.map(({ name, text }) => [name, text]))
}

/** The parsed edge: STRICT tables and `quick_check` vouch for the types of the columns. */
function query<T>(db: DatabaseSync, sql: string): T[] {
  return db.prepare(sql).all() as unknown as T[]
}

function readList(record: ListRecord, onDecode: (key: string) => (rows: readonly StatedRow[]) => void): RowList {
  const { source_id, provider_id, refreshed_at, fresh_until, failed, rows_crc32, rows } = record
  verify(rows, rows_crc32, `the rows of ${source_id} for ${provider_id}`)
  const stamp = { source_id, provider_id, refreshed_at, fresh_until, failed: failed === 1 }
  return lazyList(stamp, rows, onDecode(recordKey(source_id, provider_id)))
}

function readMemory({ source_id, provider_id, memory }: MemoryRecord): SourceMemory {
  // A parsed edge: the column is checked to be a JSON object, and whoever remembered it reads it with care.
  return { source_id, provider_id: provider_id || null, memory: JSON.parse(memory) as SourceMemory['memory'] }
}

function verify(bytes: Uint8Array, expected: number, what: string): void {
  if (crc32(bytes) !== expected) throw new CorruptStoreError(`the checksum of ${what} does not match`)
}
