import { SignalboxError } from '@signalbox/contract/errors'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Answer, type FakeServer, json, startFakeServer } from '../../../../test/harness/fake-server.ts'
import { createOutboundClient, type OutboundClient } from '../http/client.ts'
import { modelsDevSource } from './models-dev.ts'
import type { Source, SourceAnswer } from './source.ts'

let server: FakeServer
let client: OutboundClient
let source: Source
beforeEach(async () => {
  server = await startFakeServer()
  client = createOutboundClient({ version: '1.0.0', env: {} })
  source = sourceAt(server.url)
})
afterEach(async () => {
  await client.close()
  await server.close()
})

const sourceAt = (url: string, timeoutMs = 10_000) =>
  modelsDevSource({ endpoint: `${url}/api.json`, ttlMs: 86_400_000, timeoutMs, enabled: true }, client)

const NEVER = new AbortController().signal
const list = (validators: Record<string, string> = {}, signal = NEVER, from = source) =>
  from.list({ provider_id: null, signal, now: 0, validators })

const CATALOG = {
  acme: { name: 'Acme', models: { 'a/1': { id: 'a/1', name: 'One', cost: { input: 0 } }, broken: {} } },
  zeta: { models: { z: { id: 'z' } } },
}

/** Ids of all rows, as `provider model`. */
const idsOf = (answer: SourceAnswer) =>
  answer.kind === 'rows'
    ? answer.lists.flatMap(({ provider_id, rows }) => rows.map((row) => `${provider_id} ${row.model_id}`))
    : null

describe('the models.dev source', () => {
  it('is global, needs the network and is known by its endpoint', () => {
    expect(source).toMatchObject({
      id: 'models_dev',
      kind: 'models_dev',
      scope: { kind: 'global' },
      ttlMs: 86_400_000,
      timeoutMs: 10_000,
      enabled: true,
      network: true,
      mayBeEmpty: false,
      identity: `${server.url}/api.json`,
    })
  })

  it('gives the rows of every provider, what it dropped, and the validators', async () => {
    server.answer(json(CATALOG, { headers: { etag: '"1"' } }))
    const answer = await list()
    expect(idsOf(answer)).toEqual(['acme a/1', 'zeta z'])
    expect(answer).toMatchObject({
      rejected: [{ provider_id: 'acme', model_id: null, reason: 'no id' }],
      validators: { etag: '"1"' },
    })
    expect(server.requests[0]?.headers).not.toHaveProperty('if-none-match')
  })

  it('asks conditionally when it was given validators, and 304 leaves all as it was (CAT-176)', async () => {
    server.answer({ kind: 'reply', status: 304 })
    expect(await list({ etag: '"1"' })).toEqual({ kind: 'unchanged' })
    expect(server.requests[0]?.headers['if-none-match']).toBe('"1"')
  })

  it('downloads once for overlapping calls, and again for a later one (CAT-175)', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    server.answer(async () => {
      await released
      return json(CATALOG)
    })
    const calls = [list(), list(), list()]
    await server.waitForRequests(1)
    calls.push(list())
    release()
    const answers = await Promise.all(calls)
    expect(server.requests).toHaveLength(1)
    for (const answer of answers) expect(answer).toBe(answers[0])
    await list()
    expect(server.requests).toHaveLength(2)
  })

  it('does not tell a call without validators that nothing changed (CAT-176)', async () => {
    server.answer(({ headers }) =>
      headers['if-none-match'] === undefined ? json(CATALOG) : { kind: 'reply', status: 304 },
    )
    const [conditional, plain] = await Promise.all([list({ etag: '"1"' }), list()])
    expect([conditional.kind, plain.kind]).toEqual(['unchanged', 'rows'])
  })

  it('goes on for the others when one caller gives up', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    server.answer(async () => {
      await released
      return json(CATALOG)
    })
    const impatient = new AbortController()
    const [first, second] = [list({}, impatient.signal), list()]
    await server.waitForRequests(1)
    impatient.abort()
    await expect(first).rejects.toMatchObject({ message: 'the request was stopped' })
    release()
    expect(idsOf(await second)).toEqual(['acme a/1', 'zeta z'])
  })

  it('hangs up when the last caller gives up, and starts anew for the next', async () => {
    server.answerOnce({ kind: 'hang' })
    server.answer(json(CATALOG))
    const stop = new AbortController()
    const call = list({}, stop.signal)
    await server.waitForRequests(1)
    stop.abort(new SignalboxError('source_failed', 'no complete answer within 10 s'))
    await expect(call).rejects.toMatchObject({ message: 'no complete answer within 10 s' })
    expect((await list()).kind).toBe('rows')
  })

  const bad: readonly (readonly [string, Answer, string])[] = [
    [
      'a web page',
      { kind: 'reply', headers: { 'content-type': 'text/html' }, body: '<html>' },
      'the answer is a web page, not JSON',
    ],
    [
      'JSON cut short',
      { kind: 'reply', body: JSON.stringify(CATALOG).slice(0, -3) },
      'the answer is cut short or not valid JSON',
    ],
    [
      'a bad provider in good JSON',
      { kind: 'reply', body: '{"acme":{"models":{}}, "zeta":{"models":nil}}' },
      'the answer is cut short or not valid JSON',
    ],
    ['nothing', { kind: 'reply', body: '' }, 'the answer is cut short or not valid JSON'],
    ['a list', json([]), 'the answer is cut short or not valid JSON'],
    ['an empty catalog', json({}), 'the answer holds no models'],
    ['an error in JSON', json({ error: { message: 'sk-secret' } }), 'the answer holds no models'],
    [
      'a connection that breaks',
      { kind: 'cut', body: JSON.stringify(CATALOG), after: 20 },
      'the connection was closed before the answer was complete',
    ],
    ['HTTP 503', { kind: 'reply', status: 503 }, 'models.dev answered HTTP 503'],
  ]
  it.each(bad)('fails on %s (CAT-151)', async (_, answer, message) => {
    server.answer(answer)
    await expect(list()).rejects.toMatchObject({ code: 'source_failed', message })
  })

  it('fails above 32 MiB (CAT-152)', async () => {
    server.answer({ kind: 'reply', body: Buffer.alloc(32 * 1024 * 1024 + 1, ' ') })
    await expect(list()).rejects.toMatchObject({ message: 'the answer is larger than 32 MiB' })
  })

  it('fails at its deadline (CAT-153)', async () => {
    server.answer({ kind: 'hang' })
    const call = list({}, NEVER, sourceAt(server.url, 50))
    await expect(call).rejects.toMatchObject({ message: 'no complete answer within 0.05 s' })
  })

  it('drops the row that is not valid UTF-8 and keeps the others (CAT-155)', async () => {
    const text = '{"acme":{"models":{"a":{"id":"a","name":"caf\u00e9"},"b":{"id":"b"}}}}'
    server.answer({ kind: 'reply', body: Buffer.from(text, 'latin1') })
    const answer = await list()
    expect(idsOf(answer)).toEqual(['acme b'])
    expect(answer).toMatchObject({ rejected: [{ provider_id: 'acme', model_id: 'a', reason: 'not valid UTF-8' }] })
  })

  it('names a provider that comes twice (CAT-155)', async () => {
    server.answer({ kind: 'reply', body: '{"acme":{"models":{"a":{"id":"a"}}},"acme":{"models":{"b":{"id":"b"}}}}' })
    const answer = await list()
    expect(idsOf(answer)).toEqual(['acme a'])
    expect(answer).toMatchObject({
      rejected: [{ provider_id: 'acme', model_id: null, reason: 'the provider is repeated' }],
    })
  })
})
