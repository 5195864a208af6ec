/** Clients that hold a connection open by never finishing their request. */
import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { rawBytes, tokenOf } from '../../harness/http.ts'
import { openEvents } from '../../harness/sse.ts'
import { QUIET_CONFIG } from '../../harness/temp-home.ts'
import { within } from '../../harness/until.ts'
import { oneDaemon } from '../one-daemon.ts'

const daemon = oneDaemon(() => QUIET_CONFIG.replace('port = 0', 'port = 0\nrequest_timeout = "1s"'))
const head = async () => `Host: ${new URL(daemon().url).host}\r\nAuthorization: Bearer ${await tokenOf(daemon().home)}`
const REFRESH = 'POST /api/providers/models/refresh HTTP/1.1'

describe.concurrent('a request that is not complete in time', () => {
  it.each([
    ['nothing', () => ''],
    ['half a request line', () => 'GET /api/da'],
    ['half its headers', (rest: string) => `GET /api/daemon HTTP/1.1\r\n${rest}\r\nX-Slow: `],
    [
      'half its body',
      (rest: string) => `${REFRESH}\r\n${rest}\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{"for`,
    ],
    [
      'a chunked body without an end',
      (rest: string) =>
        `${REFRESH}\r\n${rest}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n`,
    ],
  ])('with %s is closed with 408, on both doors (CAT-147)', async (_what, bytes) => {
    const targets = [{ url: daemon().url }, { socket: await daemon().home.socket() }]
    for (const answer of await Promise.all(targets.map(async (target) => rawBytes(target, bytes(await head()))))) {
      expect(answer.toString()).toMatch(/^HTTP\/1\.1 408 /)
      expect(answer.toString()).toContain('{"error":{"code":"request_timeout","message":')
    }
  })

  it('is closed although a byte comes now and then (CAT-147)', async () => {
    const connection = connect(Number(new URL(daemon().url).port), '127.0.0.1')
    const drip = setInterval(() => connection.write('X: y\r\n'), 100)
    const closed = new Promise<string>((resolve) => {
      let text = ''
      connection.on('data', (chunk) => {
        text += chunk.toString()
      })
      connection.on('error', () => {}) // it was cut while we wrote: what arrived before is what counts
      connection.once('close', () => resolve(text))
    })
    connection.write(`GET /api/daemon HTTP/1.1\r\n${await head()}\r\n`)
    const answer = await within('the connection to be closed', closed).finally(() => {
      clearInterval(drip)
      connection.destroy()
    })
    expect(answer).toMatch(/^HTTP\/1\.1 408 /)
  })

  it('in numbers keeps nobody else waiting', async () => {
    const { port } = new URL(daemon().url)
    const idle = Array.from({ length: 200 }, () => connect(Number(port), '127.0.0.1'))
    for (const connection of idle) connection.on('error', () => {}) // the daemon closes them: that is the point
    try {
      for (const connection of idle) connection.write('GET /api/daemon HTTP/1.1\r\nX: ')
      expect((await daemon().overTcp('/api/daemon')).status).toBe(200)
    } finally {
      for (const connection of idle) connection.destroy()
    }
  })
})

describe('a client that goes away in the middle', () => {
  it('is no fault of the daemon', async () => {
    const rest = await head()
    const connection = connect(Number(new URL(daemon().url).port), '127.0.0.1')
    connection.write(
      `${REFRESH}\r\n${rest}\r\nContent-Type: application/json\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n`,
    )
    // The interim answer says that the daemon now waits for the body.
    await within('100 Continue', new Promise((resolve) => connection.once('data', resolve)))
    await using events = await openEvents({ socket: await daemon().home.socket() })
    connection.destroy()
    const body = { request_id: 'after', force: true, source_id: 'config' }
    await daemon().overSocket('/api/providers/models/refresh', { method: 'POST', body })
    await events.waitFor(({ event }) => event === 'catalog.refresh.succeeded')
    expect(await readFile(daemon().status.log_file, 'utf8')).not.toContain('daemon.fault')
  })
})
