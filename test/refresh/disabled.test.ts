import { expect, it } from 'vitest'
import { startDaemon } from '../harness/daemon.ts'
import { startFakeServer } from '../harness/fake-server.ts'
import { tempHome } from '../harness/temp-home.ts'
import { until } from '../harness/until.ts'
import { configFor, firstRun, modelIds, refresh, serves, sourcesOf, statuses } from './fake-models-dev.ts'

const DISABLED = {
  refresh_state: 'disabled',
  provider_id: null,
  row_count: 0,
  stale: false,
  next_refresh: null,
  last_error: null,
}

it('a disabled models.dev is never asked, and fails no refresh (CAT-073, CAT-080)', async () => {
  await using server = await startFakeServer(serves({ acme: ['a'] }))
  await using home = await tempHome(configFor(server, { enabled: false }))
  await using daemon = await startDaemon({ home })
  expect(await statuses(daemon)).toMatchObject([DISABLED])
  expect(sourcesOf(await refresh(daemon))).toMatchObject([DISABLED])
  const whole = await refresh(daemon, { force: true })
  expect(whole.headers['signalbox-outcome']).toBe('succeeded')
  expect(server.requests).toEqual([])
})

it('loses its rows when it is disabled, and gets them back when it is enabled (CAT-073)', async () => {
  await using server = await startFakeServer(serves({ acme: ['a'] }))
  await using home = await tempHome(configFor(server))
  {
    await using daemon = await startDaemon({ home })
    await firstRun(daemon)
    await home.configure(configFor(server, { enabled: false }))
    await until('the rows to go', async () => (await modelIds(daemon, 'acme')).length === 0)
    expect(await statuses(daemon)).toMatchObject([DISABLED])
  }
  await using daemon = await startDaemon({ home })
  expect(await modelIds(daemon, 'acme')).toEqual([])
  expect(server.requests).toHaveLength(1)
  await home.configure(configFor(server))
  await until('the rows to be back', async () => (await modelIds(daemon, 'acme')).length === 1)
  expect(server.requests).toHaveLength(2)
})

it('brings no rows when it is disabled while it is asked (CAT-073)', async () => {
  const { promise, resolve: release } = Promise.withResolvers<void>()
  await using server = await startFakeServer(async () => {
    await promise
    return serves({ acme: ['a'] })
  })
  await using home = await tempHome(configFor(server))
  await using daemon = await startDaemon({ home })
  const run = refresh(daemon)
  await server.waitForRequests(1)
  await home.configure(configFor(server, { enabled: false }))
  await until('the source to be disabled', async () => (await statuses(daemon))[0]?.refresh_state === 'disabled')
  release()
  expect(sourcesOf(await run)).toMatchObject([DISABLED])
  expect(await modelIds(daemon, 'acme')).toEqual([])
})
