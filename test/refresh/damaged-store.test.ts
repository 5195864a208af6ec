/** A database file that is no good, or too good, for this version. */
import { createHash } from 'node:crypto'
import { readdir, readFile, truncate, writeFile } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { runCli } from '../harness/cli.ts'
import { startDaemon } from '../harness/daemon.ts'
import { startFakeServer } from '../harness/fake-server.ts'
import { type TempHome, tempHome } from '../harness/temp-home.ts'
import { configFor, firstRun, modelIds, refresh, serves } from './fake-models-dev.ts'

async function overwriteMiddle(file: string): Promise<void> {
  const bytes = await readFile(file)
  bytes.fill(0x5a, 4096, bytes.length)
  await writeFile(file, bytes)
}

const damages: readonly (readonly [string, (file: string) => Promise<void>])[] = [
  ['is no database at all', (file) => writeFile(file, 'this is not SQLite'.repeat(1000))],
  ['is cut off', async (file) => truncate(file, Math.floor((await readFile(file)).length / 2))],
  ['is overwritten in the middle', overwriteMiddle],
]

describe('a database file that', () => {
  it.each(damages)('%s is set aside and made anew, and the start succeeds (CAT-156)', async (_, damage) => {
    await using server = await startFakeServer(serves({ acme: Array.from({ length: 300 }, (_, index) => `m${index}`) }))
    await using home = await tempHome(configFor(server))
    {
      await using daemon = await startDaemon({ home })
      await firstRun(daemon)
    }
    await damage(home.paths.databaseFile)
    const damaged = await readFile(home.paths.databaseFile)
    server.answer({ kind: 'hang' })
    {
      await using daemon = await startDaemon({ home })
      expect(daemon.status).toMatchObject({ persisted: true })
      expect(daemon.status.models).toBeGreaterThan(1_000)
      expect(await modelIds(daemon, 'acme')).toEqual([])
    }
    expect(await asideContents(home)).toEqual([damaged])
    expect(await readFile(home.paths.logFile, 'utf8')).toContain('"store.set_aside"')
    // And the new file keeps what comes next.
    server.answer(serves({ acme: ['a'] }))
    {
      await using daemon = await startDaemon({ home })
      expect((await refresh(daemon)).status).toBe(200)
    }
    await using daemon = await startDaemon({ home })
    expect(await modelIds(daemon, 'acme')).toEqual(['a'])
  })

  it('has a newer schema is refused with both versions, and left unchanged (CAT-156)', async () => {
    await using home = await tempHome()
    {
      await using daemon = await startDaemon({ home })
      await daemon.stop()
    }
    const database = new DatabaseSync(home.paths.databaseFile)
    const ours = Number(database.prepare('PRAGMA user_version').get()?.user_version)
    database.exec(`PRAGMA user_version = ${ours + 41}`)
    database.close()
    const before = await filesOf(home)
    const { code, stdout, stderr } = await runCli(home, ['daemon', 'run'])
    expect(code).toBe(1)
    expect(stdout).toBe('')
    expect(stderr).toMatch(new RegExp(`\\b${ours + 41}\\b`))
    expect(stderr).toMatch(new RegExp(`\\b${ours}\\b`))
    expect(await filesOf(home)).toEqual(before)
  })
})

const isDatabase = (name: string) => name.startsWith('catalog')

/** The names and hashes of everything that belongs to the database. */
async function filesOf(home: TempHome): Promise<Record<string, string>> {
  const names = (await readdir(home.dir)).filter(isDatabase).filter((name) => !name.endsWith('-shm'))
  const hashes = names.map(
    async (name) =>
      [
        name,
        createHash('sha256')
          .update(await readFile(`${home.dir}/${name}`))
          .digest('hex'),
      ] as const,
  )
  return Object.fromEntries(await Promise.all(hashes))
}

async function asideContents(home: TempHome): Promise<Buffer[]> {
  const own = ['catalog.db', 'catalog.db-wal', 'catalog.db-shm']
  const names = (await readdir(home.dir)).filter(
    (name) => isDatabase(name) && !own.includes(name) && !/-(wal|shm)$/.test(name),
  )
  return Promise.all(names.map((name) => readFile(`${home.dir}/${name}`)))
}
