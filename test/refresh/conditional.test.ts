import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { startDaemon } from '../harness/daemon.ts'
import { startFakeServer } from '../harness/fake-server.ts'
import { tempHome } from '../harness/temp-home.ts'
import { configFor, document, firstRun, modelIds, refresh, serves, sourcesOf } from './fake-models-dev.ts'

it('asks conditionally, across a restart, and 304 renews the TTL and keeps the rows (CAT-176)', async () => {
  await using server = await startFakeServer(({ headers }) =>
    headers['if-none-match'] === '"v1"' ? { kind: 'reply', status: 304 } : serves({ acme: ['a'] }, { etag: '"v1"' }),
  )
  await using home = await tempHome(configFor(server))
  {
    await using daemon = await startDaemon({ home })
    const [first] = await firstRun(daemon)
    expect(server.requests[0]?.headers).not.toHaveProperty('if-none-match')
    const [second] = sourcesOf(await refresh(daemon))
    expect(server.requests[1]?.headers['if-none-match']).toBe('"v1"')
    expect(second).toMatchObject({ refresh_state: 'succeeded', row_count: 1, stale: false, last_error: null })
    expect(Date.parse(second?.next_refresh ?? '')).toBeGreaterThanOrEqual(
      Date.parse(first?.last_refresh ?? '') + 21 * 3_600_000,
    )
  }
  await using daemon = await startDaemon({ home })
  expect(sourcesOf(await refresh(daemon))).toMatchObject([{ refresh_state: 'succeeded', row_count: 1 }])
  expect(server.requests[2]?.headers['if-none-match']).toBe('"v1"')
  expect(await modelIds(daemon, 'acme')).toEqual(['a'])
})

it('asks a new endpoint at once, and without the validators of the old one (CAT-176)', async () => {
  await using old = await startFakeServer(serves({ acme: ['a'] }, { etag: '"v1"' }))
  await using next = await startFakeServer(serves({ acme: ['b'] }))
  await using home = await tempHome(configFor(old))
  await using daemon = await startDaemon({ home })
  await firstRun(daemon)
  await home.configure(configFor(next))
  await next.waitForRequests(1)
  expect(next.requests[0]?.headers).not.toHaveProperty('if-none-match')
  expect(old.requests).toHaveLength(1)
})

it('never stores the body it downloaded (CAT-175)', async () => {
  const body = { ...document({ acme: ['a'] }), zzz: { note: 'raw-body-canary-0123456789', models: {} } }
  await using server = await startFakeServer({ kind: 'reply', body: JSON.stringify(body) })
  await using home = await tempHome(configFor(server))
  await using daemon = await startDaemon({ home })
  await firstRun(daemon)
  await daemon.stop()
  const database = await readFile(home.paths.databaseFile, 'latin1')
  expect(database).toContain('acme')
  expect(database).not.toContain('raw-body-canary')
})
