/** A response body as text: decompressed, counted, and checked to be the kind of text that was asked for. */
import type { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { failed, tooLarge } from './failures.ts'

export const ACCEPT_ENCODING = 'gzip, br, deflate'

const DECODERS: ReadonlyMap<string, () => Transform> = new Map<string, () => Transform>([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['br', createBrotliDecompress],
  ['deflate', createInflate],
])

export interface BodyText {
  readonly text: string
  /** Invalid UTF-8 was replaced by U+FFFD. */
  readonly damaged: boolean
}

/** The decompressed bytes. Reading ends, and the connection with it, at the first chunk above the cap (CAT-152). */
export async function readBody(body: Readable, encoding: string, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  const collect = async (source: AsyncIterable<Buffer>) => {
    for await (const chunk of source) {
      size += chunk.length
      if (size > maxBytes) throw tooLarge(maxBytes)
      chunks.push(chunk)
    }
  }
  const name = encoding.trim().toLowerCase()
  if (name === '' || name === 'identity') {
    await pipeline(body, collect)
  } else {
    const decoder = DECODERS.get(name)
    if (decoder === undefined) throw failed('the answer is compressed in a way that was not asked for')
    await pipeline(body, decoder(), collect)
  }
  return Buffer.concat(chunks, size)
}

/** UTF-8 as text, without a byte order mark. */
export function decodeText(bytes: Buffer, invalidUtf8: 'fail' | 'replace'): BodyText {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), damaged: false }
  } catch (error) {
    // A fatal decoder throws a TypeError for invalid bytes; a RangeError would be a string above V8's limit.
    if (!(error instanceof TypeError)) throw error
    if (invalidUtf8 === 'fail') throw failed('the answer is not valid UTF-8')
    return { text: new TextDecoder('utf-8').decode(bytes), damaged: true }
  }
}

const WEB_PAGE_TYPE = /^(?:text\/html|application\/xhtml\+xml)\b/i
const WEB_PAGE_START = /^\s*</

export function isWebPageType(contentType: string): boolean {
  return WEB_PAGE_TYPE.test(contentType.trim())
}

/** No JSON starts so. */
export function startsAsWebPage(text: string): boolean {
  return WEB_PAGE_START.test(text)
}
