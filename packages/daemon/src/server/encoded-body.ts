/** Bytes of one projection of one snapshot. Compressed when first asked for, in the thread pool, and kept. */
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Encoding } from './accept-encoding.ts'
import { escapeControls } from './canonical-json.ts'

const gzipAsync = promisify(gzip)
const brotliAsync = promisify(brotliCompress)

/** Made once per generation and read many times, but someone waits for the first: quality 4 is near gzip in time. */
const BROTLI_QUALITY = 4

export class EncodedBody {
  readonly identity: Buffer
  readonly #compressed = new Map<Encoding, Promise<Buffer>>()
  #hash: string | undefined

  constructor(identity: Buffer) {
    // Tables hold no control characters, so this is for JSON only.
    this.identity = escapeControls(identity)
  }

  async bytes(encoding: Encoding): Promise<Buffer> {
    if (encoding === 'identity') return this.identity
    const known = this.#compressed.get(encoding)
    if (known !== undefined) return await known
    const compressed = compress(this.identity, encoding)
    this.#compressed.set(encoding, compressed)
    return await compressed
  }

  /** Strong: equal bytes, equal tag, also after a restart. Each encoding has its own. */
  etag(encoding: Encoding): string {
    this.#hash ??= createHash('sha256').update(this.identity).digest('base64url').slice(0, 27)
    return encoding === 'identity' ? `"${this.#hash}"` : `"${this.#hash}-${encoding}"`
  }
}

function compress(bytes: Buffer, encoding: 'gzip' | 'br'): Promise<Buffer> {
  if (encoding === 'gzip') return gzipAsync(bytes, { level: 6 })
  const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
  return brotliAsync(bytes, { params })
}
