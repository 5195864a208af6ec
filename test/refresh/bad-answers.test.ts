/** What a broken, hostile or absent models.dev does to a daemon that already has its rows: nothing but a stale label. */
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { RefreshFailureBody } from '../../packages/contract/src/error-body.ts'
import { type RunningDaemon, startDaemon } from '../harness/daemon.ts'
import { type Answer, type FakeServer, startFakeServer } from '../harness/fake-server.ts'
import { type TempHome, tempHome } from '../harness/temp-home.ts'
import { configFor, document, firstRun, modelIds, refresh, serves, sourcesOf, statuses } from './fake-models-dev.ts'

const GOOD = { acme: ['a', 'b'], zeta: ['z'] }
const MIB = 1024 * 1024

let server: FakeServer
let home: TempHome
let daemon: RunningDaemon
beforeAll(async () => {
  server = await startFakeServer(serves(GOOD))
  home = await tempHome(configFor(server, { timeout: '1s' }))
  daemon = await startDaemon({ home })
  await firstRun(daemon)
})
afterAll(async () => {
  await daemon[Symbol.asyncDispose]()
  await home[Symbol.asyncDispose]()
  await server.close()
})
beforeEach(async () => {
  server.answer(serves(GOOD))
  expect(sourcesOf(await refresh(daemon)).map(({ refresh_state }) => refresh_state)).toEqual(['succeeded', 'succeeded'])
})

const bad: readonly (readonly [string, Answer, RegExp])[] = [
  ['is a web page', { kind: 'reply', headers: { 'content-type': 'text/html' }, body: '<html>' }, /web page/],
  ['is a web page that calls itself JSON', { kind: 'reply', body: '<!DOCTYPE html><title>Log in' }, /web page/],
  ['is cut short in its JSON', { kind: 'reply', body: JSON.stringify(document(GOOD)).slice(0, -2) }, /cut short/],
  ['breaks off', { kind: 'cut', body: JSON.stringify(document(GOOD)), after: 40 }, /closed before/],
  ['is no JSON', { kind: 'reply', body: 'null pointer' }, /not valid JSON/],
  ['holds no models', { kind: 'reply', body: '{}' }, /no models/],
  ['is HTTP 500', { kind: 'reply', status: 500, body: JSON.stringify(document(GOOD)) }, /HTTP 500/],
  ['is HTTP 401', { kind: 'reply', status: 401 }, /HTTP 401/],
  [
    'is gzip that is none',
    { kind: 'reply', headers: { 'content-encoding': 'gzip' }, body: 'no' },
    /compressed wrongly|cut short/,
  ],
]

describe('an answer of models.dev that', () => {
  const expectKept = async (problem: RegExp) => {
    const answer = await refresh(daemon)
    const found = sourcesOf(answer)
    expect(found).toMatchObject([
      {
        provider_id: 'acme',
        refresh_state: 'failed',
        stale: true,
        row_count: 2,
        last_error: expect.stringMatching(problem),
      },
      { provider_id: 'zeta', refresh_state: 'failed', stale: true, row_count: 1 },
    ])
    expect(answer.headers['signalbox-outcome']).toBe('failed')
    expect(await modelIds(daemon, 'acme')).toEqual(['a', 'b'])
    const listed = await daemon.overSocket('/api/providers/models?provider_id=acme')
    expect(listed.json()).toMatchObject({ models: [{ stale: true }, { stale: true }] })
  }

  it.each(bad)('%s leaves the rows, marked stale (CAT-089, CAT-151)', async (_, answer, problem) => {
    server.answer(answer)
    await expectKept(problem)
  })

  it('is above 32 MiB is aborted there (CAT-152)', async () => {
    server.answer({ kind: 'reply', body: Buffer.alloc(33 * MIB, ' ') })
    await expectKept(/32 MiB/)
  })

  it('is small, but above 32 MiB once decompressed, is aborted there (CAT-152)', async () => {
    const bomb = gzipSync(Buffer.alloc(200 * MIB, ' '))
    expect(bomb.length).toBeLessThan(MIB)
    server.answer({ kind: 'reply', headers: { 'content-encoding': 'gzip' }, body: bomb })
    await expectKept(/32 MiB/)
  })

  it('never comes ends at the deadline (CAT-153)', async () => {
    server.answer({ kind: 'hang' })
    await expectKept(/within 1 s/)
  })

  it('comes a byte at a time ends at the deadline (CAT-153)', async () => {
    server.answer({ kind: 'drip', body: JSON.stringify(document(GOOD)), size: 1, everyMs: 100 })
    await expectKept(/within 1 s/)
  })

  it('has bad rows keeps the others (CAT-155)', async () => {
    server.answer({
      kind: 'reply',
      body: JSON.stringify({
        acme: { models: { a: { id: 'a' }, b: { id: 'b' }, c: {} } },
        zeta: { models: { z: { id: 'z' } } },
      }),
    })
    expect(sourcesOf(await refresh(daemon))).toMatchObject([{ refresh_state: 'succeeded', row_count: 2 }, {}])
  })
})

it('a first answer that fails, with no row kept, is 503 with the statuses (CAT-068, CAT-090)', async () => {
  await using down = await startFakeServer({ kind: 'reply', status: 503 })
  await using other = await tempHome(configFor(down))
  await using fresh = await startDaemon({ home: other })
  expect(await firstRun(fresh)).toMatchObject([{ provider_id: null, refresh_state: 'failed' }])
  const answer = await refresh(fresh)
  expect(answer.status).toBe(503)
  expect(RefreshFailureBody.parse(answer.json())).toMatchObject({
    error: { code: 'all_sources_failed' },
    sources: [
      {
        source_id: 'models_dev',
        provider_id: null,
        refresh_state: 'failed',
        row_count: 0,
        last_error: 'models.dev answered HTTP 503',
      },
    ],
  })
  // The other sources of a whole refresh succeed, so that is no failure.
  const whole = await refresh(fresh, { force: true })
  expect(whole.status).toBe(200)
  expect(sourcesOf(whole).find(({ source_id }) => source_id === 'models_dev')?.refresh_state).toBe('failed')
  // Within its back-off it is not contacted again.
  const before = down.requests.length
  expect((await refresh(fresh, { source_id: 'models_dev' })).status).toBe(200)
  expect(down.requests).toHaveLength(before)
  expect((await statuses(fresh))[0]?.refresh_state).toBe('failed')
})
