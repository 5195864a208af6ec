import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { SignalboxError } from '@signalbox/contract/errors'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Answer, type FakeServer, json, startFakeServer } from '../../../../test/harness/fake-server.ts'
import { createOutboundClient, type OutboundClient, type OutboundRequest } from './client.ts'

const MIB = 1024 * 1024

let server: FakeServer
let client: OutboundClient
beforeEach(async () => {
  server = await startFakeServer()
  client = createOutboundClient({ version: '9.9.9', env: {} })
})
afterEach(async () => {
  await client.close()
  await server.close()
})

const ask = (fields: Partial<OutboundRequest> = {}) =>
  client.get({
    name: 'the catalog',
    url: `${server.url}/api.json`,
    maxBytes: MIB,
    timeoutMs: 10_000,
    signal: new AbortController().signal,
    ...fields,
  })

/** The message of a request that must fail as `source_failed`. */
async function failure(fields: Partial<OutboundRequest> = {}): Promise<string> {
  const error: unknown = await ask(fields).then(
    () => null,
    (reason: unknown) => reason,
  )
  if (!(error instanceof SignalboxError)) throw new Error('expected a SignalboxError', { cause: error })
  expect(error.code).toBe('source_failed')
  // Nothing of a foreign error may travel along into a log.
  expect(error.cause).toBeUndefined()
  return error.message
}

const reply = (body: string | Uint8Array, headers: Record<string, string> = {}): Answer => ({
  kind: 'reply',
  headers: { 'content-type': 'application/json', ...headers },
  body,
})

describe('a good answer', () => {
  it('comes as text with its validators, and the request names us', async () => {
    server.answer(reply('{"a":1}', { etag: 'W/"v1"', 'last-modified': 'Sun, 27 Sep 2026 00:00:00 GMT' }))
    expect(await ask()).toEqual({
      kind: 'text',
      text: '{"a":1}',
      damaged: false,
      etag: 'W/"v1"',
      last_modified: 'Sun, 27 Sep 2026 00:00:00 GMT',
    })
    const headers = server.requests[0]?.headers
    expect(headers).toMatchObject({ 'user-agent': 'signalbox/9.9.9', 'accept-encoding': 'gzip, br, deflate' })
    expect(headers).not.toHaveProperty('if-none-match')
    expect(headers).not.toHaveProperty('if-modified-since')
  })

  it.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['deflate', deflateSync],
  ])('may be compressed with %s', async (encoding, compress) => {
    server.answer(reply(compress('{"a":"ü"}'), { 'content-encoding': encoding }))
    expect(await ask()).toMatchObject({ text: '{"a":"ü"}' })
  })

  it('may begin with a byte order mark', async () => {
    server.answer(reply('\ufeff{}'))
    expect(await ask()).toMatchObject({ text: '{}' })
  })

  it('gives no validator that could not be sent back', async () => {
    server.answer(reply('{}', { etag: '"caf\u00e9"' }))
    expect(await ask()).toMatchObject({ etag: null, last_modified: null })
  })
})

describe('a conditional request', () => {
  it('sends the validators it was given, and 304 means unchanged (CAT-176)', async () => {
    server.answer({ kind: 'reply', status: 304 })
    expect(await ask({ etag: '"v1"', last_modified: 'Sun, 27 Sep 2026 00:00:00 GMT' })).toEqual({ kind: 'unchanged' })
    expect(server.requests[0]?.headers).toMatchObject({
      'if-none-match': '"v1"',
      'if-modified-since': 'Sun, 27 Sep 2026 00:00:00 GMT',
    })
  })

  it('is the only one that 304 can answer', async () => {
    server.answer({ kind: 'reply', status: 304 })
    expect(await failure()).toBe('the catalog answered HTTP 304')
  })
})

