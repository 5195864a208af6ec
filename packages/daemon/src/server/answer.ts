/** What a handler answers: a value, written to the socket in one place. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { acceptedEncoding } from './accept-encoding.ts'
import type { EncodedBody } from './encoded-body.ts'

export type Headers = Readonly<Record<string, string>>

export type Answer =
  | { readonly kind: 'bytes'; readonly status: number; readonly type: string; readonly body: Buffer; readonly headers?: Headers }
  /** A body of the current snapshot: encoded once, negotiated, with a validator. */
  | { readonly kind: 'encoded'; readonly type: string; readonly body: EncodedBody; readonly headers?: Headers }
  /** The handler writes by itself, such as an event stream. */
  | { readonly kind: 'stream'; readonly start: (incoming: IncomingMessage, outgoing: ServerResponse) => void }

export const JSON_TYPE = 'application/json; charset=utf-8'

/** Canonical JSON: compact, fixed key order, one final line feed. */
export function jsonAnswer(value: unknown, status = 200, headers: Headers = {}): Answer {
  return { kind: 'bytes', status, type: JSON_TYPE, body: Buffer.from(`${JSON.stringify(value)}\n`), headers }
}

export async function send(answer: Answer, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  switch (answer.kind) {
    case 'stream':
      return answer.start(incoming, outgoing)
    case 'bytes':
      outgoing.writeHead(answer.status, { ...answer.headers, ...baseHeaders(answer.type, answer.body.length) })
      outgoing.end(answer.body)
      return
    case 'encoded':
      return await sendEncoded(answer, incoming, outgoing)
  }
}

async function sendEncoded(
  { type, body, headers }: Extract<Answer, { kind: 'encoded' }>,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const encoding = acceptedEncoding(incoming.headers['accept-encoding'])
  const etag = body.etag(encoding)
  const validators = { ...headers, ETag: etag, Vary: 'Accept, Accept-Encoding' }
  if (matches(incoming.headers['if-none-match'], etag)) {
    outgoing.writeHead(304, { ...validators, 'Cache-Control': CACHE_CONTROL })
    outgoing.end()
    return
  }
  const bytes = await body.bytes(encoding)
  const coding = encoding === 'identity' ? {} : { 'Content-Encoding': encoding }
  outgoing.writeHead(200, { ...validators, ...coding, ...baseHeaders(type, bytes.length) })
  outgoing.end(bytes)
}

const CACHE_CONTROL = 'private, no-cache'

function baseHeaders(type: string, length: number): Headers {
  return { 'Content-Type': type, 'Content-Length': String(length), 'Cache-Control': CACHE_CONTROL, 'X-Content-Type-Options': 'nosniff' }
}

function matches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  return header === '*' || header.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === etag)
}
