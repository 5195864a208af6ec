/** What a refresh is doing, a line each on stderr, from the daemon's event stream. */
import type { Socket } from 'node:net'
import type { Writable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
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

/** The line for one event of this refresh; null for everything else on the stream. */
export function progressLine(data: string, requestId: string): string | null {
  let fields: unknown
  try {
    fields = JSON.parse(data)
  } catch (error) {
    if (error instanceof SyntaxError) return null // not one of ours
    throw error
  }
  if (!isFields(fields) || fields.refresh_request_id !== requestId) return null
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

/** Begins once the stream is open, so that no event of a refresh asked for afterwards is missed. */
export async function followProgress(socket: Socket, requestId: string, stderr: Writable): Promise<AsyncDisposable> {
  const { body } = await exchange(socket, {
    method: 'GET',
    path: '/api/events',
    accept: 'text/event-stream',
    patience: 5_000,
  })
  const printing = (async () => {
    for await (const data of dataLines(body)) {
      const line = progressLine(data, requestId)
      if (line !== null) await print(stderr, line)
    }
  })().catch((error: unknown) => {
    // The stream ends when we close it or when the daemon goes; the refresh itself then says what became of it.
    if (!(error instanceof Error)) throw error
  })
  return {
    async [Symbol.asyncDispose]() {
      // the last events and the answer arrive together, on two sockets
      await nextTurn()
      socket.destroy()
      await printing
    },
  }
}
