/** Bytes that are not the HTTP they claim to be. */
import { describe, expect, it } from 'vitest'
import { rawBytes, tokenOf } from '../../harness/http.ts'
import { errorOf, oneDaemon } from '../one-daemon.ts'

const daemon = oneDaemon()
const head = async () =>
  `Host: ${new URL(daemon().url).host}\r\nAuthorization: Bearer ${await tokenOf(daemon().home)}\r\nConnection: close`

const MALFORMED: readonly (readonly [string, (head: string) => string])[] = [
  ['no HTTP at all', () => 'nonsense\r\n\r\n'],
  ['a TLS hello', () => '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003'],
  ['binary zeros', () => '\0'.repeat(100)],
  ['HTTP/2 without asking', () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['a version that is none', (rest) => `GET /api/daemon HTTP/9.9\r\n${rest}\r\n\r\n`],
  ['a space in the path', (rest) => `GET /api/ daemon HTTP/1.1\r\n${rest}\r\n\r\n`],
  ['a zero in a header', (rest) => `GET /api/daemon HTTP/1.1\r\n${rest}\r\nX: a\0b\r\n\r\n`],
  ['a header without a name', (rest) => `GET /api/daemon HTTP/1.1\r\n${rest}\r\n: x\r\n\r\n`],
  ['a bare line feed in a header', (rest) => `GET /api/daemon HTTP/1.1\r\n${rest}\r\nX: a\nY\r\n\r\n`],
  [
    'two lengths',
    (rest) => `POST /api/daemon/stop HTTP/1.1\r\n${rest}\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}`,
  ],
  [
    'a length and chunks',
    (rest) =>
      `POST /api/daemon/stop HTTP/1.1\r\n${rest}\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  ],
  ['a length that is none', (rest) => `POST /api/daemon/stop HTTP/1.1\r\n${rest}\r\nContent-Length: -1\r\n\r\n`],
  ['a target that is no path', (rest) => `OPTIONS * HTTP/1.1\r\n${rest}\r\n\r\n`],
  ['a backslash in the path', (rest) => `GET /api\\daemon HTTP/1.1\r\n${rest}\r\n\r\n`],
  ['a full URL', (rest) => `GET http://evil.example/api/daemon HTTP/1.1\r\n${rest}\r\n\r\n`],
]

describe('malformed HTTP', () => {
  it.each(MALFORMED)('with %s is refused with our error body, on both doors (CAT-140)', async (_what, bytes) => {
    for (const target of [{ url: daemon().url }, { socket: await daemon().home.socket() }]) {
      const answer = (await rawBytes(target, Buffer.from(bytes(await head()), 'latin1'))).toString()
      expect(answer).toMatch(/^HTTP\/1\.1 400 /)
      expect(answer).toMatch(/\{"error":\{"code":"invalid_request","message":"[^"]+".*\}\}\n$/)
      expect(answer).not.toContain('stopping')
    }
  })

  it('that wants a tunnel gets none', async () => {
    expect(
      (
        await rawBytes({ url: daemon().url }, `CONNECT evil.example:443 HTTP/1.1\r\n${await head()}\r\n\r\n`)
      ).toString(),
    ).toBe('')
  })

  it('that expects what we do not know is answered as if it did not (CAT-148)', async () => {
    const answer = await daemon().overTcp('/api/nope', { headers: { expect: 'the-unexpected' } })
    expect(errorOf(answer).code).toBe('not_found')
    const foreign = await daemon().overTcp('/api/nope', { headers: { expect: 'the-unexpected', host: 'evil.example' } })
    expect(errorOf(foreign).code).toBe('forbidden_host')
  })

  it('that wants another protocol stays in this one', async () => {
    const headers = {
      upgrade: 'websocket',
      connection: 'Upgrade',
      'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
      'sec-websocket-version': '13',
    }
    expect((await daemon().overTcp('/api/daemon', { headers })).status).toBe(200)
  })
})
