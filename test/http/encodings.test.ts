import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { oneDaemon } from './one-daemon.ts'

const daemon = oneDaemon()
const get = (encoding: string, headers: Record<string, string> = {}, path = '/api/providers/models') =>
  daemon().overTcp(path, { headers: { 'accept-encoding': encoding, ...headers } })

const NEGOTIATED: readonly (readonly [header: string, coding: string | undefined])[] = [
  ['identity', undefined],
  ['', undefined],
  ['deflate', undefined],
  ['gzip', 'gzip'],
  ['br', 'br'],
  ['gzip, deflate, br', 'br'],
  ['gzip;q=1.0, br;q=0.5', 'gzip'],
  ['GZIP', 'gzip'],
  ['br;q=0, gzip;q=0.1', 'gzip'],
  ['br;q=0', undefined],
  ['*', 'br'],
  ['*;q=0', undefined],
  ['gzip;q=nonsense', undefined],
]

describe('an encoded list', () => {
  it('decompresses to the plain bytes in every encoding (CAT-054)', async () => {
    const [plain, gzip, br] = await Promise.all([get('identity'), get('gzip'), get('br')])
    expect(gunzipSync(gzip.body).equals(plain.body)).toBe(true)
    expect(brotliDecompressSync(br.body).equals(plain.body)).toBe(true)
    expect(gzip.body.length).toBeLessThan(plain.body.length / 5)
    for (const answer of [plain, gzip, br]) {
      expect(answer.headers['content-length']).toBe(String(answer.body.length))
      expect(answer.headers.vary).toMatch(/accept-encoding/i)
      expect(answer.headers.vary).toMatch(/accept(,|$)/i)
    }
  })

  it.each(NEGOTIATED)('for "%s" comes as %s (CAT-054)', async (header, coding) => {
    const answer = await get(header, {}, '/api/providers/openai/models')
    expect([answer.status, answer.headers['content-encoding']]).toEqual([200, coding])
  })

  it('has a strong tag of its own per encoding, stable while nothing changes (CAT-054)', async () => {
    const tags = await Promise.all(
      ['identity', 'gzip', 'br', 'identity'].map(async (coding) => (await get(coding)).headers.etag),
    )
    expect(new Set(tags).size).toBe(3)
    expect(tags[0]).toBe(tags[3])
    for (const tag of tags) expect(tag).toMatch(/^"[^"]+"$/)
  })

  it.each(['identity', 'gzip', 'br'])('as %s is not sent again to who has it (CAT-054)', async (coding) => {
    const { headers } = await get(coding)
    const tag = headers.etag ?? ''
    for (const match of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const again = await get(coding, { 'if-none-match': match })
      expect([again.status, again.body.length, again.headers.etag]).toEqual([304, 0, tag])
      expect(again.headers.vary).toBe(headers.vary)
      expect(again.headers['content-type']).toBeUndefined()
    }
    for (const other of ['"other"', tag.slice(1, -1)])
      expect((await get(coding, { 'if-none-match': other })).status).toBe(200)
  })

  it('with the tag of another encoding or representation is sent (CAT-054)', async () => {
    const { headers } = await get('gzip')
    expect((await get('br', { 'if-none-match': headers.etag ?? '' })).status).toBe(200)
    expect((await get('gzip', { 'if-none-match': headers.etag ?? '', accept: 'text/plain' })).status).toBe(200)
  })

  it('has another tag after the models changed (CAT-054)', async () => {
    const before = await get('gzip', {}, '/api/providers/models?limit=1')
    await daemon().home.configure(
      '[daemon]\nport = 0\n[model_catalog.sources.models_dev]\nenabled = false\n[[providers.0.models.curated]]\nid = "first"\n',
    )
    const refreshed = await daemon().overTcp('/api/providers/models/refresh', {
      method: 'POST',
      body: { source_id: 'config', force: true },
    })
    expect(refreshed.status).toBe(200)
    const after = await get('gzip', { 'if-none-match': before.headers.etag ?? '' }, '/api/providers/models?limit=1')
    expect(after.status).toBe(200)
    expect(gunzipSync(after.body).toString()).toContain('"model_id":"first"')
  })
})

describe('HEAD', () => {
  it.each([
    '/api/providers/models',
    '/api/providers/openai/models',
    '/api/daemon',
    '/api/openapi.json',
    '/api/openai/v1/models',
    '/api/docs',
    '/api/nope',
  ])('of %s has the headers of GET and no body (CAT-148)', async (path) => {
    const [head, body] = await Promise.all([daemon().overTcp(path, { method: 'HEAD' }), daemon().overTcp(path)])
    const { date: _sentAt, ...expected } = body.headers
    expect(head.headers).toMatchObject(expected)
    expect([head.status, head.body.length]).toEqual([body.status, 0])
  })

  it('of the event stream ends', async () => {
    const answer = await daemon().overTcp('/api/events', { method: 'HEAD' })
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'text/event-stream'])
  })
})
