/** What others see, and what becomes of it, while models.dev is being asked. */
import { request } from 'node:http'
import { describe, expect, it } from 'vitest'
import { type RunningDaemon, startDaemon } from '../harness/daemon.ts'
import { startFakeServer } from '../harness/fake-server.ts'
import { openEvents } from '../harness/sse.ts'
import { tempHome } from '../harness/temp-home.ts'
import { until, within } from '../harness/until.ts'
import {
  configFor,
  firstRun,
  MODELS_DEV,
  modelIds,
  REFRESH,
  refresh,
  serves,
  sourcesOf,
  statuses,
} from './fake-models-dev.ts'

/** An answer that is held back until it is released. */
function held(stated: Readonly<Record<string, readonly string[]>>) {
  const { promise, resolve } = Promise.withResolvers<void>()
  const script = async () => {
    await promise
    return serves(stated)
  }
  return { script, release: resolve }
}

/** Reads that are answered after a request was sent on the same socket: by then it has arrived. */
async function arrived(daemon: RunningDaemon): Promise<void> {
  for (let read = 0; read < 3; read += 1) await statuses(daemon)
}

describe('while models.dev is being asked', () => {
  it('statuses say refreshing with what was before, and lists do not wait (CAT-049, CAT-070)', async () => {
    await using server = await startFakeServer(serves({ acme: ['a'] }))
    await using home = await tempHome(configFor(server))
    await using daemon = await startDaemon({ home })
    const [before] = await firstRun(daemon)
    server.answer({ kind: 'hang' })
    const run = refresh(daemon).catch(() => null) // the stop at the end cuts it
    await server.waitForRequests(2)
    expect(await statuses(daemon)).toEqual([{ ...before, refresh_state: 'refreshing' }])
    const overTcp = await daemon.overTcp('/api/providers/acme/models/status?source_id=models_dev')
    expect(overTcp.json()).toEqual({ sources: [{ ...before, refresh_state: 'refreshing' }] })
    expect(await modelIds(daemon, 'acme')).toEqual(['a'])
    expect(server.requests).toHaveLength(2)
    await daemon.stop()
    await run
  })

  it('it goes on, is published and answers the others when a caller hangs up (CAT-082)', async () => {
    await using server = await startFakeServer(serves({ acme: ['a'] }))
    await using home = await tempHome(configFor(server))
    await using daemon = await startDaemon({ home })
    await firstRun(daemon)
    const { script, release } = held({ acme: ['a', 'late'] })
    server.answer(script)
    const headers = { 'content-type': 'application/json' }
    const caller = request({ socketPath: await home.socket(), path: REFRESH, method: 'POST', agent: false, headers })
    const hungUp = new Promise<void>((resolve) => caller.once('error', () => resolve()))
    caller.end(JSON.stringify(MODELS_DEV))
    await server.waitForRequests(2)
    const other = refresh(daemon)
    await arrived(daemon)
    caller.destroy()
    await hungUp
    release()
    expect(sourcesOf(await other)).toMatchObject([{ refresh_state: 'succeeded', row_count: 2 }])
    expect(await modelIds(daemon, 'acme')).toEqual(['a', 'late'])
    expect(server.requests).toHaveLength(2)
  })

  it('the only caller may hang up, too (CAT-082)', async () => {
    await using server = await startFakeServer(serves({ acme: ['a'] }))
    await using home = await tempHome(configFor(server))
    await using daemon = await startDaemon({ home })
    await firstRun(daemon)
    const { script, release } = held({ acme: ['late'] })
    server.answer(script)
    const headers = { 'content-type': 'application/json' }
    const caller = request({ socketPath: await home.socket(), path: REFRESH, method: 'POST', agent: false, headers })
    const hungUp = new Promise<void>((resolve) => caller.once('error', () => resolve()))
    caller.end(JSON.stringify(MODELS_DEV))
    await server.waitForRequests(2)
    caller.destroy()
    await hungUp
    release()
    await until('the rows to be published', async () => (await modelIds(daemon, 'acme')).includes('late'))
  })

  it('one download feeds all providers and all who ask meanwhile, with equal answers (CAT-085, CAT-175)', async () => {
    await using server = await startFakeServer(serves({ acme: ['a'], zeta: ['z'] }))
    await using home = await tempHome(configFor(server))
    await using daemon = await startDaemon({ home })
    await firstRun(daemon)
    const { script, release } = held({ acme: ['a'], zeta: ['z'] })
    server.answer(script)
    const same = Array.from({ length: 5 }, () => refresh(daemon))
    const others = [
      daemon.overSocket('/api/providers/acme/models/refresh', { method: 'POST', body: MODELS_DEV }),
      daemon.overSocket('/api/providers/zeta/models/refresh', { method: 'POST', body: MODELS_DEV }),
      daemon.overSocket('/api/providers/models?refresh=true&provider_id=acme'),
    ]
    await server.waitForRequests(2)
    await arrived(daemon)
    release()
    const bodies = (await Promise.all(same)).map((answer) => JSON.stringify(sourcesOf(answer)))
    expect(new Set(bodies).size).toBe(1)
    for (const answer of await Promise.all(others)) expect(answer.status).toBe(200)
    expect(server.requests).toHaveLength(2)
  })
})

