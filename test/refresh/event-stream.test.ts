import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { expect, it } from 'vitest'
import { startDaemon } from '../harness/daemon.ts'
import { startFakeServer } from '../harness/fake-server.ts'
import { openEvents } from '../harness/sse.ts'
import { tempHome } from '../harness/temp-home.ts'
import { within } from '../harness/until.ts'
import { configFor, firstRun, refresh, serves } from './fake-models-dev.ts'

it('sends each event as the very record that is in the log (CAT-081, CAT-127, CAT-133)', async () => {
  await using server = await startFakeServer(serves({ acme: ['a'] }))
  await using home = await tempHome(configFor(server))
  await using daemon = await startDaemon({ home })
  await firstRun(daemon)
  await using events = await openEvents({ socket: await home.socket() })
  server.answer(serves({ acme: ['a', 'b', 'b'], zeta: ['z'] }))
  await refresh(daemon, { source_id: 'models_dev', force: true, request_id: 'watched' })
  server.answer({ kind: 'reply', status: 500 })
  await refresh(daemon, { source_id: 'models_dev', force: true, request_id: 'watched' })
  await events.waitFor(({ event }) => event === 'catalog.refresh.all_failed')

  const ofRun = events.seen.filter(
    ({ event }) => event.startsWith('catalog.refresh') || event.startsWith('catalog.source'),
  )
  expect(ofRun.map(({ event }) => event)).toEqual([
    'catalog.refresh.started',
    'catalog.source.row_count_changed',
    'catalog.source.row_count_changed',
    'catalog.refresh.succeeded',
    'catalog.refresh.started',
    'catalog.refresh.failed',
    'catalog.source.stale_fallback',
    'catalog.refresh.all_failed',
  ])
  const lines = (await readFile(home.paths.logFile, 'utf8')).trimEnd().split('\n')
  for (const { event, data } of ofRun) {
    expect(lines).toContain(data)
    expect(JSON.parse(data)).toMatchObject({ event, refresh_request_id: 'watched', time: expect.any(String) })
  }
})

it('drops a client that stops reading, and nobody else notices (CAT-133)', async () => {
  await using server = await startFakeServer(serves({ acme: ['a'] }))
  await using home = await tempHome(configFor(server))
  await using daemon = await startDaemon({ home })
  await firstRun(daemon)
  await using reader = await openEvents({ socket: await home.socket() })
  const lazy = connect(await home.socket())
  try {
    const closed = new Promise<void>((resolve) => lazy.once('close', () => resolve()))
    lazy.on('error', () => {}) // it is reset when it is dropped
    lazy.write('GET /api/events HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n')
    await new Promise<void>((resolve) => lazy.once('data', () => resolve()))
    lazy.pause()
    // More than the socket's buffers and the megabyte that the daemon keeps for it: an event per provider and refresh.
    const providers = Array.from({ length: 3_000 }, (_, index) => `provider-${index}`)
    for (const models of [['a'], ['a', 'b'], ['a']]) {
      server.answer(serves(Object.fromEntries(providers.map((id) => [id, models]))))
      expect((await refresh(daemon)).status).toBe(200)
    }
    const marker = { source_id: 'config', force: true, request_id: 'marker' }
    await refresh(daemon, marker)
    await reader.waitFor(({ data }) => data.includes('"marker"'))
    lazy.resume() // what is in its buffers comes first, then the end
    await within('the client that did not read to be dropped', closed)
  } finally {
    lazy.destroy()
  }
  expect((await daemon.overSocket('/api/daemon')).status).toBe(200)
})
