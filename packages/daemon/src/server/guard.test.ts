import type { IncomingMessage } from 'node:http'
import { describe, expect, it } from 'vitest'
import { hashToken } from '../platform/token.ts'
import { guard } from './guard.ts'
import { RateLimit } from './rate-limit.ts'

const TOKEN = 'a'.repeat(43)
const options = (failures: number, writes: number) => ({
  tokenHash: hashToken(TOKEN),
  allowedHosts: [],
  writes: new RateLimit(1, writes, () => 0),
  failures: new RateLimit(1, failures, () => 0),
})
/** A guard only reads these of a request. */
const request = (method: string, url: string, token = TOKEN) =>
  ({ method, url, headers: { host: 'localhost', authorization: `Bearer ${token}` } }) as IncomingMessage

describe('the guard', () => {
  it('limits failed tokens and still lets the right one in (CAT-097)', () => {
    const limits = options(1, 9)
    const wrong = () => guard(request('GET', '/', 'wrong'), limits)
    expect(wrong).toThrow('the bearer token is wrong')
    expect(wrong).toThrow('too many failed tokens')
    expect(() => guard(request('GET', '/'), limits)).not.toThrow()
  })

  it.each([
    ['POST', '/api/x'],
    ['DELETE', '/api/x'],
    ['GET', '/api/x?refresh=true'],
    ['GET', '/api/x?a=1&refresh=0'],
    ['GET', '/api/x?%72%65fresh=1'],
    ['HEAD', '/api/x?refresh=1'],
  ])('counts %s %s as a write (CAT-097)', (method, url) => {
    expect(() => guard(request(method, url), options(1, 0))).toThrow('too many refreshes')
  })

  it.each(['/api/x', '/api/refresh', '/api/x?q=refresh', '/api/x?norefresh=1'])('does not limit reads: %s', (url) => {
    expect(() => guard(request('GET', url), options(1, 0))).not.toThrow()
  })
})
