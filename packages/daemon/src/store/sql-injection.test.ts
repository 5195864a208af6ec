/** Ids and texts come from strangers' lists. None of them is ever part of an SQL statement. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SqliteStore } from './sqlite/sqlite-store.ts'
import { bodyOf, list, provider, published, row, snapshotOf, source, status } from './store.samples.ts'

const ATTACKS = [
  `'; DROP TABLE lists; --`,
  `x'); DELETE FROM lists; --`,
  `' OR '1'='1`,
  `" OR ""="`,
  `%' OR 1=1 /*`,
  `'); ATTACH DATABASE 'stolen.db' AS stolen; --`,
  `'; PRAGMA user_version = 99; --`,
  `\u0000'; DROP TABLE notes; --`,
  `?1`,
  `:name`,
  `$x`,
  '`; DROP TABLE statuses; --',
  `\\'; UPDATE lists SET failed = 1; --`,
  `1; COMMIT; DROP TABLE lists`,
]

describe('SQL in an id or a text', () => {
  let dir: string
  let store: SqliteStore
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'signalbox-sql-'))
    store = SqliteStore.open(join(dir, 'catalog.db'))
    store.commit({
      lists: [list('models_dev', 'bystander', [row('m')])],
      statuses: [status('models_dev', 'bystander')],
      notes: { bystander: 'n' },
    })
  })
  afterEach(() => {
    store.close()
    rmSync(dir, { recursive: true })
  })

  const schema = () => {
    const db = new DatabaseSync(join(dir, 'catalog.db'), { readOnly: true })
    const tables = db.prepare(`SELECT sql FROM sqlite_schema`).all()
    const version = db.prepare('PRAGMA user_version').get()
    db.close()
    return { tables, version }
  }

  it.each(ATTACKS)('is stored as the text it is: %j', (attack) => {
    const [before, untouched] = [schema(), snapshotOf(store)]
    const key = { source_id: source(attack), provider_id: provider(attack) }
    const added = {
      lists: [list(attack, attack, [row(attack, { display_name: attack })])],
      statuses: [status(attack, attack, { last_error: attack })],
      memories: [{ ...key, memory: { [attack]: attack } }],
      published: [{ ...published(attack, attack), static_fingerprint: attack, discovered_fingerprint: attack }],
      notes: { [attack]: attack },
    }
    store.commit(added)
    expect(schema()).toEqual(before)
    const after = snapshotOf(store)
    expect(after.lists).toContainEqual(added.lists[0])
    expect(after.lists).toHaveLength(2)
    expect(after.statuses).toContainEqual(added.statuses[0])
    expect(after.memories).toEqual(added.memories)
    expect(after.published).toEqual(added.published.map(bodyOf))
    expect(store.note(attack)).toBe(attack)

    store.commit({ removeLists: [key], removeStatusesOf: [key.source_id], removePublished: [key.provider_id] })
    expect(snapshotOf(store)).toEqual({ ...untouched, memories: added.memories })
    expect(store.note('bystander')).toBe('n')
  })

  it.each(ATTACKS)('matches nothing that has another name: %j', (attack) => {
    const before = snapshotOf(store)
    expect(store.note(attack)).toBeNull()
    store.commit({
      removeLists: [{ source_id: source(attack), provider_id: provider(attack) }],
      removeStatusesOf: [source(attack)],
      removePublished: [provider(attack)],
    })
    expect(snapshotOf(store)).toEqual(before)
  })
})
