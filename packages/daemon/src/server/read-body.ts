import type { IncomingMessage } from 'node:http'
import { SignalboxError } from '@signalbox/contract/errors'

export const BODY_MAX_BYTES = 1024 * 1024

/** The whole body, if it is JSON and not too large. The type is checked first: no page can post a form to us. */
export async function readJsonBody(incoming: IncomingMessage): Promise<Buffer> {
  const declared = Number(incoming.headers['content-length'] ?? 0)
  const hasBody = declared > 0 || incoming.headers['transfer-encoding'] !== undefined
  if (hasBody && !isJson(incoming.headers['content-type'])) {
    throw new SignalboxError('unsupported_media_type', 'the body must have the content type application/json', {
      expected: 'application/json',
    })
  }
  if (declared > BODY_MAX_BYTES) throw tooLarge()
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > BODY_MAX_BYTES) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function isJson(type: string | undefined): boolean {
  return type?.split(';')[0]?.trim().toLowerCase() === 'application/json'
}

function tooLarge(): SignalboxError {
  return new SignalboxError('body_too_large', `the body is larger than ${BODY_MAX_BYTES / 1024 / 1024} MiB`)
}
