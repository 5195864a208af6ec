/** `kill -9` at points nobody chose. */
import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { list, row, snapshotOf } from '../store.samples.ts'
import { openDatabase } from './database.ts'
import { MIGRATIONS, schemaVersion } from './migrations.ts'
import { openStore } from './open.ts'
import { SqliteStore } from './sqlite-store.ts'
import { runChild } from './testing/run-child.ts'
import { SLOW_MIGRATIONS, STEPS } from './testing/slow-migration.ts'

const program = (name: string) => fileURLToPath(new URL(`./testing/${name}.child.ts`, import.meta.url))

describe('a killed process', () => {
  let dir: string
  let file: string
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'signalbox-crash-'))
    file = join(dir, 'catalog.db')
  })
  afterEach(() => {
    rmSync(dir, { recursive: true })
  })

  it('loses no acknowledged commit and leaves no half of one, ten times in a row (CAT-158)', {
    timeout: 60_000,
  }, async () => {
    let acknowledged = 0
    for (let round = 0; round < 10; round++) {
      const goal = acknowledged + 1 + Math.floor(Math.random() * 60)
      const ended = await runChild([process.execPath, program('commit-loop'), file], (line, child) => {
        if (Number.parseInt(line, 10) >= goal) child.kill('SIGKILL')
      })
      expect(ended.signal).toBe('SIGKILL')
      const whole = ended.lines.filter((line) => line.endsWith(';'))
      acknowledged = Number.parseInt(whole.at(-1) ?? '', 10)
      expect(acknowledged).toBeGreaterThanOrEqual(goal)

      const { store, setAside, problem } = openStore(file, 0)
      expect({ setAside, problem }).toEqual({ setAside: null, problem: null })
      const stored = Number(store.note('seq'))
      expect(stored === acknowledged || stored === acknowledged + 1).toBe(true)
      const loaded = store.load()
      expect(loaded.memories.map(({ memory }) => memory)).toEqual([{ seq: stored }])
      expect(loaded.statuses.map(({ last_refresh }) => last_refresh)).toEqual([stored])
      expect(Buffer.from(loaded.published[0]?.body ?? []).toString()).toBe(String(stored).repeat(5_000))
      expect(loaded.lists.find(({ provider_id }) => provider_id === 'latest')?.refreshed_at).toBe(stored)
      for (const { refreshed_at, rows } of loaded.lists) {
        expect(rows).toHaveLength(200)
        expect(new Set(rows.map(({ facts }) => facts.context_window))).toEqual(new Set([refreshed_at]))
      }
      store.close()
      const db = new DatabaseSync(file)
      expect(db.prepare('PRAGMA quick_check').get()).toEqual({ quick_check: 'ok' })
      db.close()
      acknowledged = stored
    }
  })

  it('leaves the old schema or the new one, both openable, when killed in a migration (CAT-158)', {
    timeout: 60_000,
  }, async () => {
    const original = join(dir, 'original.db')
    const first = SqliteStore.open(original)
    first.commit({
      lists: [
        list(
          'models_dev',
          'p',
          Array.from({ length: 500 }, (_, i) => row(`m${i}`)),
        ),
      ],
      notes: { config: 'kept' },
    })
    const before = snapshotOf(first)
    first.close()

    for (let step = 0; step <= STEPS; step++) {
      const copy = join(dir, `killed-at-${step}.db`)
      copyFileSync(original, copy)
      const ended = await runChild([process.execPath, program('migrate'), copy], (line, child) => {
        if (Number(line) === step) child.kill('SIGKILL')
      })
      expect(ended.signal).toBe('SIGKILL')
      expect(ended.lines.includes('done')).toBe(step === STEPS)

      if (step < STEPS) {
        const { store, setAside, problem } = openStore(copy, 0)
        expect({ setAside, problem }).toEqual({ setAside: null, problem: null })
        expect(snapshotOf(store)).toEqual(before)
        expect(store.note('config')).toBe('kept')
        store.close()
      } else {
        expect(existsSync(`${copy}-wal`)).toBe(true)
      }
      const tolerant = SLOW_MIGRATIONS.map((sql) => sql.replaceAll(/SELECT tell\(\d+\);/g, ''))
      const db = openDatabase(copy, tolerant)
      expect(schemaVersion(db)).toBe(MIGRATIONS.length + 1)
      expect(db.prepare('SELECT count(*) AS n FROM grown').get()).toEqual({ n: STEPS * 4000 })
      expect(db.prepare('SELECT row_count, failed FROM lists').get()).toEqual({ row_count: 500, failed: 1 })
      db.close()
    }
  })
})
