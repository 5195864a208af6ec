/** Reads `GET /api/events` as it arrives: `await using events = await openEvents({ socket })`. */
import { type IncomingMessage, type RequestOptions, request } from 'node:http'
import { within } from './until.ts'

export interface SseEvent {
  /** `message` when the stream names none. */
  readonly event: string
  readonly id: string | null
  readonly data: string
  /** The data as JSON. */
  json(): unknown
}

export interface EventStream extends AsyncDisposable, AsyncIterable<SseEvent> {
  readonly response: IncomingMessage
  /** Every event since it was opened. */
  readonly seen: readonly SseEvent[]
  /** The first event that satisfies, also one already seen. Rejects when the stream ends or the deadline passes. */
  waitFor(satisfies: (event: SseEvent) => boolean, deadlineMs?: number): Promise<SseEvent>
  close(): Promise<void>
}

/** One block of the stream, without its blank line; null when it has no data (a comment, a keep-alive). */
export function parseEvent(block: string): SseEvent | null {
  let event = 'message'
  let id: string | null = null
  const data: string[] = []
  for (const line of block.split(/\r\n|\r|\n/)) {
    const colon = line.indexOf(':')
    const field = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (field === 'event') event = value
    else if (field === 'id') id = value
    else if (field === 'data') data.push(value)
  }
  if (data.length === 0) return null
  const text = data.join('\n')
  return { event, id, data: text, json: () => JSON.parse(text) }
}

const BLANK_LINE = /\r\n\r\n|\n\n|\r\r/

export async function openEvents(
  target: ({ readonly socket: string } | { readonly url: string }) & {
    readonly headers?: Readonly<Record<string, string>>
  },
  path = '/api/events',
): Promise<EventStream> {
  const where: RequestOptions =
    'socket' in target
      ? { socketPath: target.socket }
      : { host: new URL(target.url).hostname, port: new URL(target.url).port }
  const outgoing = request({
    ...where,
    path,
    agent: false,
    headers: { accept: 'text/event-stream', ...target.headers },
  })
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.once('response', resolve)
    outgoing.once('error', reject)
  })
  outgoing.end()
  const response = await within(`an answer to ${path}`, answered)
  // Closing the stream destroys the request; that is the end of it and no failure.
  outgoing.on('error', () => {})

  const seen: SseEvent[] = []
  const listeners = new Set<() => void>()
  let ended = false
  const wake = () => {
    for (const listener of listeners) listener()
  }
  let rest = ''
  response.setEncoding('utf8').on('data', (chunk: string) => {
    const blocks = (rest + chunk).split(BLANK_LINE)
    rest = blocks.pop() ?? ''
    seen.push(...blocks.map(parseEvent).filter((event) => event !== null))
    wake()
  })
  const closed = new Promise<void>((resolve) =>
    response.once('close', () => {
      ended = true
      wake()
      resolve()
    }),
  )
  response.on('error', () => {}) // a cut stream ends; `waitFor` says so

  /** The event with this position, or null when the stream ends before it. */
  const eventAt = (index: number) =>
    new Promise<SseEvent | null>((resolve) => {
      const look = () => {
        const event = seen[index] ?? null
        if (event === null && !ended) return
        listeners.delete(look)
        resolve(event)
      }
      listeners.add(look)
      look()
    })
  async function* all() {
    for (let index = 0; ; index++) {
      const event = await eventAt(index)
      if (event === null) return
      yield event
    }
  }
  const find = async (satisfies: (event: SseEvent) => boolean) => {
    for await (const event of all()) if (satisfies(event)) return event
    throw new Error(`The stream ended without it. Seen: ${seen.map(({ event }) => event).join(', ')}`)
  }
  const close = async () => {
    outgoing.destroy()
    await closed
  }
  return {
    response,
    seen,
    waitFor: (satisfies, deadlineMs) => within('an event', find(satisfies), deadlineMs),
    close,
    [Symbol.asyncIterator]: all,
    [Symbol.asyncDispose]: close,
  }
}
