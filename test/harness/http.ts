/** Requests to the daemon without any client library: what is sent and what comes back is exactly what is seen. */
import { readFile } from 'node:fs/promises'
import { type IncomingHttpHeaders, type RequestOptions, request } from 'node:http'
import { connect } from 'node:net'
import type { TempHome } from './temp-home.ts'
import { DEADLINE_MS, within } from './until.ts'

export interface Sent {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  /** An object is sent as JSON; text and bytes as they are. */
  readonly body?: string | Uint8Array | Readonly<Record<string, unknown>>
}

export interface Received {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  text(): string
  json(): unknown
}

async function exchange(target: RequestOptions, path: string, sent: Sent): Promise<Received> {
  const { body } = sent
  const isJson = body !== undefined && typeof body !== 'string' && !(body instanceof Uint8Array)
  const headers = { ...(isJson ? { 'content-type': 'application/json' } : {}), ...target.headers, ...sent.headers }
  const received = new Promise<Received>((resolve, reject) => {
    // No agent: each request has its own connection and leaves none behind.
    const outgoing = request({ ...target, path, method: sent.method ?? 'GET', headers, agent: false }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('error', reject)
      answer.on('end', () => {
        const bytes = Buffer.concat(chunks)
        const text = () => bytes.toString('utf8')
        resolve({
          status: answer.statusCode ?? 0,
          headers: answer.headers,
          body: bytes,
          text,
          json: () => JSON.parse(text()),
        })
      })
    })
    outgoing.on('error', reject)
    outgoing.setTimeout(DEADLINE_MS, () => outgoing.destroy(new Error(`${path} did not answer in ${DEADLINE_MS} ms`)))
    outgoing.end(isJson ? JSON.stringify(body) : body)
  })
  return received
}

/** Over the Unix socket of this home; needs no token. */
export async function overSocket(home: TempHome, path: string, sent: Sent = {}): Promise<Received> {
  return exchange({ socketPath: await home.socket() }, path, sent)
}

/** The bearer token of this home. */
export async function tokenOf(home: TempHome): Promise<string> {
  return (await readFile(home.paths.tokenFile, 'utf8')).trim()
}

/** Over TCP with this home's token; `headers: { authorization: … }` replaces it. */
export async function overTcp(home: TempHome, url: string, path: string, sent: Sent = {}): Promise<Received> {
  const authorization = `Bearer ${await tokenOf(home)}`
  return overTcpWithoutToken(url, path, { ...sent, headers: { authorization, ...sent.headers } })
}

export function overTcpWithoutToken(url: string, path: string, sent: Sent = {}): Promise<Received> {
  const { hostname, port } = new URL(url)
  return exchange({ host: hostname.replace(/^\[|\]$/g, ''), port }, path, sent)
}

/** Sends these bytes, as malformed as they are, and returns everything until the other side closes. */
export function rawBytes(target: { socket: string } | { url: string }, bytes: string | Uint8Array): Promise<Buffer> {
  const connection =
    'socket' in target
      ? connect(target.socket)
      : connect(Number(new URL(target.url).port), new URL(target.url).hostname.replace(/^\[|\]$/g, ''))
  const chunks: Buffer[] = []
  const closed = new Promise<Buffer>((resolve, reject) => {
    connection.on('data', (chunk: Buffer) => chunks.push(chunk))
    connection.once('error', reject)
    connection.once('end', () => resolve(Buffer.concat(chunks)))
  })
  connection.write(bytes)
  return within('the connection to be closed', closed).finally(() => connection.destroy())
}
