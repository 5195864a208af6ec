/** A page on another origin that makes the browser send requests here. */
import { describe, expect, it } from 'vitest'
import { overTcpWithoutToken, type Received, type Sent } from '../../harness/http.ts'
import { errorOf, oneDaemon, refreshesDuring } from '../one-daemon.ts'

const daemon = oneDaemon()
const REFRESH = '/api/providers/models/refresh'
const ours = () => daemon().url
const corsHeaders = ({ headers }: Received) => Object.keys(headers).filter((name) => name.startsWith('access-control-'))

const FOREIGN: readonly Readonly<Record<string, string>>[] = [
  { origin: 'https://evil.example' },
  { origin: 'null' },
  { origin: 'file://' },
  { origin: '' },
  { origin: 'http://localhost' },
  { origin: 'http://localhost:3000' },
  { origin: 'http://127.0.0.1' },
  { origin: 'http://127.0.0.1:1' },
  { origin: 'chrome-extension://abcdefghijklmnop' },
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site' },
  { 'sec-fetch-site': 'nonsense' },
]

describe('a request from another page', () => {
  it.each(FOREIGN)('with %o is refused, although the token is right (CAT-097) (CAT-201)', async (headers) => {
    for (const path of ['/api/providers/models', '/api/daemon', '/api/docs', '/api/events']) {
      const answer = await daemon().overTcp(path, { headers })
      expect([answer.status, errorOf(answer).code]).toEqual([403, 'forbidden_origin'])
      expect(corsHeaders(answer)).toEqual([])
    }
  })

  it('of our own name but another scheme is refused (CAT-097)', async () => {
    const origin = ours().replace('http:', 'https:')
    expect(errorOf(await daemon().overTcp('/api/daemon', { headers: { origin } })).code).toBe('forbidden_origin')
  })

  it('cannot refresh or stop anything, whatever it sends (CAT-097) (CAT-147)', async () => {
    const simple: Sent[] = [
      { body: '{"force":true}', headers: { 'content-type': 'text/plain' } },
      { body: 'force=true', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
      { body: '--x\r\n\r\n--x--', headers: { 'content-type': 'multipart/form-data; boundary=x' } },
      { body: '{"force":true}', headers: { 'content-type': 'application/json' } },
      {},
    ]
    const started = await refreshesDuring(daemon(), async () => {
      for (const path of [REFRESH, '/api/providers/openai/models/refresh', '/api/daemon/stop']) {
        for (const sent of simple) {
          const headers = { ...sent.headers, origin: 'https://evil.example' }
          expect((await overTcpWithoutToken(ours(), path, { ...sent, method: 'POST', headers })).status).toBe(403)
          expect((await daemon().overTcp(path, { ...sent, method: 'POST', headers })).status).toBe(403)
        }
      }
    })
    expect(started).toEqual([])
  })

  it('without an Origin and of a type that needs no preflight is refused, and no source runs (CAT-147)', async () => {
    const started = await refreshesDuring(daemon(), async () => {
      const sent = { method: 'POST', body: '{"force":true}', headers: { 'content-type': 'text/plain' } }
      expect(errorOf(await daemon().overTcp(REFRESH, sent)).code).toBe('unsupported_media_type')
      expect(errorOf(await daemon().overTcp('/api/daemon/stop', sent)).code).toBe('unsupported_media_type')
    })
    expect(started).toEqual([])
  })
})

describe('a preflight', () => {
  it('is refused and promises nothing (CAT-202)', async () => {
    const preflight = {
      origin: 'https://evil.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization',
      'access-control-request-private-network': 'true',
    }
    for (const path of [REFRESH, '/api/providers/models', '/api/docs']) {
      const answer = await overTcpWithoutToken(ours(), path, { method: 'OPTIONS', headers: preflight })
      expect([answer.status, corsHeaders(answer)]).toEqual([403, []])
    }
  })

  it('of nobody is a method like any other (CAT-148) (CAT-202)', async () => {
    const answer = await daemon().overTcp('/api/providers/models', { method: 'OPTIONS' })
    expect([answer.status, corsHeaders(answer)]).toEqual([405, []])
  })
})

describe('our own page', () => {
  it('is let in by its origin, and gets no CORS headers either (CAT-201) (CAT-202)', async () => {
    for (const headers of [
      { origin: ours() },
      { origin: ours().toUpperCase() },
      { 'sec-fetch-site': 'same-origin' },
      { 'sec-fetch-site': 'none' },
    ]) {
      const answer = await daemon().overTcp('/api/daemon', { headers })
      expect([answer.status, corsHeaders(answer)]).toEqual([200, []])
    }
  })
})
