import type { Writable } from 'node:stream'

/** The reader of a pipe left, as `head` does. Not an error: it has what it wanted. */
const isClosedPipe = (error: Error) =>
  'code' in error && (error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED')

function write(out: Writable, chunk: Uint8Array | string): Promise<boolean> {
  const { promise, resolve, reject } = Promise.withResolvers<boolean>()
  out.write(chunk, (error) => {
    if (error === null || error === undefined) resolve(true)
    else if (isClosedPipe(error)) resolve(false)
    else reject(error)
  })
  return promise
}

/** `write` reports its own failures; without a listener the same one would also end the process. */
export function guard<Out extends Writable>(out: Out): Out {
  return out.on('error', () => {
    // the callback in write() has it
  })
}

/** Copies at the reader's pace: the next chunk is taken only when this one is gone. False when the reader left. */
export async function copy(body: AsyncIterable<Uint8Array | string>, out: Writable): Promise<boolean> {
  for await (const chunk of body) if (!(await write(out, chunk))) return false
  return true
}

export const print = (out: Writable, text: string): Promise<boolean> => write(out, text)
