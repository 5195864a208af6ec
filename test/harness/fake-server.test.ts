import { describe, expect, it } from 'vitest'
import { json, startFakeServer } from './fake-server.ts'

describe('the fake server', () => {
  it('gives scripted answers in order, then the standing one, and remembers every request', async () => {
    await using server = await startFakeServer(json({ standing: true }))
    server.answerOnce({ kind: 'reply', status: 503, headers: { 'retry-after': '7' }, body: 'no' })
    server.answerOnce(({ url, body }) => json({ url, body: body.toString() }))
    const first = await fetch(`${server.url}/a`)
    expect([first.status, first.headers.get('retry-after'), await first.text()]).toEqual([503, '7', 'no'])
    const second = await fetch(`${server.url}/b?c=1`, { method: 'POST', body: 'hello', headers: { 'x-key': 'k' } })
    expect(await second.json()).toEqual({ url: '/b?c=1', body: 'hello' })
    expect(await (await fetch(server.url)).json()).toEqual({ standing: true })
    await server.waitForRequests(3)
    expect(server.requests.map(({ method, url }) => `${method} ${url}`)).toEqual(['GET /a', 'POST /b?c=1', 'GET /'])
    expect(server.requests[1]?.headers['x-key']).toBe('k')
  })

  it('hangs until the client gives up', async () => {
    await using server = await startFakeServer({ kind: 'hang' })
    const controller = new AbortController()
    const answer = fetch(server.url, { signal: controller.signal })
    await server.waitForRequests(1)
    controller.abort()
    await expect(answer).rejects.toThrow('abort')
  })

  it('closes while a request hangs', async () => {
    const server = await startFakeServer({ kind: 'hang' })
    const answer = fetch(server.url).catch(() => 'cut')
    await server.waitForRequests(1)
    await server.close()
    expect(await answer).toBe('cut')
  })

  it('drips a body in pieces', async () => {
    await using server = await startFakeServer({ kind: 'drip', body: 'abcdefg', size: 3, everyMs: 1 })
    const answer = await fetch(server.url)
    expect(await answer.text()).toBe('abcdefg')
  })

  it('cuts a body in the middle', async () => {
    await using server = await startFakeServer({ kind: 'cut', body: 'abcdefg', after: 3 })
    const answer = await fetch(server.url)
    expect(answer.headers.get('content-length')).toBe('7')
    await expect(answer.text()).rejects.toThrow('terminated')
  })

  it('shows the error of a script that throws', async () => {
    await using server = await startFakeServer(() => {
      throw new Error('a mistake in the test')
    })
    const answer = await fetch(server.url)
    expect([answer.status, await answer.text()]).toEqual([599, 'Error: a mistake in the test'])
  })
})
