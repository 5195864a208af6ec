/**
 * One HTTP/1.1 exchange on a connected socket. `node:http` alone would double the time the CLI takes to start, and all
 * we ever do is send one request and copy its answer.
 */
import type { Socket } from 'node:net'
import { SignalboxError } from '@signalbox/contract/errors'
import { ofChunks, ofLength } from './http-body.ts'

export interface Request {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly accept?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  /** How long the daemon may take to begin its answer; null when it may work for as long as it needs. */
  readonly patience: number | null
}

export interface Answer {
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  /** Reading it to the end, or stopping, closes the connection. */
  readonly body: AsyncIterable<Buffer>
}

const HEAD_MAX = 64 * 1024
const HEAD_END = '\r\n\r\n'

function requestBytes({ method, path, accept, headers, body }: Request): string {
  const payload = body === undefined ? '' : JSON.stringify(body)
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'Host: localhost',
    'Connection: close',
    `Accept: ${accept ?? 'application/json'}`,
    ...Object.entries(headers ?? {}).map(([name, value]) => `${name}: ${value}`),
    ...(body === undefined ? [] : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(payload)}`]),
  ]
  return `${lines.join('\r\n')}${HEAD_END}${payload}`
}

function parseHead(text: string): { readonly status: number; readonly headers: ReadonlyMap<string, string> } {
  const [first = '', ...lines] = text.split('\r\n')
  const status = /^HTTP\/1\.[01] (\d{3})(?: |$)/.exec(first)?.[1]
  if (status === undefined) throw new SignalboxError('internal', 'what answers on the socket does not speak HTTP')
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
  })
  return { status: Number(status), headers: new Map(headers) }
}

const unanswered = (why: string, cause?: unknown) =>
  new SignalboxError('daemon_unavailable', why, { hint: 'signalbox daemon status' }, { cause })

/** A failed read, in our words: the daemon stopped, or was stopped, while we were talking to it. */
async function* received(socket: Socket): AsyncGenerator<Buffer, undefined> {
  try {
    for await (const chunk of socket as AsyncIterable<Buffer>) yield chunk
  } catch (error) {
    if (error instanceof SignalboxError) throw error // our own deadline, handed to destroy()
    // ECONNRESET, EPIPE: the daemon went away
    throw unanswered('the connection to the daemon broke', error)
  }
}

function framed(source: AsyncIterable<Buffer>, headers: ReadonlyMap<string, string>): AsyncIterable<Buffer> {
  if (headers.get('transfer-encoding') === 'chunked') return ofChunks(source)
  const length = headers.get('content-length')
  return length === undefined ? source : ofLength(source, Number(length))
}

export async function exchange(socket: Socket, request: Request): Promise<Answer> {
  if (request.patience !== null) {
    const seconds = request.patience / 1000
    socket.setTimeout(request.patience, () =>
      socket.destroy(unanswered(`the daemon has not answered for ${seconds} s`)),
    )
  }
  socket.write(requestBytes(request))
  try {
    const answer = await readAnswer(received(socket))
    socket.setTimeout(0)
    return answer
  } catch (error) {
    socket.destroy() // whatever it was: an open socket would keep the process from ending
    throw error
  }
}

async function readAnswer(source: AsyncGenerator<Buffer, undefined>): Promise<Answer> {
  let held: Buffer = Buffer.alloc(0)
  let end = -1
  while (end < 0) {
    if (held.length > HEAD_MAX) throw unanswered('the head of the daemon’s answer does not end')
    const { value } = await source.next()
    if (value === undefined) throw unanswered('the daemon closed the connection without an answer')
    held = held.length === 0 ? value : Buffer.concat([held, value])
    end = held.indexOf(HEAD_END)
  }
  const { status, headers } = parseHead(held.toString('latin1', 0, end))
  return { status, headers, body: framed(prepend(held.subarray(end + HEAD_END.length), source), headers) }
}

async function* prepend(first: Buffer, rest: AsyncGenerator<Buffer, undefined>): AsyncGenerator<Buffer> {
  try {
    if (first.length > 0) yield first
    yield* rest
  } finally {
    // stopping before the first read leaves `rest` unstarted, and only a started generator closes its socket
    await rest.return(undefined)
  }
}

/** The whole body as text. For what we have to read ourselves: errors, a status, a check. */
export async function textOf(answer: Answer): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of answer.body) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}
