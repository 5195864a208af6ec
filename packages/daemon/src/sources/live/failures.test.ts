import { describe, expect, it } from 'vitest'
import type { CallFailure } from '../../http/failures.ts'
import { judgeFailure, retryTime } from './failures.ts'

const NOW = Date.UTC(2026, 10, 15, 12)
const status = (code: number, retryAfter: string | null = null) =>
  ({ kind: 'status', status: code, retryAfter }) as const

describe('what a failed list call means', () => {
  it.each([
    [401, 'credential_rejected', 'acme does not accept the credential (HTTP 401)'],
    [402, 'credential_rejected', 'acme asks for payment before it lists models (HTTP 402)'],
    [403, 'credential_rejected', 'acme does not let this credential list models (HTTP 403)'],
    [404, 'provider_unreachable', 'acme has no list of models at this address (HTTP 404)'],
    [410, 'provider_unreachable', 'acme no longer has a list of models at this address (HTTP 410)'],
    [429, 'rate_limited', 'acme asks to be called less often (HTTP 429)'],
    [400, 'provider_unreachable', 'acme failed to list its models (HTTP 400)'],
    [500, 'provider_unreachable', 'acme failed to list its models (HTTP 500)'],
    [502, 'provider_unreachable', 'acme failed to list its models (HTTP 502)'],
    [503, 'provider_unreachable', 'acme failed to list its models (HTTP 503)'],
  ])('HTTP %i is %s (CAT-223)', (code, reason, message) => {
    expect(judgeFailure('acme', status(code), NOW)).toEqual({ reason, message, retryAt: null })
  })

  it.each<Exclude<CallFailure['kind'], 'status'>>([
    'timeout',
    'web_page',
    'not_a_list',
    'connection',
    'redirect',
    'too_large',
  ])('%s is provider_unreachable, in words (CAT-223)', (kind) => {
    const { reason, message, retryAt } = judgeFailure('acme', { kind }, NOW)
    expect([reason, retryAt]).toEqual(['provider_unreachable', null])
    expect(message).toMatch(/^acme [a-z, ]{10,}[a-zJSON ]+$/)
  })

  it('retires nothing, whatever the status (CAT-223)', () => {
    const reasons = Array.from({ length: 300 }, (_, at) => judgeFailure('acme', status(300 + at), NOW).reason)
    expect(new Set(reasons)).toEqual(new Set(['credential_rejected', 'rate_limited', 'provider_unreachable']))
  })

  it('takes a status for a refused credential where the provider uses it so (CAT-223)', () => {
    expect(judgeFailure('google', status(400), NOW, [400]).reason).toBe('credential_rejected')
    expect(judgeFailure('google', status(500), NOW, [400]).reason).toBe('provider_unreachable')
  })

  it('is rate_limited until the time that the provider names (CAT-223)', () => {
    expect(judgeFailure('acme', status(429, '90'), NOW).retryAt).toBe(NOW + 90_000)
    expect(judgeFailure('acme', status(503, '5'), NOW).retryAt).toBe(NOW + 5000)
    expect(judgeFailure('acme', status(401, '5'), NOW).retryAt).toBeNull()
  })

  it.each([
    ['0', NOW],
    [' 120 ', NOW + 120_000],
    ['Sun, 15 Nov 2026 12:01:00 GMT', NOW + 60_000],
    ['Sun, 15 Nov 2026 11:00:00 GMT', NOW],
    ['9999999999', NOW + 86_400_000],
    ['Fri, 31 Dec 2100 00:00:00 GMT', NOW + 86_400_000],
    ['-5', null],
    ['1.5', null],
    ['soon', null],
    ['', null],
    ['2026-11-15T12:01:00Z', null],
    ['Sun, 99 Nov 2026 12:01:00 GMT', null],
  ])('reads Retry-After %j as %j (CAT-223)', (header, expected) => {
    expect(retryTime(header, NOW)).toBe(expected)
  })
})
