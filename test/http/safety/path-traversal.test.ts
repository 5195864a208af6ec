/** Paths and ids that try to leave the route they are in. */
import { describe, expect, it } from 'vitest'
import { errorOf, oneDaemon } from '../one-daemon.ts'

const daemon = oneDaemon()

describe('an id in a path', () => {
  it.each([
    '..%2f..%2fetc',
    '%2e%2e%2f',
    '..%5c..',
    'a%2f..%2fb',
    '%252e%252e',
    'openai%2fmodels',
    '%00',
    'a%0d%0aX-Evil:1',
    'x%3b%27--',
    '..;',
    '%c0%ae%c0%ae',
  ])('like %s is a malformed id and nothing else (CAT-141)', async (id) => {
    for (const door of ['overTcp', 'overSocket'] as const) {
      const answer = await daemon()[door](`/api/providers/${id}/models`)
      expect(errorOf(answer)).toMatchObject({ code: 'invalid_request', field: 'provider_id' })
      expect(answer.headers['x-evil']).toBeUndefined()
    }
  })

  it.each([
    '/api/providers/%2e%2e/models',
    '/api/providers/../models',
    '/api/../../etc/passwd',
    '/../token',
    '/%2e%2e/token',
    '/token',
    '/config.toml',
  ])('cannot climb: %s is no path of ours (CAT-148)', async (path) => {
    expect(errorOf(await daemon().overTcp(path)).code).toBe('not_found')
  })

  it('that is percent-encoded is the id it stands for (CAT-141)', async () => {
    const [encoded, plain] = await Promise.all(
      ['%6fpenai', 'openai'].map((id) => daemon().overTcp(`/api/providers/${id}/models?limit=1`)),
    )
    expect([encoded?.status, encoded?.text()]).toEqual([200, plain?.text()])
  })
})
