/** More requests than the daemon is set to take. */
import { describe, expect, it } from 'vitest'
import { overTcpWithoutToken } from '../../harness/http.ts'
import { QUIET_CONFIG } from '../../harness/temp-home.ts'
import { until } from '../../harness/until.ts'
import { errorOf, oneDaemon, openaiErrorOf } from '../one-daemon.ts'

const daemon = oneDaemon(() => QUIET_CONFIG.replace('port = 0', 'port = 0\nrequests_per_second = 5'))
const flood = (path: string, count = 30) => Promise.all(Array.from({ length: count }, () => daemon().overTcp(path)))

describe('a flood on TCP', () => {
  it('gets 429 with the time to wait, and is served again after it (CAT-097)', async () => {
    const answers = await flood('/api/daemon')
    const limited = answers.filter(({ status }) => status !== 200)
    expect(limited.length).toBeGreaterThanOrEqual(20)
    expect(answers.length - limited.length).toBeGreaterThanOrEqual(1)
    for (const answer of limited) {
      expect([answer.status, errorOf(answer).code, answer.headers['retry-after']]).toEqual([429, 'rate_limited', '1'])
    }
    await until('requests are taken again', async () => (await daemon().overTcp('/api/daemon')).status === 200)
  })

  it('of the OpenAI list is told so in its envelope (CAT-097) (CAT-098)', async () => {
    const limited = (await flood('/api/openai/v1/models?provider_id=openai')).filter(({ status }) => status === 429)
    expect(limited.length).toBeGreaterThan(0)
    for (const answer of limited) {
      expect(openaiErrorOf(answer)).toMatchObject({ code: 'rate_limited', type: 'invalid_request_error' })
      expect(answer.headers['retry-after']).toBe('1')
    }
  })

  it('counts requests without a token too (CAT-097)', async () => {
    const answers = await Promise.all(Array.from({ length: 30 }, () => overTcpWithoutToken(daemon().url, '/docs')))
    expect(answers.some(({ status }) => status === 429)).toBe(true)
  })

  it('leaves the socket alone', async () => {
    const answers = await Promise.all(Array.from({ length: 30 }, () => daemon().overSocket('/api/daemon')))
    expect(answers.every(({ status }) => status === 200)).toBe(true)
  })
})
