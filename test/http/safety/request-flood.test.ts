/** More work than one client should make the daemon do. Reads come from memory and are not limited; writes are. */
import { describe, expect, it } from 'vitest'
import { until } from '../../harness/until.ts'
import { errorOf, oneDaemon, openaiErrorOf } from '../one-daemon.ts'

const daemon = oneDaemon()
const body = { source_id: 'config' }
const refresh = () => daemon().overTcp('/api/providers/models/refresh', { method: 'POST', body })
/** As many at once as are allowed, and some more. */
const flood = <T>(ask: () => Promise<T>) => Promise.all(Array.from({ length: 150 }, ask))
const calm = () => until('writes are taken again', async () => (await refresh()).status === 200)

describe('a flood of writes on TCP', () => {
  it.each([
    ['refreshes', refresh],
    [
      'lists that refresh',
      () => daemon().overTcp('/api/providers/openai/models?source_id=config&refresh=true&limit=1'),
    ],
    [
      'lists that refresh, spelt otherwise',
      () => daemon().overTcp('/api/providers/openai/models?source_id=config&%72efresh=1&limit=1'),
    ],
  ])('of %s gets 429 with the time to wait, and is served again after it (CAT-097) (CAT-203)', async (_what, ask) => {
    const answers = await flood(ask)
    const limited = answers.filter(({ status }) => status !== 200)
    expect(limited.length).toBeGreaterThan(10)
    expect(limited.length).toBeLessThan(answers.length)
    for (const answer of limited) {
      expect([answer.status, errorOf(answer).code, answer.headers['retry-after']]).toEqual([429, 'rate_limited', '1'])
    }
    expect((await daemon().overTcp('/api/daemon')).status).toBe(200)
    await calm()
  })

  it('under /api/openai/ is told so in its envelope (CAT-098) (CAT-203)', async () => {
    const answers = await flood(() => daemon().overTcp('/api/openai/v1/models', { method: 'POST', body }))
    const limited = answers.filter(({ status }) => status === 429)
    expect(limited.length).toBeGreaterThan(0)
    for (const answer of limited)
      expect(openaiErrorOf(answer)).toMatchObject({ code: 'rate_limited', type: 'invalid_request_error' })
  })

  it('leaves the socket alone', async () => {
    const sent = { method: 'POST', body }
    const answers = await flood(() => daemon().overSocket('/api/providers/models/refresh', sent))
    expect(answers.every(({ status }) => status === 200)).toBe(true)
  })
})

describe('a flood of reads', () => {
  it('is answered (CAT-203)', async () => {
    const answers = await flood(() => daemon().overTcp('/api/providers/openai/models?limit=1'))
    expect(answers.every(({ status }) => status === 200)).toBe(true)
  })
})
