/** A page whose name was made to point to this machine: its requests arrive, but under its own name. */
import { describe, expect, it } from 'vitest'
import { overTcpWithoutToken, rawBytes, tokenOf } from '../../harness/http.ts'
import { QUIET_CONFIG } from '../../harness/temp-home.ts'
import { errorOf, oneDaemon } from '../one-daemon.ts'

const daemon = oneDaemon(() => QUIET_CONFIG.replace('port = 0', 'port = 0\nallowed_hosts = ["box.internal"]'))
const port = () => new URL(daemon().url).port
const withHost = (host: string) => daemon().overTcp('/api/daemon', { headers: { host } })

describe('the Host header', () => {
  it.each([
    'evil.example',
    'evil.example:PORT',
    'localhost.evil.example:PORT',
    '127.0.0.1.evil:PORT',
    '127.0.0.1.nip.io:PORT',
    'box.internal.evil.example:PORT',
    'evil.box.internal',
    'localhost:',
    'localhost:port',
    'localhost:PORT:PORT',
    '127.0.0.1:PORT@evil.example',
    'evil.example@127.0.0.1:PORT',
    '127.0.0.1:PORT, evil.example',
    '127.1:PORT',
    '2130706433:PORT',
    '0.0.0.0:PORT',
    '[::]:PORT',
    '[::ffff:127.0.0.1]:PORT',
    'localhost.:PORT',
    '127.0.0.2:PORT',
  ])('"%s" is refused, although the token is right (CAT-097) (CAT-200)', async (host) => {
    const answer = await withHost(host.replace('PORT', port()))
    expect([answer.status, errorOf(answer).code]).toEqual([403, 'forbidden_host'])
  })

  it.each(['localhost', '127.0.0.1', '[::1]', 'LOCALHOST', 'box.internal', 'Box.Internal'])(
    '%s is ours, whatever the port: a tunnel has its own (CAT-200)',
    async (name) => {
      for (const host of [name, `${name}:${port()}`, `${name}:1`])
        expect([host, (await withHost(host)).status]).toEqual([host, 200])
    },
  )

  it.each(['1.1', '1.0', '1.1\r\nHost:', '1.1\r\nHost: evil.example\r\nHost: localhost'])(
    'may not be missing, empty or first of two: HTTP/%j (CAT-097)',
    async (start) => {
      const head = `Authorization: Bearer ${await tokenOf(daemon().home)}\r\nConnection: close`
      const answer = (
        await rawBytes({ url: daemon().url }, `GET /api/daemon HTTP/${start}\r\n${head}\r\n\r\n`)
      ).toString()
      expect(answer).toMatch(/^HTTP\/1\.1 403 /)
      expect(answer).toContain('"code":"forbidden_host"')
    },
  )

  it('cannot be overruled by a full URL in the request line (CAT-097)', async () => {
    const head = `Host: 127.0.0.1:${port()}\r\nAuthorization: Bearer ${await tokenOf(daemon().home)}\r\nConnection: close`
    for (const url of [
      `http://evil.example/api/daemon`,
      `http://evil.example/api/docs`,
      `http://127.0.0.1:${port()}/api/daemon`,
    ]) {
      const answer = (await rawBytes({ url: daemon().url }, `GET ${url} HTTP/1.1\r\n${head}\r\n\r\n`)).toString()
      expect(answer).toMatch(/^HTTP\/1\.1 400 /)
      expect(answer).toContain('"code":"invalid_request"')
    }
  })

  it('is checked before the token (CAT-097)', async () => {
    for (const path of ['/api/docs', '/api/daemon', '/nope']) {
      const answer = await overTcpWithoutToken(daemon().url, path, { headers: { host: 'evil.example' } })
      expect(errorOf(answer).code).toBe('forbidden_host')
    }
  })

  it('means nothing on the socket, which no page can reach', async () => {
    expect((await daemon().overSocket('/api/daemon', { headers: { host: 'evil.example' } })).status).toBe(200)
    const socket = await daemon().home.socket()
    for (const head of [
      'HTTP/1.0\r\n',
      'HTTP/1.1\r\nConnection: close\r\n',
      'HTTP/1.1\r\nHost: not a/host\r\nConnection: close\r\n',
    ]) {
      expect((await rawBytes({ socket }, `GET /api/daemon ${head}\r\n`)).toString()).toMatch(/^HTTP\/1\.1 200 /)
    }
  })
})