describe('stopping while models.dev is being asked', () => {
  it('ends within 5 s, aborts the request and answers the caller 503 (CAT-092)', async () => {
    await using server = await startFakeServer({ kind: 'hang' })
    await using home = await tempHome(configFor(server, { timeout: '10m' }))
    await using daemon = await startDaemon({ home })
    await server.waitForRequests(1) // the scheduler's
    const waiting = refresh(daemon)
    await using events = await openEvents({ socket: await home.socket() })
    const started = performance.now()
    const stopped = daemon.stop('SIGTERM')
    const answer = await within('an answer', waiting, 5_000)
    expect([answer.status, answer.json()]).toMatchObject([503, { error: { code: 'shutting_down' } }])
    await events.waitFor(({ event }) => event === 'catalog.refresh.failed')
    expect(await stopped).toEqual({ code: 0, signal: null })
    expect(performance.now() - started).toBeLessThan(5_000)
    expect(daemon.stderr()).toBe('')
  })

  it('refuses every refresh that comes later with 503, or is gone (CAT-092)', async () => {
    await using server = await startFakeServer({ kind: 'hang' })
    await using home = await tempHome(configFor(server, { timeout: '10m' }))
    await using daemon = await startDaemon({ home })
    await server.waitForRequests(1)
    await using events = await openEvents({ socket: await home.socket() })
    const stopped = daemon.stop('SIGTERM')
    await events.waitFor(({ event }) => event === 'daemon.stopping')
    const late = await Promise.allSettled(Array.from({ length: 20 }, () => refresh(daemon)))
    for (const one of late) {
      // Expected of the rejected: nobody listens any more, or the connection was cut.
      if (one.status === 'fulfilled')
        expect([one.value.status, one.value.json()]).toMatchObject([503, { error: { code: 'shutting_down' } }])
    }
    expect(await stopped).toEqual({ code: 0, signal: null })
    expect(server.requests).toHaveLength(1)
  })

  it('leaves the rows fresh for the next start (CAT-092)', async () => {
    await using server = await startFakeServer(serves({ acme: ['a'] }))
    await using home = await tempHome(configFor(server))
    {
      await using daemon = await startDaemon({ home })
      await firstRun(daemon)
      server.answer({ kind: 'hang' })
      const run = refresh(daemon)
      await server.waitForRequests(2)
      await daemon.stop()
      expect((await run).status).toBe(503)
    }
    await using daemon = await startDaemon({ home })
    expect(await statuses(daemon)).toMatchObject([{ refresh_state: 'succeeded', stale: false, row_count: 1 }])
    expect(server.requests).toHaveLength(2)
  })
})
