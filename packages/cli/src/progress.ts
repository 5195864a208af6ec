/** What a refresh is doing, a line each on stderr, from the daemon's event stream. */
import type { Socket } from 'node:net'
import type { Writable } from 'node:stream'
import { SignalboxError } from '@signalbox/contract/errors'
import { exchange } from './client.ts'
import { print } from './output.ts'
import { printable } from './sanitize.ts'

type Fields = Readonly<Record<string, unknown>>

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null
const seconds = (ms: unknown) => (typeof ms === 'number' ? ` in ${(ms / 1000).toFixed(1)} s` : '')

function sourceOf({ source_id, provider_id }: Fields): string {
  const source = String(source_id)
  return typeof provider_id === 'string' && !source.endsWith(`:${provider_id}`) ? `${source} (${provider_id})` : source
}

const LINES: Readonly<Record<string, (fields: Fields) => string>> = {
  'catalog.refresh.started': (fields) => `${sourceOf(fields)}: asking`,
  'catalog.refresh.succeeded': (fields) =>
    `${sourceOf(fields)}: ${String(fields.row_count)} models${seconds(fields.duration_ms)}`,
  'catalog.refresh.failed': (fields) => `${sourceOf(fields)}: failed: ${String(fields.error)}`,
  'catalog.source.stale_fallback': (fields) =>
    `${sourceOf(fields)}: keeping ${String(fields.row_count)} models from before`,
}

/** How each event changes the number of sources that are being asked. */
const ASKING: Readonly<Record<string, number>> = {
  'catalog.refresh.started': 1,
  'catalog.refresh.succeeded': -1,
  'catalog.refresh.failed': -1,
}

/** The event, when it is one of this refresh; null for everything else on the stream. */
function eventOf(data: string, requestId: string): Fields | null {
  let fields: unknown
  try {
    fields = JSON.parse(data)
  } catch (error) {
    if (error instanceof SyntaxError) return null // not one of ours
    throw error
  }
  return isFields(fields) && fields.refresh_request_id === requestId ? fields : null
}

export function progressLine(fields: Fields): string | null {
  const line = LINES[String(fields.event)]
  return line === undefined ? null : `${printable(line(fields))}\n`
}

async function* dataLines(body: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let held = ''
  for await (const chunk of body) {
    held += decoder.decode(chunk, { stream: true })
    const lines = held.split('\n')
    held = lines.pop() ?? ''
    for (const line of lines) if (line.startsWith('data:')) yield line.slice('data:'.length).trim()
  }
}

/** The answer and the last events come on two sockets: how long to wait for what is still on its way. */
const GRACE = 250

export class Progress implements AsyncDisposable {
  readonly #socket: Socket
  readonly #printing: Promise<void>
  /** Sources that are being asked; null until the first event. */
  #asking: number | null = null
  #whenIdle: () => void = () => undefined

  private constructor(socket: Socket, body: AsyncIterable<Buffer>, requestId: string, out: Writable) {
    this.#socket = socket
    this.#printing = this.#print(body, requestId, out).catch((error: unknown) => {
      // The stream ends when we close it or when the daemon goes; the refresh itself then says what became of it.
      if (!(error instanceof SignalboxError)) throw error
    })
  }

  /** Resolves once the stream is open, so that no event of a refresh asked for afterwards is missed. */
  static async open(socket: Socket, requestId: string, out: Writable): Promise<Progress> {
    const { body } = await exchange(socket, {
      method: 'GET',
      path: '/api/events',
      accept: 'text/event-stream',
      patience: 5_000,
    })
    return new Progress(socket, body, requestId, out)
  }

  async #print(body: AsyncIterable<Buffer>, requestId: string, out: Writable): Promise<void> {
    try {
      for await (const data of dataLines(body)) {
        const fields = eventOf(data, requestId)
        if (fields === null) continue
        const line = progressLine(fields)
        if (line !== null) await print(out, line)
        this.#asking = (this.#asking ?? 0) + (ASKING[String(fields.event)] ?? 0)
        if (this.#asking === 0) this.#whenIdle()
      }
    } finally {
      this.#whenIdle()
    }
  }

  /** Resolves when every source that was asked has been told of, or after a moment: progress is not worth more. */
  async caughtUp(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    if (this.#asking === 0) return
    this.#whenIdle = resolve
    const timer = setTimeout(resolve, GRACE)
    await promise
    clearTimeout(timer)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#socket.destroy()
    await this.#printing
  }
}
