/** A real HTTP server on the home's socket, which answers what the test says and remembers what it was asked. */
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import { join } from 'node:path'

export interface Asked {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

export interface StandIn extends AsyncDisposable {
  readonly asked: Asked[]
  /** How often somebody connected, whether or not they asked. */
  readonly connections: () => number
}

async function bodyOf(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

export async function standIn(home: string, answer: RequestListener): Promise<StandIn> {
  const asked: Asked[] = []
  const server = createServer((incoming, outgoing) => {
    void bodyOf(incoming).then((body) => {
      asked.push({ method: incoming.method ?? '', url: incoming.url ?? '', headers: incoming.headers, body })
      answer(incoming, outgoing)
    })
  })
  mkdirSync(join(home, 'run'), { recursive: true, mode: 0o700 })
  let connections = 0
  server.on('connection', () => connections++)
  const socket = join(home, 'run', 'signalbox.sock')
  server.listen(socket)
  await once(server, 'listening')
  return {
    asked,
    connections: () => connections,
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

/** Answers the same to everybody. */
export const always =
  (status: number, body: string | Buffer, headers: Readonly<Record<string, string>> = {}): RequestListener =>
  (_incoming, outgoing) => {
    outgoing.writeHead(status, headers)
    outgoing.end(body)
  }

export const errorJson = (error: Readonly<Record<string, unknown>>): string => `${JSON.stringify({ error })}\n`