describe('an answer that is no use', () => {
  it.each([400, 401, 404, 429, 500, 503])('is refused with HTTP %i (CAT-151)', async (status) => {
    server.answer({ kind: 'reply', status, body: 'sk-secret-in-the-body' })
    expect(await failure()).toBe(`the catalog answered HTTP ${status}`)
  })

  it.each([
    ['by its type', 'anything', 'text/html; charset=utf-8'],
    ['by its first character', ' \n<!doctype html><title>Log in</title>', 'application/json'],
  ])('is refused as a web page, known %s (CAT-151)', async (_, body, type) => {
    server.answer(reply(body, { 'content-type': type }))
    expect(await failure()).toBe('the answer is a web page, not JSON')
  })

  it('is refused when the connection ends in the middle (CAT-151)', async () => {
    server.answer({ kind: 'cut', body: '{"acme":{}}', after: 5 })
    expect(await failure()).toBe('the connection was closed before the answer was complete')
  })

  it('is refused when a compressed answer ends in the middle (CAT-151)', async () => {
    const whole = gzipSync(JSON.stringify({ a: 'x'.repeat(1000) }))
    server.answer(reply(whole.subarray(0, whole.length - 12), { 'content-encoding': 'gzip' }))
    expect(await failure()).toBe('the answer is cut short')
  })

  it.each(['gzip', 'br', 'deflate'])('is refused when it is not %s as it claims', async (encoding) => {
    server.answer(reply('{"not":"compressed at all"}', { 'content-encoding': encoding }))
    expect(await failure()).toBe('the answer is compressed wrongly')
  })

  it('is refused in an encoding that nobody asked for', async () => {
    server.answer(reply('{}', { 'content-encoding': 'zstd' }))
    expect(await failure()).toBe('the answer is compressed in a way that was not asked for')
  })

  it('is refused when it is not UTF-8, or kept and marked where the caller can tell the damage', async () => {
    server.answer(reply(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])))
    expect(await failure()).toBe('the answer is not valid UTF-8')
    expect(await ask({ invalidUtf8: 'replace' })).toMatchObject({ text: '{"\ufffd":1}', damaged: true })
  })
})

describe('the size cap', () => {
  it('takes an answer of exactly its size (CAT-152)', async () => {
    server.answer(reply('1'.repeat(MIB)))
    expect(await ask()).toMatchObject({ kind: 'text' })
  })

  it('refuses one byte more (CAT-152)', async () => {
    server.answer(reply('1'.repeat(MIB + 1)))
    expect(await failure()).toBe('the answer is larger than 1 MiB')
  })

  it.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['deflate', deflateSync],
  ])('counts what %s unpacks to, and ends a bomb there (CAT-152)', async (encoding, compress) => {
    const bomb = compress(Buffer.alloc(32 * MIB))
    expect(bomb.length).toBeLessThan(MIB)
    server.answer(reply(bomb, { 'content-encoding': encoding }))
    expect(await failure()).toBe('the answer is larger than 1 MiB')
  })

  it('ends an endless answer at the cap rather than at the deadline (CAT-152)', async () => {
    await using endless = await rawServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n')
      const more = () => {
        while (socket.writable && socket.write('1'.repeat(65_536)));
      }
      socket.on('drain', more)
      more()
    })
    expect(await failure({ url: endless.url })).toBe('the answer is larger than 1 MiB')
    await endless.disconnected
  })
})

describe('the deadline', () => {
  it('ends a request that is never answered (CAT-153)', async () => {
    server.answer({ kind: 'hang' })
    expect(await failure({ timeoutMs: 50 })).toBe('no complete answer within 0.05 s')
  })

  it('ends an answer that comes a byte at a time (CAT-153)', async () => {
    server.answer({ kind: 'drip', body: JSON.stringify('x'.repeat(10_000)), size: 1, everyMs: 20 })
    expect(await failure({ timeoutMs: 200 })).toBe('no complete answer within 0.2 s')
  })

  it('may be the caller’s, whose words are kept', async () => {
    server.answer({ kind: 'hang' })
    const caller = new AbortController()
    const message = failure({ signal: caller.signal })
    await server.waitForRequests(1)
    caller.abort(new SignalboxError('source_failed', 'no complete answer within 10 s'))
    expect(await message).toBe('no complete answer within 10 s')
  })

  it('does not wait when the caller has already given up', async () => {
    expect(await failure({ signal: AbortSignal.abort() })).toBe('the request was stopped')
    expect(server.requests).toEqual([])
  })
})

