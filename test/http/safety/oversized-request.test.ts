/** Requests that are too large: they cost no memory, and their senders learn why. */
import { describe, expect, it } from 'vitest'
import { rawBytes, tokenOf } from '../../harness/http.ts'
import { errorOf, oneDaemon, refreshesDuring } from '../one-daemon.ts'

const MIB = 1024 * 1024
const daemon = oneDaemon()
const REFRESH = '/api/providers/models/refresh'
const JSON_TYPE = { 'content-type': 'application/json' }
const padded = (bytes: number) => `{}${' '.repeat(bytes - 2)}`
const post = (body: string, headers: Record<string, string> = {}) =>
  daemon().overTcp(REFRESH, { method: 'POST', body, headers: { ...JSON_TYPE, ...headers } })
const head = async () => `Host: ${new URL(daemon().url).host}\r\nAuthorization: Bearer ${await tokenOf(daemon().home)}`
const raw = async (bytes: string, target: { url: string } | { socket: string } = { url: daemon().url }) => {
  const [start, body] = (await rawBytes(target, bytes)).toString().split('\r\n\r\n')
  return {
    status: Number(start?.split(' ')[1]),
    error: (JSON.parse(body ?? '') as { error: { code: string; type?: string } }).error,
  }
}

describe('a body', () => {
  it('of 1 MiB is taken (CAT-147)', async () => {
    expect((await post(padded(MIB))).status).toBe(200)
    expect((await post(padded(MIB), { 'transfer-encoding': 'chunked' })).status).toBe(200)
  })

  it('of one byte more is refused, with and without a stated length, and nothing runs (CAT-147)', async () => {
    const started = await refreshesDuring(daemon(), async () => {
      expect(errorOf(await post(padded(MIB + 1))).code).toBe('body_too_large')
      expect(errorOf(await post(padded(MIB + 1), { 'transfer-encoding': 'chunked' })).code).toBe('body_too_large')
    })
    expect(started).toEqual([])
  })

  it('that only claims to be large is refused before it is sent (CAT-147)', async () => {
    const request = `POST ${REFRESH} HTTP/1.1\r\n${await head()}\r\nContent-Type: application/json\r\nContent-Length: 99999999999\r\n\r\n`
    expect(await raw(request)).toMatchObject({ status: 413, error: { code: 'body_too_large' } })
  })

  it('that is refused does not become the next request (CAT-147)', async () => {
    const hidden = `POST /api/daemon/stop HTTP/1.1\r\n${await head()}\r\n\r\n`
    const request = `POST ${REFRESH} HTTP/1.1\r\n${await head()}\r\nContent-Type: text/plain\r\nContent-Length: ${hidden.length}\r\n\r\n${hidden}`
    const answer = (
      await rawBytes(
        { url: daemon().url },
        `${request}GET /api/nope HTTP/1.1\r\n${await head()}\r\nConnection: close\r\n\r\n`,
      )
    ).toString()
    expect(answer).toMatch(/^HTTP\/1\.1 415 /)
    expect(answer).not.toContain('stopping')
    expect((await daemon().overTcp('/api/daemon')).status).toBe(200)
  })
})

describe('headers', () => {
  const request = async (path: string, extra: string) => `GET ${path} HTTP/1.1\r\n${await head()}\r\n${extra}\r\n\r\n`
  const LARGE = `X: ${'a'.repeat(17_000)}`

  it('below 16 KiB are taken', async () => {
    expect((await daemon().overTcp('/api/daemon', { headers: { x: 'a'.repeat(14_000) } })).status).toBe(200)
  })

  it.each([
    ['one', LARGE],
    ['many', Array.from({ length: 1000 }, (_, at) => `X-${at}: ${'a'.repeat(20)}`).join('\r\n')],
    ['half a megabyte', `X: ${'a'.repeat(500_000)}`],
  ])('above that are refused, when there is %s, on both doors (CAT-147)', async (_what, extra) => {
    for (const target of [{ url: daemon().url }, { socket: await daemon().home.socket() }]) {
      expect(await raw(await request('/api/daemon', extra), target)).toMatchObject({
        status: 431,
        error: { code: 'headers_too_large' },
      })
    }
  })

  it('count together with the path (CAT-147)', async () => {
    const answer = await raw(await request(`/api/providers/models?q=${'a'.repeat(17_000)}`, 'X: y'))
    expect(answer).toMatchObject({ status: 431, error: { code: 'headers_too_large' } })
  })

  it('are refused under /api/openai/ in the envelope of OpenAI (CAT-098)', async () => {
    const answer = await raw(await request('/api/openai/v1/models', LARGE))
    expect(answer).toMatchObject({ status: 431, error: { code: 'headers_too_large', type: 'invalid_request_error' } })
  })
})
