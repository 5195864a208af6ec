/** The schema, as the steps that lead to it. A step is never edited once released: append the next one. */
import type { DatabaseSync } from 'node:sqlite'
import { SignalboxError } from '@signalbox/contract/errors'
import { CorruptStoreError } from './faults.ts'

/** STRICT and the checks are not decoration: `quick_check` verifies them, so that reading need not look at types. */
const TABLES = `
  -- One blob per list, because a list is replaced whole. The checksum covers what quick_check cannot see: the bytes.
  CREATE TABLE lists (
    source_id TEXT NOT NULL,
    provider_id TEXT NOT NULL,
    refreshed_at INTEGER NOT NULL,
    fresh_until INTEGER,
    failed INTEGER NOT NULL CHECK (failed IN (0, 1)),
    row_count INTEGER NOT NULL,
    rows_crc32 INTEGER NOT NULL,
    rows BLOB NOT NULL,
    PRIMARY KEY (source_id, provider_id)
  ) STRICT;

  -- provider_id '' is "no provider": NULLs are never equal, and so no key.
  CREATE TABLE statuses (
    source_id TEXT NOT NULL,
    provider_id TEXT NOT NULL,
    outcome TEXT NOT NULL CHECK (outcome IN ('succeeded', 'failed')),
    last_refresh INTEGER NOT NULL,
    next_refresh INTEGER,
    last_success INTEGER,
    last_error TEXT,
    reason TEXT,
    failures INTEGER NOT NULL,
    PRIMARY KEY (source_id, provider_id)
  ) STRICT;

  CREATE TABLE memories (
    source_id TEXT NOT NULL,
    provider_id TEXT NOT NULL,
    memory TEXT NOT NULL CHECK (json_valid(memory)),
    PRIMARY KEY (source_id, provider_id)
  ) STRICT;

  CREATE TABLE published (
    provider_id TEXT NOT NULL PRIMARY KEY,
    static_fingerprint TEXT NOT NULL,
    discovered_fingerprint TEXT NOT NULL,
    valid_until INTEGER,
    model_count INTEGER NOT NULL,
    body_crc32 INTEGER NOT NULL,
    body BLOB NOT NULL
  ) STRICT;

  CREATE TABLE notes (
    name TEXT NOT NULL PRIMARY KEY,
    text TEXT NOT NULL
  ) STRICT;
`

export type Migration = string
export const MIGRATIONS: readonly Migration[] = [TABLES]

export function schemaVersion(db: DatabaseSync): number {
  return Number(db.prepare('PRAGMA user_version').get()?.user_version)
}

export function refuseNewer(version: number, known = MIGRATIONS.length): void {
  if (version <= known) return
  throw new SignalboxError(
    'newer_schema',
    `The catalog file has schema version ${version}; this Signalbox knows versions up to ${known}.`,
    {
      hint: 'Upgrade Signalbox, or use another home. The file was left unchanged.',
    },
  )
}

/** Bring the schema up to date, all steps in one transaction: whoever is killed here leaves the old version or the new. */
export function migrate(db: DatabaseSync, migrations: readonly Migration[] = MIGRATIONS): void {
  if (schemaVersion(db) === migrations.length) return
  db.exec('BEGIN IMMEDIATE')
  try {
    // Read again, now that nobody else can change it.
    const version = schemaVersion(db)
    refuseNewer(version, migrations.length)
    if (version < 0 || (version === 0 && !isEmpty(db)))
      throw new CorruptStoreError('the file is a database, but no catalog')
    for (const step of migrations.slice(version)) db.exec(step)
    // A pragma takes no parameters; the number is ours.
    db.exec(`PRAGMA user_version = ${migrations.length}`)
    db.exec('COMMIT')
  } finally {
    if (db.isTransaction) db.exec('ROLLBACK')
  }
}

function isEmpty(db: DatabaseSync): boolean {
  return db.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() === undefined
}
