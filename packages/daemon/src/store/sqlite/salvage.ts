/** What can be read of a catalog file that cannot be opened for writing. */
import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import type { MemorySeed } from '../memory/memory-store.ts'
import { hasWal, openDatabase, openReadOnly } from './database.ts'
import { faultOf } from './faults.ts'
import { readCatalog, readNotes } from './read-catalog.ts'

/**
 * Ways to read, tried in this order until one works:
 *
 *  1. in place; SQLite must be able to make a -shm file, or find one;
 *  2. in place as a file that nothing changes, which is wrong while a -wal holds part of it;
 *  3. a copy in the temporary directory, where the -wal can be replayed and an older schema migrated.
 */
const WAYS: readonly ((file: string) => MemorySeed)[] = [
  (file) => readAndClose(openReadOnly(file)),
  (file) => {
    if (hasWal(file)) throw new NotApplicable('the -wal is not empty')
    const url = pathToFileURL(file)
    url.searchParams.set('immutable', '1')
    return readAndClose(openReadOnly(url))
  },
  (file) => {
    const dir = mkdtempSync(join(tmpdir(), 'signalbox-catalog-'))
    try {
      const copy = join(dir, 'catalog.db')
      for (const part of ['', '-wal']) if (existsSync(file + part)) copyFileSync(file + part, copy + part)
      return readAndClose(openDatabase(copy))
    } finally {
      rmSync(dir, { recursive: true, force: true })
    }
  },
]

class NotApplicable extends Error {}

/** Null when there is no file, or no way to read it. A newer schema is thrown as ever. */
export function salvage(file: string): MemorySeed | null {
  if (!existsSync(file)) return null
  for (const read of WAYS) {
    try {
      return read(file)
    } catch (error) {
      // Expected: this way is closed here, or the file is damaged; then the next way, and at the end nothing, will say so.
      if (!(error instanceof NotApplicable) && faultOf(error) === null) throw error
    }
  }
  return null
}

function readAndClose(db: DatabaseSync): MemorySeed {
  try {
    return { catalog: readCatalog(db, () => () => {}), notes: readNotes(db) }
  } finally {
    db.close()
  }
}
