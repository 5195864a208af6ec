/** The two doors: loopback TCP, guarded, and the Unix socket, which the file system guards. One application behind both. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { type ErrorCode, SignalboxError } from '@signalbox/contract/errors'
import type { Telemetry } from '../telemetry/telemetry.ts'
import { send } from './answer.ts'
import type { App } from './app.ts'
import { errorAnswer, errorBody, toSignalboxError } from './error-answer.ts'
import { pathOf, requirePath } from './request-target.ts'

export interface ServerLimits {
  readonly requestTimeoutMs: number
}

/** What a person saved a moment ago counts for the next request. */
export interface Settling {
  isSettled(): boolean
  settle(): Promise<void>
  /** What everybody should know, such as a configuration that is not in force; null when all is well. */
  warning(): string | null
}

const HEADERS_MAX_BYTES = 16 * 1024
const CLOSE_MS = 2_000
/** How long a refused client may go on sending before it is cut. */
const REFUSED_MS = 1_000

/** A server for `app` with our limits. `check` throws what is wrong with a request before it is routed. */
export function makeServer(
  { hono, cache }: Pick<App, 'hono' | 'cache'>,
  limits: ServerLimits,
  telemetry: Telemetry,
  check: (incoming: IncomingMessage) => void,
  settling: Settling,
): Server {
  const route = getRequestListener((request, env) => hono.fetch(request, env), {
    overrideGlobalObjects: false,
  })
  const listener: RequestListener = (incoming, outgoing) => {
    try {
      requirePath(incoming)
      check(incoming)
    } catch (thrown) {
      refuse(thrown, incoming, outgoing, telemetry)
      return
    }
    const answer = async (): Promise<void> => {
      const warning = settling.warning()
      if (warning !== null) outgoing.setHeader('Signalbox-Warning', encodeURIComponent(warning))
      if (cache.trySend(incoming, outgoing)) return
      // Checked where it matters, and only the path is routed: on the socket a client may send any name, or none.
      incoming.headers.host = 'localhost'
      await route(incoming, outgoing)
    }
    const answered = settling.isSettled() ? answer() : settling.settle().then(answer)
    answered.catch((thrown: unknown) => refuse(thrown, incoming, outgoing, telemetry))
  }
  const server = createServer(
    {
      // Ours to refuse, with a body that says why.
      requireHostHeader: false,
      maxHeaderSize: HEADERS_MAX_BYTES,
      requestTimeout: limits.requestTimeoutMs,
      headersTimeout: limits.requestTimeoutMs,
      connectionsCheckingInterval: Math.min(1_000, limits.requestTimeoutMs),
      keepAliveTimeout: 30_000,
    },
    listener,
  )
  // An expectation that we do not know is ignored; Node would answer without a body.
  server.on('checkExpectation', listener)
  server.on('clientError', (error: NodeJS.ErrnoException & { rawPacket?: Buffer }, socket: Socket) =>
    refuseSocket(error, socket),
  )
  // Until then an error is the listener's own; from then on it is one connection's (no file descriptors left).
  server.once('listening', () =>
    server.on('error', (error) =>
      telemetry.emit('daemon.fault', { error: `accepting a connection: ${error.message}` }),
    ),
  )
  return server
}

function refuse(thrown: unknown, incoming: IncomingMessage, outgoing: ServerResponse, telemetry: Telemetry): void {
  const error = toSignalboxError(thrown, telemetry)
  const retry = error.code === 'rate_limited' ? { 'Retry-After': '1' } : {}
  const challenge = error.code === 'unauthorized' ? { 'WWW-Authenticate': 'Bearer realm="signalbox"' } : {}
  const answer = errorAnswer(error, pathOf(incoming), { ...retry, ...challenge, Connection: 'close' })
  // Expected: the client is gone, or the answer has begun and this is a fault in its middle.
  send(answer, incoming, outgoing).catch(() => outgoing.destroy())
}

/** What Node refuses before there is a request: by its error code. */
const CLIENT_ERRORS: Readonly<Record<string, readonly [ErrorCode, string, string]>> = {
  HPE_HEADER_OVERFLOW: [
    'headers_too_large',
    'the headers are larger than 16 KiB',
    '431 Request Header Fields Too Large',
  ],
  ERR_HTTP_REQUEST_TIMEOUT: ['request_timeout', 'the request did not arrive completely in time', '408 Request Timeout'],
}

/** What they still send fails to parse again; it has been answered. */
const REFUSED = new WeakSet<Socket>()

function refuseSocket(fault: NodeJS.ErrnoException & { rawPacket?: Buffer }, socket: Socket): void {
  if (REFUSED.has(socket)) return
  if (!socket.writable || fault.code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  REFUSED.add(socket)
  const [code, message, status] = CLIENT_ERRORS[fault.code ?? ''] ?? [
    'invalid_request',
    'this is not an HTTP request',
    '400 Bad Request',
  ]
  const target = fault.rawPacket?.subarray(0, 512).toString('latin1').split(' ')[1] ?? '/'
  const body = `${JSON.stringify(errorBody(new SignalboxError(code, message), target))}\n`
  const head = [
    `HTTP/1.1 ${status}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
  // Closing while the client still sends would reset the connection, and the answer would be lost with it.
  const timer = setTimeout(() => socket.destroy(), REFUSED_MS)
  socket.once('close', () => clearTimeout(timer))
}

export async function listenTcp(server: Server, host: string, port: number): Promise<number> {
  server.listen({ host, port, exclusive: true })
  await listening(server)
  return (server.address() as AddressInfo).port
}

export async function listenSocket(server: Server, path: string): Promise<void> {
  server.listen({ path })
  await listening(server)
}

async function listening(server: Server): Promise<void> {
  // `once` rejects on the server's 'error' event: a port that is taken, a path that cannot be bound.
  await once(server, 'listening')
}

/** Stop accepting, let answers in progress finish for a moment, then cut. */
export async function closeServer(server: Server): Promise<void> {
  if (!server.listening) return
  const closed = once(server, 'close')
  server.close()
  server.closeIdleConnections()
  const timer = setTimeout(() => server.closeAllConnections(), CLOSE_MS)
  await closed
  clearTimeout(timer)
}
