import { rmSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type BuiltCli, buildCli, newHome } from '../built-cli.cases.ts'
import { errorJson, type StandIn, standIn } from '../stand-in.cases.ts'

let cli: BuiltCli
let home: string
beforeAll(async () => {
  cli = await buildCli()
})
afterAll(() => cli[Symbol.dispose]())
beforeEach(() => {
  home = newHome()
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

interface Outcome {
  readonly status?: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Tells two events of the refresh, and one of somebody else's, before it answers. */
async function refreshing({ status = 200, headers, body }: Outcome): Promise<StandIn> {
  const listeners: ServerResponse[] = []
  const daemon = await standIn(home, (incoming, outgoing) => {
    if (incoming.url === '/api/events') {
      outgoing.writeHead(200, { 'Content-Type': 'text/event-stream' })
      outgoing.write(': listening\n\n')
      listeners.push(outgoing)
      return
    }
    const { request_id } = JSON.parse(daemon.asked.at(-1)?.body ?? '{}') as { request_id: string }
    const tell = (event: string, fields: object) => {
      const data = JSON.stringify({
        event,
        refresh_request_id: request_id,
        source_id: 'models_dev',
        provider_id: null,
        ...fields,
      })
      for (const listener of listeners) listener.write(`event: ${event}\ndata: ${data}\n\n`)
    }
    tell('catalog.refresh.started', {})
    tell('catalog.refresh.succeeded', { refresh_request_id: 'somebody-else', row_count: 99, duration_ms: 1 })
    tell('catalog.refresh.succeeded', { row_count: 12, duration_ms: 300 })
    setImmediate(() => outgoing.writeHead(status, headers).end(body))
  })
  return daemon
}

const statuses = 'models_dev  failed\n'
const refresh = ['provider', 'models', 'refresh']

describe('provider models refresh', () => {
  it('sends what the flags mean, and a request id of its own when none is given (CAT-103)', async () => {
    await using daemon = await refreshing({ headers: { 'Signalbox-Outcome': 'succeeded' }, body: statuses })
    await cli.run(home, [
      ...refresh,
      'openai',
      '--source',
      'provider_live:openai',
      '--force',
      '--request-id',
      'mine',
      '--quiet',
    ])
    await cli.run(home, [...refresh, '--quiet'])
    const [first, second] = daemon.asked
    expect(first).toMatchObject({
      method: 'POST',
      url: '/api/providers/openai/models/refresh',
      headers: { 'content-type': 'application/json' },
    })
    expect(JSON.parse(first?.body ?? '')).toEqual({
      source_id: 'provider_live:openai',
      force: true,
      request_id: 'mine',
    })
    expect(second?.url).toBe('/api/providers/models/refresh')
    expect(JSON.parse(second?.body ?? '')).toEqual({ request_id: expect.stringMatching(/^rfsh-[0-9a-f-]{36}$/) })
  })

  it('tells its own progress on stderr and the statuses on stdout', async () => {
    await using _daemon = await refreshing({ headers: { 'Signalbox-Outcome': 'succeeded' }, body: statuses })
    expect(await cli.run(home, refresh)).toEqual({
      code: 0,
      stdout: statuses,
      stderr: 'models_dev: asking\nmodels_dev: 12 models in 0.3 s\n',
    })
  })

  it('tells what comes only after the answer, which is on another socket', async () => {
    const listeners: ServerResponse[] = []
    await using daemon = await standIn(home, (incoming, outgoing) => {
      if (incoming.url === '/api/events') {
        listeners.push(outgoing)
        outgoing.write(': listening\n\n')
        return
      }
      const { request_id } = JSON.parse(daemon.asked.at(-1)?.body ?? '{}') as { request_id: string }
      const data = { refresh_request_id: request_id, source_id: 'config', provider_id: null, row_count: 3 }
      outgoing.writeHead(200, { 'Signalbox-Outcome': 'succeeded' })
      outgoing.end(statuses, () => {
        for (const event of ['catalog.refresh.started', 'catalog.refresh.succeeded']) {
          for (const listener of listeners)
            listener.write(`data: not json\n\ndata: ${JSON.stringify({ event, ...data })}\n\n`)
        }
      })
    })
    expect((await cli.run(home, refresh)).stderr).toBe('config: asking\nconfig: 3 models\n')
  })

  it('tells no progress, and opens no event stream, with --quiet', async () => {
    await using daemon = await refreshing({ headers: { 'Signalbox-Outcome': 'succeeded' }, body: statuses })
    expect(await cli.run(home, [...refresh, '--quiet'])).toEqual({ code: 0, stdout: statuses, stderr: '' })
    expect(daemon.asked).toHaveLength(1)
  })

  it.each([
    ['succeeded', 0],
    ['none', 0],
    ['failed', 1],
  ])('that %s exits %i, and prints the statuses either way (CAT-107)', async (outcome, code) => {
    await using _daemon = await refreshing({ headers: { 'Signalbox-Outcome': outcome }, body: statuses })
    expect(await cli.run(home, [...refresh, '--quiet'])).toMatchObject({ code, stdout: statuses })
  })

  it.each([['table'], ['json'], ['jsonl']])(
    'that failed altogether prints the statuses as %s, and exits 1 (CAT-105, CAT-107)',
    async (format) => {
      const headers = { 'Signalbox-Outcome': 'failed', 'Signalbox-Error': 'all_sources_failed' }
      await using _daemon = await refreshing({ status: 503, headers, body: statuses })
      const run = await cli.run(home, [...refresh, '--quiet', '-o', format])
      expect(run).toMatchObject({ code: 1, stdout: statuses })
      expect(run.stderr).toContain('every source that was tried failed')
    },
  )

  it('that was refused prints nothing on stdout', async () => {
    await using _daemon = await refreshing({
      status: 503,
      headers: { 'Signalbox-Error': 'shutting_down' },
      body: errorJson({ code: 'shutting_down', message: 'stopping' }),
    })
    expect(await cli.run(home, [...refresh, '--quiet'])).toEqual({ code: 1, stdout: '', stderr: 'error: stopping\n' })
  })

  it('goes on without progress when the daemon has no event stream', async () => {
    await using _daemon = await standIn(home, (incoming, outgoing) => {
      if (incoming.url === '/api/events') outgoing.writeHead(404).end(errorJson({ code: 'not_found', message: 'no' }))
      else outgoing.writeHead(200, { 'Signalbox-Outcome': 'none' }).end(statuses)
    })
    expect(await cli.run(home, refresh)).toEqual({ code: 0, stdout: statuses, stderr: '' })
  })
})
