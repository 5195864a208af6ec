import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { MemoryStore } from '../memory/memory-store.ts'
import { anyChange } from '../store.arbitraries.ts'
import { storeCases } from '../store.cases.ts'
import { list, published, row, snapshotOf, status } from '../store.samples.ts'
import type { StoreChange, StoredCatalog } from '../store.ts'
import { StoreWriteError } from '../store-write-error.ts'
import { openReadOnly } from './database.ts'
import { SqliteStore } from './sqlite-store.ts'

storeCases('the SQLite engine', () => {
  const dir = mkdtempSync(join(tmpdir(), 'signalbox-store-'))
  const file = join(dir, 'catalog.db')
  const store = SqliteStore.open(file)
  let current = store
  return {
    store,
    reopen() {
      current.close()
      current = SqliteStore.open(file)
      return current
    },
    dispose() {
      current.close()
      rmSync(dir, { recursive: true })
    },
  }
})

describe('the SQLite engine', () => {
  let dir: string
  let file: string
  let store: SqliteStore
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'signalbox-store-'))
    file = join(dir, 'catalog.db')
    store = SqliteStore.open(file)
  })
  afterEach(() => {
    store.close()
    rmSync(dir, { recursive: true })
  })

  it('keeps its files to the user, whatever the umask and the mode were', () => {
    store.commit({ notes: { a: 'b' } })
    for (const part of ['', '-wal', '-shm']) expect(statSync(file + part).mode & 0o777).toBe(0o600)
  })

  it('undoes what a transaction wrote before the part that the database refuses', () => {
    store.commit({ lists: [list('models_dev', 'p', [row('a')])], notes: { config: 'old' } })
    const before = snapshotOf(store)
    // Half a millisecond is no time: the column takes whole numbers only, and statuses are written after lists.
    const change: StoreChange = {
      lists: [list('models_dev', 'p', [row('b')]), list('models_dev', 'q')],
      statuses: [status('models_dev', null, { last_refresh: 0.5 })],
    }
    expect(() => store.commit(change)).toThrow(/last_refresh/)
    expect(snapshotOf(store)).toEqual(before)
    store.commit({ notes: { config: 'new' } })
    expect(store.note('config')).toBe('new')
  })

  it('does not take a list for stored whose commit failed', () => {
    const rows = [row('b')]
    const broken: StoreChange = {
      lists: [list('models_dev', 'p', rows)],
      statuses: [status('x', null, { failures: 0.5 })],
    }
    store.commit({ lists: [list('models_dev', 'p', [row('a')])] })
    expect(() => store.commit(broken)).toThrow()
    store.commit({ lists: [list('models_dev', 'p', rows)] })
    expect(store.load().lists[0]?.rows).toEqual(rows)
  })

  it('says read_only when the file takes no writes, and keeps reading', () => {
    store.commit({ notes: { a: 'b' } })
    const reader = new SqliteStore(openReadOnly(file))
    let thrown: unknown
    try {
      reader.commit({ notes: { a: 'c' } })
    } catch (error) {
      thrown = error
    }
    expect(thrown).toBeInstanceOf(StoreWriteError)
    expect(thrown).toMatchObject({ reason: 'read_only' })
    expect(reader.note('a')).toBe('b')
    reader.close()
  })

  it('parses the rows of a list when they are first read, and once', () => {
    store.commit({ lists: [list('models_dev', 'p', [row('a')])] })
    const [loaded] = store.load().lists
    expect(Object.getOwnPropertyDescriptor(loaded, 'rows')?.get).toBeTypeOf('function')
    expect(loaded?.rows).toBe(loaded?.rows)
  })

  it('writes a few hundred bytes, not the rows, for a list whose rows stay', () => {
    const rows = Array.from({ length: 5_000 }, (_, i) => row(`model-${i}`, { display_name: 'x'.repeat(100) }))
    store.commit({ lists: [list('models_dev', 'p', rows)] })
    store.close()
    store = SqliteStore.open(file)
    const [loaded] = store.load().lists
    if (loaded === undefined) throw new Error('no list')
    store.commit({ lists: [{ ...loaded, failed: true }] })
    expect(statSync(`${file}-wal`).size).toBeLessThan(64_000)
    expect(store.load().lists[0]?.failed).toBe(true)
  })

  it('holds after any sequence of changes what the memory engine holds', () => {
    let run = 0
    fc.assert(
      fc.property(fc.array(anyChange, { minLength: 2, maxLength: 5 }), fc.nat(), (changes, dice) => {
        const memory = new MemoryStore()
        const sqlite = SqliteStore.open(join(dir, `${run++}.db`))
        try {
          for (const [index, change] of changes.entries()) {
            const one = withRemovals(change, memory.load(), dice + index)
            memory.commit(one)
            sqlite.commit(one)
          }
          expect(snapshotOf(sqlite)).toEqual(snapshotOf(memory))
        } finally {
          sqlite.close()
        }
      }),
      { numRuns: 60 },
    )
  })

  it('hands out a published body that later commits do not change', () => {
    store.commit({ published: [published('p', 'first')] })
    const [before] = store.load().published
    store.commit({ published: [published('p', 'other')] })
    expect(new TextDecoder().decode(before?.body)).toBe('first')
  })
})

/** Also remove some of what is there, write some again with the very same rows, and some with other rows. */
function withRemovals(change: StoreChange, there: StoredCatalog, dice: number): StoreChange {
  const some = <T>(all: readonly T[], salt: number) => all.filter((_, index) => (index + dice + salt) % 3 === 0)
  const added = change.lists ?? []
  const rewritten = some(there.lists, 1).map((one, index) => ({ ...one, rows: added[index]?.rows ?? [] }))
  return {
    ...change,
    removeLists: some(there.lists, 0),
    lists: [...rewritten, ...some(there.lists, dice % 3), ...added].map((one) => ({ ...one, failed: dice % 2 === 0 })),
    removeStatusesOf: some(there.statuses, 1).map(({ source_id }) => source_id),
    removePublished: some(there.published, 2).map(({ provider_id }) => provider_id),
  }
}
