/** Files in every state a disk can hold them in. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { crc32 } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { list, published, row, snapshotOf } from '../store.samples.ts'
import { MIGRATIONS } from './migrations.ts'
import { openStore } from './open.ts'

const NOW = Date.UTC(2026, 4, 7, 18, 32, 11, 250)
const ASIDE = 'catalog.db.corrupt-20260507T183211Z'

describe('opening the catalog file', () => {
  let dir: string
  let file: string
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'signalbox-open-'))
    file = join(dir, 'catalog.db')
  })
  afterEach(() => {
    rmSync(dir, { recursive: true })
  })

  const sums = () =>
    readdirSync(dir)
      .filter((name) => !name.endsWith('-shm'))
      .map(
        (name) =>
          `${name} ${createHash('sha256')
            .update(readFileSync(join(dir, name)))
            .digest('hex')}`,
      )

  function fill(): void {
    const { store } = openStore(file, NOW)
    const rows = Array.from({ length: 500 }, (_, i) => row(`model-${i}`, { display_name: `Model ${i}` }))
    store.commit({
      lists: [list('models_dev', 'p', rows), list('models_dev', 'q', rows)],
      published: [published('p', 'x'.repeat(20_000))],
      memories: [{ source_id: list('models_dev', 'p').source_id, provider_id: null, memory: { etag: 'e' } }],
      notes: { config: 'kept' },
    })
    store.close()
  }

  function alter(sql: string, ...values: (string | number | Uint8Array)[]): void {
    const db = new DatabaseSync(file, { defensive: false })
    db.exec('PRAGMA ignore_check_constraints = ON')
    db.prepare(sql).run(...values)
    db.close()
  }

  it('makes private a file that others could read', () => {
    fill()
    chmodSync(file, 0o644)
    const { store, setAside, problem } = openStore(file, NOW)
    expect({ setAside, problem }).toEqual({ setAside: null, problem: null })
    expect(statSync(file).mode & 0o777).toBe(0o600)
    store.close()
  })

  const DAMAGE: Readonly<Record<string, () => void>> = {
    garbage: () => writeFileSync(file, 'this is not a database, and it is long enough to be looked at '.repeat(40)),
    'a file cut short': () => truncateSync(file, Math.floor(statSync(file).size / 2)),
    'a few bytes': () => writeFileSync(file, 'SQLite'),
    'pages overwritten in the middle': () => {
      const bytes = readFileSync(file)
      bytes.fill(0xa5, 4096, Math.min(bytes.length, 4096 * 12))
      writeFileSync(file, bytes)
    },
    'rows that are no JSON': () =>
      alter('UPDATE lists SET rows = ? WHERE provider_id = ?', Buffer.from('[{"model_id":'), 'q'),
    'rows with one changed byte': () => {
      const bytes = readFileSync(file)
      const at = bytes.indexOf('model-499')
      expect(at).toBeGreaterThan(0)
      bytes.write('model-498', at)
      writeFileSync(file, bytes)
    },
    'a published body with one changed byte': () =>
      alter('UPDATE published SET body = ?', Buffer.from('y'.repeat(20_000))),
    'a memory that is no JSON': () => alter('UPDATE memories SET memory = ?', '{"etag":'),
    'a table that is gone': () => alter('DROP TABLE notes'),
    'a database of something else': () => {
      rmSync(file)
      const db = new DatabaseSync(file)
      db.exec('CREATE TABLE recipes (name TEXT)')
      db.close()
    },
  }

  it.each(Object.keys(DAMAGE))('sets aside %s, and starts with a new file (CAT-156)', (kind) => {
    fill()
    DAMAGE[kind]?.()
    const damaged = readFileSync(file)

    const { store, setAside, problem } = openStore(file, NOW)
    expect(problem).toBeNull()
    expect(setAside).toEqual({ file: join(dir, ASIDE), problem: expect.stringMatching(/\w/) })
    expect(store.load()).toEqual({ lists: [], statuses: [], memories: [], published: [] })
    store.commit({ notes: { again: 'works' } })
    store.close()
    // Nothing of it is lost: what was there is there, byte for byte.
    expect(readFileSync(join(dir, ASIDE)).equals(damaged)).toBe(true)

    const next = openStore(file, NOW)
    expect(next.setAside).toBeNull()
    expect(next.store.note('again')).toBe('works')
    next.store.close()
  })

  it('moves the side files of a damaged file with it (CAT-156)', () => {
    writeFileSync(file, 'garbage '.repeat(1000))
    writeFileSync(`${file}-wal`, 'old wal')
    writeFileSync(`${file}-shm`, 'old shm')
    const { store } = openStore(file, NOW)
    store.close()
    expect(readFileSync(join(dir, `${ASIDE}-wal`), 'utf8')).toBe('old wal')
    expect(existsSync(join(dir, `${ASIDE}-shm`))).toBe(true)
  })

  it('never writes over a file that was set aside before (CAT-156)', () => {
    for (const text of ['first ', 'second ', 'third ']) {
      writeFileSync(file, text.repeat(1000))
      openStore(file, NOW).store.close()
    }
    expect(readFileSync(join(dir, ASIDE), 'utf8')).toMatch(/^first/)
    expect(readFileSync(join(dir, `${ASIDE}.2`), 'utf8')).toMatch(/^second/)
    expect(readFileSync(join(dir, `${ASIDE}.3`), 'utf8')).toMatch(/^third/)
  })

  it('takes an empty file for a new one', () => {
    writeFileSync(file, '')
    const { store, setAside } = openStore(file, NOW)
    expect(setAside).toBeNull()
    store.commit({ notes: { a: 'b' } })
    store.close()
  })

  it('refuses a newer schema, names both versions, and leaves the file byte-identical (CAT-156)', () => {
    fill()
    const newer = MIGRATIONS.length + 41
    alter(`PRAGMA user_version = ${newer}`)
    const before = sums()
    expect(() => openStore(file, NOW)).toThrow(
      expect.objectContaining({
        code: 'newer_schema',
        message: expect.stringMatching(new RegExp(`\\b${newer}\\b.*\\b${MIGRATIONS.length}\\b`)),
      }),
    )
    expect(sums()).toEqual(before)
  })

  it('refuses a newer schema that is only in the -wal yet, and leaves both files byte-identical (CAT-156)', () => {
    fill()
    const script = `
      const { DatabaseSync } = require('node:sqlite')
      const db = new DatabaseSync(process.argv[1])
      db.exec('PRAGMA user_version = 77')
      process.kill(process.pid, 'SIGKILL')
    `
    expect(() => execFileSync(process.execPath, ['-e', script, file])).toThrow(
      expect.objectContaining({ signal: 'SIGKILL' }),
    )
    const before = sums()
    expect(before.map((line) => line.split(' ')[0])).toEqual(['catalog.db', 'catalog.db-wal'])
    expect(() => openStore(file, NOW)).toThrow(/\b77\b/)
    expect(sums()).toEqual(before)
  })

  it('refuses a link or a directory in place of the file, untouched', () => {
    const elsewhere = join(dir, 'elsewhere.db')
    fill()
    copyFileSync(file, elsewhere)
    rmSync(file)
    const before = readFileSync(elsewhere)
    symlinkSync(elsewhere, file)
    expect(() => openStore(file, NOW)).toThrow(expect.objectContaining({ code: 'unsafe_path' }))
    expect(readFileSync(elsewhere).equals(before)).toBe(true)
    rmSync(file)
    mkdirSync(file)
    expect(() => openStore(file, NOW)).toThrow(expect.objectContaining({ code: 'unsafe_path' }))
    expect(readdirSync(file)).toEqual([])
  })

  it('serves from memory when there is no directory to write in, and says so (CAT-157)', () => {
    const { store, problem } = openStore(join(dir, 'missing', 'catalog.db'), NOW)
    expect(problem).toMatch(/not persisted/)
    expect(store.load().lists).toEqual([])
    expect(() => store.commit({ notes: { a: 'b' } })).toThrow(
      expect.objectContaining({ name: 'StoreWriteError', reason: 'io' }),
    )
    store.close()
  })

  it('stores again once the file can be written (CAT-157)', () => {
    const late = join(dir, 'late', 'catalog.db')
    const { store } = openStore(late, NOW)
    expect(() => store.commit({ notes: { a: 'b' } })).toThrow()
    mkdirSync(join(dir, 'late'))
    store.commit({ lists: [list('models_dev', 'p')], notes: { a: 'c' } })
    expect(store.note('a')).toBe('c')
    const held = snapshotOf(store)
    store.close()
    const next = openStore(late, NOW)
    expect(next.problem).toBeNull()
    expect(snapshotOf(next.store)).toEqual(held)
    next.store.close()
  })

  it('checks the rows by a checksum of what is stored', () => {
    fill()
    const db = new DatabaseSync(file)
    const [stored] = db.prepare('SELECT rows, rows_crc32, row_count FROM lists').all()
    db.close()
    expect(stored).toMatchObject({ rows_crc32: crc32(stored?.rows as Uint8Array), row_count: 500 })
    expect(Buffer.from(stored?.rows as Uint8Array).toString()).not.toContain('null')
  })
})
