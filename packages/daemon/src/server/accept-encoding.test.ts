import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { acceptedEncoding } from './accept-encoding.ts'

describe('the accepted encoding', () => {
  it.each([
    [undefined, 'identity'],
    ['', 'identity'],
    ['gzip', 'gzip'],
    ['gzip, br', 'br'],
    ['br;q=0.2, gzip;q=0.9', 'gzip'],
    ['identity;q=1, br;q=0.5', 'identity'],
    ['*;q=0.5, br;q=0', 'gzip'],
    ['*;q=0', 'identity'],
    ['identity;q=0', 'identity'],
    ['gzip;q=', 'identity'],
  ] as const)('for %s is %s (CAT-054)', (header, encoding) => {
    expect(acceptedEncoding(header)).toBe(encoding)
  })

  it('is never one that the client refuses or does not name (CAT-054)', () => {
    fc.assert(
      fc.property(fc.subarray(['br;q=0', 'gzip;q=0', 'deflate', 'identity', 'zstd;q=1', '*;q=0']), (parts) => {
        expect(acceptedEncoding(parts.join(', '))).toBe('identity')
      }),
    )
  })

  it('takes any text', () => {
    fc.assert(fc.property(fc.string(), (header) => ['identity', 'gzip', 'br'].includes(acceptedEncoding(header))))
  })
})
