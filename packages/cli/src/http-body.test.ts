import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ofChunks, ofLength } from './http-body.ts'

/** The bytes cut at the given places. */
async function* cut(bytes: Buffer, places: readonly number[]): AsyncGenerator<Buffer> {
  const ends = [...new Set(places.map((place) => place % (bytes.length + 1)))].sort((a, b) => a - b)
  for (const [i, end] of [...ends, bytes.length].entries()) {
    const part = bytes.subarray(ends[i - 1] ?? 0, end)
    if (part.length > 0) yield part
  }
}

const chunked = (parts: readonly Uint8Array[]) =>
  Buffer.concat([
    ...parts.flatMap((part) => [Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n')]),
    Buffer.from('0\r\n\r\n'),
  ])

const join = async (body: AsyncIterable<Buffer>) => Buffer.concat(await Array.fromAsync(body))

const parts = fc.array(fc.uint8Array({ minLength: 1, maxLength: 40 }), { maxLength: 8 })
const places = fc.array(fc.nat(2000), { maxLength: 12 })

describe('a chunked body', () => {
  it('is the same bytes wherever the network cuts it (CAT-105)', async () => {
    await fc.assert(
      fc.asyncProperty(parts, places, async (sent, at) => {
        expect(await join(ofChunks(cut(chunked(sent), at)))).toEqual(Buffer.concat(sent))
      }),
    )
  })

  it('that ends early is an error, never a shorter answer', async () => {
    await fc.assert(
      fc.asyncProperty(parts, fc.nat(), async (sent, at) => {
        const whole = chunked(sent)
        const short = whole.subarray(0, at % (whole.length - 4))
        await expect(join(ofChunks(cut(short, [])))).rejects.toMatchObject({ code: 'daemon_unavailable' })
      }),
    )
  })

  it('with a size that is not hexadecimal is refused', async () => {
    await expect(join(ofChunks(cut(Buffer.from('zz\r\nab\r\n'), [])))).rejects.toMatchObject({ code: 'internal' })
  })
})

describe('a body of a known length', () => {
  it('ends there, whatever follows', async () => {
    expect(String(await join(ofLength(cut(Buffer.from('abcdef'), [2, 5]), 4)))).toBe('abcd')
    expect(await join(ofLength(cut(Buffer.from('x'), []), 0))).toHaveLength(0)
  })

  it('that ends early is an error', async () => {
    await expect(join(ofLength(cut(Buffer.from('abc'), []), 4))).rejects.toMatchObject({ code: 'daemon_unavailable' })
  })
})
