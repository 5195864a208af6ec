/** One connection to a catalog file: private, checked, on the current schema; or an error, with the file as it was. */
import { closeSync, constants, existsSync, fchmodSync, lstatSync, openSync, readSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { SignalboxError } from '@signalbox/contract/errors'
import { CorruptStoreError } from './faults.ts'
import { MIGRATIONS, type Migration, migrate, refuseNewer, schemaVersion } from './migrations.ts'

/** Waiting blocks the whole daemon. Only a person's own tool can hold the file: the home has one daemon. */
const BUSY_TIMEOUT_MS = 1_000

/** NORMAL in WAL: a killed process loses nothing; a power cut may lose the last commits, which a refresh brings back. */
const PRAGMAS = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  PRAGMA foreign_keys = ON;
  PRAGMA trusted_schema = OFF;
  PRAGMA journal_size_limit = 16777216;
`

/** Open for writing. The version is looked at before anything could change the file. */
export function openDatabase(file: string, migrations: readonly Migration[] = MIGRATIONS): DatabaseSync {
  refuseOtherThanFile(file)
  refuseNewer(versionInHeader(file), migrations.length)
  makePrivate(file)
  if (hasWal(file)) refuseNewer(versionThroughWal(file), migrations.length)
  const db = new DatabaseSync(file, {
    timeout: BUSY_TIMEOUT_MS,
    enableDoubleQuotedStringLiterals: false,
    defensive: true,
  })
  try {
    // Before the pragmas: WAL mode is a change of the file, and a file that is no catalog is to stay as it is.
    migrate(db, migrations)
    db.exec(PRAGMAS)
    checkStructure(db)
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

/** Open without changing the file. Throws unless it has the current schema. */
export function openReadOnly(file: string | URL): DatabaseSync {
  const db = new DatabaseSync(file, { readOnly: true, timeout: BUSY_TIMEOUT_MS })
  try {
    const version = schemaVersion(db)
    refuseNewer(version)
    if (version !== MIGRATIONS.length) throw new CorruptStoreError(`schema version ${version} cannot be read in place`)
    checkStructure(db)
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

/** Pages, types, NOT NULL and CHECK constraints; not the bytes inside a value. */
function checkStructure(db: DatabaseSync): void {
  const verdict = db.prepare('PRAGMA quick_check(1)').get()?.quick_check
  if (verdict !== 'ok') throw new CorruptStoreError(`quick_check: ${String(verdict)}`)
}

/** A link or a pipe in place of the file is not ours to write through, nor to set aside. */
function refuseOtherThanFile(file: string): void {
  const found = lstatSync(file, { throwIfNoEntry: false })
  if (found !== undefined && !found.isFile()) throw new SignalboxError('unsafe_path', `${file} is not a regular file.`)
}

const MAGIC = 'SQLite format 3\0'
const VERSION_OFFSET = 60

/** Read by hand, without side effects; 0 for what is no database, which SQLite will say itself. */
function versionInHeader(file: string): number {
  if (!existsSync(file)) return 0
  const fd = openSync(file, 'r')
  try {
    const header = Buffer.alloc(100)
    const isWhole = readSync(fd, header, 0, header.length, 0) === header.length
    return isWhole && header.toString('latin1', 0, MAGIC.length) === MAGIC ? header.readInt32BE(VERSION_OFFSET) : 0
  } finally {
    closeSync(fd)
  }
}

export function hasWal(file: string): boolean {
  return (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0
}

/**
 * A killed process may have left a later header in the -wal. Looked at by a connection that cannot write, because the
 * close of any other copies the -wal into the file, or deletes it when the file is damaged.
 */
function versionThroughWal(file: string): number {
  const db = new DatabaseSync(file, { readOnly: true, timeout: BUSY_TIMEOUT_MS })
  try {
    return schemaVersion(db)
  } finally {
    db.close()
  }
}

/** SQLite would create it with the umask's mode; -wal and -shm take the mode of the file. */
function makePrivate(file: string): void {
  const { O_RDWR, O_CREAT, O_NOFOLLOW } = constants
  const fd = openSync(file, O_RDWR | O_CREAT | O_NOFOLLOW, 0o600)
  try {
    fchmodSync(fd, 0o600)
  } finally {
    closeSync(fd)
  }
}
