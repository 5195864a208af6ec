import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { joinBaseUrl, withQuery } from './base-url.ts'

describe('joining a base URL and a list path', () => {
  it.each([
    ['http://h:8000', '/v1/models', 'http://h:8000/v1/models'],
    ['http://h:8000/', '/v1/models', 'http://h:8000/v1/models'],
    ['http://h/v1', '/v1/models', 'http://h/v1/models'],
    ['http://h/v1//', '/v1/models', 'http://h/v1/models'],
    ['http://h/gateway/team', '/v1/models', 'http://h/gateway/team/v1/models'],
    ['http://h/gateway/v1', '/v1/models', 'http://h/gateway/v1/models'],
    ['http://h/api/v1', '/v1/models', 'http://h/api/v1/models'],
    ['http://h/api', '/v1/models', 'http://h/api/v1/models'],
    ['http://h/api', '/api/v1/models', 'http://h/api/v1/models'],
    ['http://h/api/v1', '/api/v1/models', 'http://h/api/v1/models'],
    ['http://h', '/api/v1/models', 'http://h/api/v1/models'],
    ['http://h/v1beta', '/v1beta/models', 'http://h/v1beta/models'],
    ['http://h/v1', '/v1beta/models', 'http://h/v1/models'],
    ['http://h/api', '/api/tags', 'http://h/api/tags'],
    ['http://h/api/paas/v4', '/v1/models', 'http://h/api/paas/v4/models'],
    ['http://h/api/paas/v4', '/models', 'http://h/api/paas/v4/models'],
    ['http://h/models', '/models', 'http://h/models/models'],
    ['http://h/v1x', '/v1/models', 'http://h/v1x/v1/models'],
    ['http://h/a%2Fb/v1', '/v1/models', 'http://h/a%2Fb/v1/models'],
    ['http://h/v1?team=a', '/v1/models?limit=5', 'http://h/v1/models?team=a&limit=5'],
    ['http://h/v1#x', '/v1/models', 'http://h/v1/models'],
  ])('%s and %s give %s (CAT-217)', (base, path, expected) => {
    expect(joinBaseUrl(base, path)).toBe(expected)
  })

  it.each([
    ['http://h:1234/v1', '/api/v1/models', 'http://h:1234/api/v1/models'],
    ['http://h:1234/lm/v1/', '/api/v0/models', 'http://h:1234/lm/api/v0/models'],
    ['http://h:1234', '/v1/models', 'http://h:1234/v1/models'],
  ])('%s and %s give %s where the list is not below the version (CAT-220)', (base, path, expected) => {
    expect(joinBaseUrl(base, path, ['/api/v1', '/api/v0', '/v1'])).toBe(expected)
  })

  it('keeps the origin and the base path, adds the list once, and is the same with a final slash (CAT-217)', () => {
    const segment = fc.constantFrom('v1', 'v1beta', 'v4', 'api', 'team', 'openai', 'a.b')
    const paths = fc.constantFrom('/v1/models', '/v1beta/models', '/api/v1/models', '/api/tags', '/models')
    fc.assert(
      fc.property(fc.array(segment, { maxLength: 4 }), paths, (base, path) => {
        const joined = joinBaseUrl(`https://h.example/${base.join('/')}`, path)
        const { origin, pathname } = new URL(joined)
        const found = pathname.split('/').filter((part) => part !== '')
        expect(origin).toBe('https://h.example')
        expect(found.slice(0, base.length)).toEqual(base)
        expect(found.at(-1)).toBe(path.split('/').at(-1))
        expect(joinBaseUrl(`https://h.example/${base.join('/')}/`, path)).toBe(joined)
        // What the join adds never begins with the segment that the base ends in.
        const [last, added] = [base.at(-1), found[base.length]]
        if (last !== undefined && /^(?:api|v)/.test(last)) expect(added).not.toBe(last)
      }),
    )
  })

  it('sets a cursor over an earlier one', () => {
    expect(withQuery('http://h/m?limit=5&after=a', { after: 'b/c' })).toBe('http://h/m?limit=5&after=b%2Fc')
  })
})
