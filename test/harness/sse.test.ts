import { describe, expect, it } from 'vitest'
import { startFakeServer } from './fake-server.ts'
import { openEvents, parseEvent } from './sse.ts'

const STREAM = ': hello\n\nevent: one\nid: 1\ndata: {"n":1}\n\ndata: a\ndata: b\r\n\r\nevent: two\ndata: {"n":2}\n\n'

describe('an event stream', () => {
  it('is read event by event, however it is cut into pieces', async () => {
    await using server = await startFakeServer({ kind: 'drip', body: STREAM, size: 5, everyMs: 1 })
    await using events = await openEvents({ url: server.url })
    const all = await Array.fromAsync(events, ({ event, id, data }) => [event, id, data])
    expect(all).toEqual([
      ['one', '1', '{"n":1}'],
      ['message', null, 'a\nb'],
      ['two', null, '{"n":2}'],
    ])
    expect(server.requests[0]?.headers.accept).toBe('text/event-stream')
  })

  it('is waited on for an event, also for one that has passed', async () => {
    await using server = await startFakeServer({ kind: 'drip', body: STREAM, size: 5, everyMs: 1 })
    await using events = await openEvents({ url: server.url })
    expect((await events.waitFor(({ event }) => event === 'two')).json()).toEqual({ n: 2 })
    expect((await events.waitFor(({ event }) => event === 'one')).json()).toEqual({ n: 1 })
  })

  it('says what it saw when it ends without the event', async () => {
    await using server = await startFakeServer({ kind: 'cut', body: STREAM, after: 45 })
    await using events = await openEvents({ url: server.url })
    await expect(events.waitFor(({ event }) => event === 'two')).rejects.toThrow('Seen: one')
  })

  it('gives up on an event that does not come', async () => {
    await using server = await startFakeServer({ kind: 'drip', body: STREAM.repeat(1000), size: 1, everyMs: 50 })
    await using events = await openEvents({ url: server.url })
    await expect(events.waitFor(() => false, 20)).rejects.toThrow('Waited 20 ms in vain')
  })

  it('has no event in a block without data', () => {
    expect(parseEvent(': keep-alive')).toBeNull()
    expect(parseEvent('event: x')).toBeNull()
    expect(parseEvent('data')).toMatchObject({ data: '' })
  })
})