describe('redirects', () => {
  const to = (location: string): Answer => ({ kind: 'reply', status: 302, headers: { location } })

  it('are followed within the origin', async () => {
    server.answerOnce(to('/moved/api.json?x=1'))
    server.answerOnce(reply('{"moved":true}'))
    expect(await ask()).toMatchObject({ text: '{"moved":true}' })
    expect(server.requests.map((request) => request.url)).toEqual(['/api.json', '/moved/api.json?x=1'])
  })

  it('to another origin are refused and never asked', async () => {
    await using other = await startFakeServer(json({}))
    server.answer(to(`${other.url}/api.json?token=sk-secret`))
    expect(await failure({ headers: { authorization: 'Bearer sk-secret' } })).toBe(
      'the catalog redirects to another host, which is not followed',
    )
    expect(other.requests).toEqual([])
  })

  it('end after the third', async () => {
    server.answer(to('/again'))
    expect(await failure()).toBe('the catalog redirects more than 3 times')
    expect(server.requests).toHaveLength(4)
  })

  it.each([to('http://'), { kind: 'reply', status: 301 } as const])(
    'without a usable address are refused',
    async (answer) => {
      server.answer(answer)
      expect(await failure()).toBe('the catalog redirects to nowhere')
    },
  )
})

describe('a connection that fails', () => {
  it('because nobody listens is refused', async () => {
    const { url } = server
    await server.close()
    expect(await failure({ url: `${url}/api.json?key=sk-secret` })).toBe('the connection was refused')
  })

  it('because the other side does not speak HTTP quotes none of it (CAT-077)', async () => {
    await using strange = await rawServer((socket) => socket.end('SSH-2.0-sk-secret-banner-of-some-server\r\n'))
    expect(await failure({ url: strange.url })).toBe('the answer is not HTTP')
  })

  it('because the other side does not speak TLS says so', async () => {
    const url = server.url.replace('http:', 'https:')
    expect(await failure({ url })).toBe('no secure connection could be agreed on')
  })
})

describe('the client', () => {
  it('uses the proxy of the environment, but never for this machine', async () => {
    await using proxy = await startFakeServer(json({ via: 'proxy' }))
    await using proxied = createOutboundClient({ version: '1', env: { HTTP_PROXY: proxy.url } })
    const request = { name: 'x', maxBytes: MIB, timeoutMs: 10_000, signal: new AbortController().signal }
    expect(await proxied.get({ ...request, url: 'http://models.invalid/api.json' })).toMatchObject({
      text: '{"via":"proxy"}',
    })
    server.answer(json({ via: 'none' }))
    expect(await proxied.get({ ...request, url: server.url })).toMatchObject({ text: '{"via":"none"}' })
    expect(proxy.requests).toHaveLength(1)
  })

  it.each(['user:sk-secret@', 'sk-secret'])('refuses the proxy %j without showing it', (proxy) => {
    const create = () => createOutboundClient({ version: '1', env: { HTTPS_PROXY: proxy } })
    const message = 'HTTP_PROXY or HTTPS_PROXY is not the URL of a proxy'
    expect(create).toThrow(expect.objectContaining({ code: 'invalid_config', message }))
  })

  it('ends open requests when it is closed', async () => {
    server.answer({ kind: 'hang' })
    const message = failure()
    await server.waitForRequests(1)
    await client.close()
    expect(await message).toBe('the request was stopped')
  })
})

interface RawServer extends AsyncDisposable {
  readonly url: string
  /** Resolves when the first connection has ended. */
  readonly disconnected: Promise<void>
}

/** For answers that no HTTP server would give. Speaks as soon as a request arrives. */
async function rawServer(speak: (socket: Socket) => void): Promise<RawServer> {
  const { promise: disconnected, resolve } = Promise.withResolvers<void>()
  const raw: Server = createServer((socket) => {
    socket.once('close', () => resolve())
    // The client hangs up while we speak: expected here.
    socket.on('error', () => undefined)
    socket.once('data', () => speak(socket))
  })
  raw.listen(0, '127.0.0.1')
  await once(raw, 'listening')
  const { port } = raw.address() as AddressInfo // a TCP server has one
  return {
    url: `http://127.0.0.1:${port}/`,
    disconnected,
    [Symbol.asyncDispose]: async () => {
      raw.close()
      await disconnected
    },
  }
}
