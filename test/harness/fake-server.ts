/** A provider to test against: a real HTTP server on loopback that answers as it is told and remembers what it was asked. */
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { within } from './until.ts'

type Body = string | Uint8Array
interface Head {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

/** How one request is answered. */
export type Answer =
  | (Head & { readonly kind: 'reply'; readonly body?: Body })
  /** Takes the request and says nothing, until the client gives up or the server is closed. */
  | { readonly kind: 'hang' }
  /** The body in pieces of `size` bytes, `everyMs` apart. */
  | (Head & { readonly kind: 'drip'; readonly body: Body; readonly size: number; readonly everyMs: number })
  /** Promises the whole body and closes the connection after `after` bytes of it. */
  | (Head & { readonly kind: 'cut'; readonly body: Body; readonly after: number })

export interface SeenRequest {
  readonly method: string
  /** Path and query. */
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

export type Script = Answer | ((request: SeenRequest) => Answer | Promise<Answer>)

export interface FakeServer extends AsyncDisposable {
  readonly url: string
  readonly requests: readonly SeenRequest[]
  /** From now on. */
  answer(script: Script): void
  /** For the next request only, in the order of the calls. */
  answerOnce(script: Script): void
  /** Resolves when this many requests have arrived since the start. */
  waitForRequests(count: number): Promise<void>
  close(): Promise<void>
}

/** A JSON answer. */
export function json(value: unknown, head: Head = {}): Answer {
  const headers = { 'content-type': 'application/json', ...head.headers }
  return { kind: 'reply', ...head, headers, body: JSON.stringify(value) }
}

function drip(response: ServerResponse, body: Buffer, size: number, everyMs: number): void {
  let sent = 0
  const timer = setInterval(() => {
    response.write(body.subarray(sent, sent + size))
    sent += size
    if (sent >= body.length) response.end()
  }, everyMs)
  response.once('finish', () => clearInterval(timer))
  response.once('close', () => clearInterval(timer))
}

function give(response: ServerResponse, answer: Answer): void {
  if (answer.kind === 'hang') return
  const body = Buffer.from(answer.body ?? '')
  response.writeHead(answer.status ?? 200, { 'content-length': body.length, ...answer.headers })
  if (answer.kind === 'reply') response.end(body)
  else if (answer.kind === 'drip') drip(response, body, answer.size, answer.everyMs)
  else response.write(body.subarray(0, answer.after), () => response.destroy())
}

async function read(request: IncomingMessage): Promise<SeenRequest> {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  return {
    method: request.method ?? '',
    url: request.url ?? '',
    headers: request.headers,
    body: Buffer.concat(chunks),
  }
}

export async function startFakeServer(initial: Script = { kind: 'reply', status: 404 }): Promise<FakeServer> {
  let always = initial
  const next: Script[] = []
  const requests: SeenRequest[] = []
  const waiters = new Set<() => void>()

  const serve = async (incoming: IncomingMessage, response: ServerResponse) => {
    const seen = await read(incoming)
    requests.push(seen)
    const script = next.shift() ?? always
    for (const wake of waiters) wake()
    give(response, typeof script === 'function' ? await script(seen) : script)
  }
  const server = createServer((incoming, response) => {
    serve(incoming, response).catch((error: unknown) => {
      // The client went away while sending, or a script threw: the second must show in the test.
      if (!response.destroyed && !response.headersSent) response.writeHead(599).end(String(error))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // a TCP server has one

  const close = async () => {
    if (!server.listening) return
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  }
  const waitForRequests = async (count: number) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const wake = () => {
      if (requests.length >= count) resolve()
    }
    waiters.add(wake)
    wake()
    await within(`${count} requests`, promise).finally(() => waiters.delete(wake))
  }
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    answer: (script) => {
      always = script
    },
    answerOnce: (script) => {
      next.push(script)
    },
    waitForRequests,
    close,
    [Symbol.asyncDispose]: close,
  }
}
