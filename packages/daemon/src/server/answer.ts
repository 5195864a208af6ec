/** What a handler answers: a value, written to the socket in one place. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Snapshot } from '@signalbox/core/catalog/snapshot'
import { acceptedEncoding, type Encoding } from './accept-encoding.ts'
import { canonicalJson } from './canonical-json.ts'
import type { EncodedBody } from './encoded-body.ts'
import { CONTENT_TYPE } from './representation.ts'

export type Headers = Readonly<Record<string, string>>

interface EncodedAnswer {
  readonly kind: 'encoded'
  readonly type: string
  readonly body: EncodedBody
  readonly headers?: Headers
  /** Set when the same request gets the same answer for as long as this snapshot is the current one. */
  readonly snapshot?: Snapshot | undefined
}

export type Answer =
  | {
      readonly kind: 'bytes'
      readonly status: number
      readonly type: string
      readonly body: Buffer
      readonly headers?: Headers
    }
  /** A body of the current snapshot: encoded once, negotiated, with a validator. */
  | EncodedAnswer
  /** The handler writes by itself, such as an event stream. */
  | { readonly kind: 'stream'; readonly start: (incoming: IncomingMessage, outgoing: ServerResponse) => void }

export const JSON_TYPE = 'application/json; charset=utf-8'
const CACHE_CONTROL = 'private, no-cache'

export function jsonAnswer(value: unknown, status = 200, headers: Headers = {}): Answer {
  return { kind: 'bytes', status, type: JSON_TYPE, body: canonicalJson(value), headers }
}

/** Rendered for people; the caller has made it printable. */
export function textAnswer(text: string): Answer {
  return { kind: 'bytes', status: 200, type: CONTENT_TYPE.table, body: Buffer.from(text) }
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
      return sendPrepared(
        await prepareEncoded(answer, acceptedEncoding(incoming.headers['accept-encoding'])),
        incoming,
        outgoing,
      )
  }
}

/** Everything decided: what is left is to write it. */
export interface PreparedAnswer {
  readonly etag: string
  readonly headers: Headers
  readonly bytes: Buffer
}

export async function prepareEncoded(
  { type, body, headers }: EncodedAnswer,
  encoding: Encoding,
): Promise<PreparedAnswer> {
  const etag = body.etag(encoding)
  const bytes = await body.bytes(encoding)
  const coding: Headers = encoding === 'identity' ? {} : { 'Content-Encoding': encoding }
  return {
    etag,
    bytes,
    headers: { ...headers, ETag: etag, Vary: 'Accept, Accept-Encoding', ...coding, ...baseHeaders(type, bytes.length) },
  }
}

export function sendPrepared(
  { etag, headers, bytes }: PreparedAnswer,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): void {
  if (matchesTag(incoming.headers['if-none-match'], etag)) {
    const { 'Content-Length': _length, 'Content-Type': _type, 'Content-Encoding': _coding, ...validators } = headers
    outgoing.writeHead(304, validators)
    outgoing.end()
    return
  }
  outgoing.writeHead(200, headers)
  outgoing.end(bytes)
}

function baseHeaders(type: string, length: number): Headers {
  return {
    'Content-Type': type,
    'Content-Length': String(length),
    'Cache-Control': CACHE_CONTROL,
    'X-Content-Type-Options': 'nosniff',
  }
}

function matchesTag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  return header === '*' || header.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === etag)
}
