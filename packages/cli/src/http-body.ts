/** The two framings an HTTP/1.1 answer can have, undone. An answer that ends early is an error, never a short answer. */
import { SignalboxError } from '@signalbox/contract/errors'

const cutOff = () =>
  new SignalboxError('daemon_unavailable', 'the daemon closed the connection in the middle of its answer', {
    hint: 'signalbox logs',
  })

export async function* ofLength(source: AsyncIterable<Buffer>, length: number): AsyncGenerator<Buffer> {
  let left = length
  if (left === 0) return
  for await (const chunk of source) {
    const part = chunk.length > left ? chunk.subarray(0, left) : chunk
    left -= part.length
    yield part
    if (left === 0) return
  }
  throw cutOff()
}

const EOL = '\r\n'
const SIZE = /^([0-9a-f]{1,8})\s*(?:;.*)?$/i

/** `Transfer-Encoding: chunked`: sizes in hex, each with its bytes, ended by a size of 0. */
export async function* ofChunks(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer = Buffer.alloc(0)
  /** Bytes of the current chunk still to come; null when a size line is next. */
  let left: number | null = null
  for await (const received of source) {
    held = held.length === 0 ? received : Buffer.concat([held, received])
    while (held.length > 0) {
      if (left === null) {
        const end = held.indexOf(EOL)
        if (end < 0) break
        const size = SIZE.exec(held.toString('latin1', 0, end))?.[1]
        if (size === undefined) throw new SignalboxError('internal', 'the daemon’s answer is not HTTP')
        left = Number.parseInt(size, 16)
        held = held.subarray(end + EOL.length)
        if (left === 0) return // trailers, if any, say nothing that we use
        continue
      }
      if (left > 0) {
        const part = held.subarray(0, left)
        left -= part.length
        held = held.subarray(part.length)
        yield part
        continue
      }
      if (held.length < EOL.length) break
      held = held.subarray(EOL.length)
      left = null
    }
  }
  throw cutOff()
}
