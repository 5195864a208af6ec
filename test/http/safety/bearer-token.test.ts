/** Another user of this machine, or a page, that does not know the token. */
import { stat } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { startDaemon } from '../../harness/daemon.ts'
import { overTcpWithoutToken, tokenOf } from '../../harness/http.ts'
import { tempHome } from '../../harness/temp-home.ts'
import { until } from '../../harness/until.ts'
import { errorOf, oneDaemon } from '../one-daemon.ts'

const daemon = oneDaemon()
const ask = (headers: Record<string, string>, path = '/api/daemon') =>
  overTcpWithoutToken(daemon().url, path, { headers })

/** Failed tokens are counted; wait until one may be tried again. */
const askPatiently = (headers: Record<string, string>, path?: string) =>
  until('a token may be tried', async () => {
    const answer = await ask(headers, path)
    return answer.status === 429 ? null : answer
  })

describe('a request on TCP', () => {
  it.each([
    ['no token', undefined],
    ['an empty one', ''],
    ['the scheme only', 'Bearer'],
    ['an empty bearer', 'Bearer '],
    ['a wrong one', 'Bearer wrong'],
    ['a very long one', `Bearer ${'a'.repeat(12_000)}`],
    ['another scheme', 'Basic TOKEN'],
    ['the token without a scheme', 'TOKEN'],
    ['the token in another scheme', 'Token TOKEN'],
    ['half of it', 'Bearer HALF'],
    ['more than it', 'Bearer TOKENx'],
    ['two', 'Bearer TOKEN TOKEN'],
    ['it in upper case', 'Bearer UPPER'],
  ])('with %s is refused (CAT-097) (CAT-197)', async (_what, value) => {
    const token = await tokenOf(daemon().home)
    const filled = value
      ?.replaceAll('TOKEN', token)
      .replace('HALF', token.slice(0, 20))
      .replace('UPPER', token.toUpperCase())
    const answer = await askPatiently(filled === undefined ? {} : { authorization: filled })
    expect(errorOf(answer).code).toBe('unauthorized')
    expect(answer.headers['www-authenticate']).toMatch(/^Bearer /)
    expect(answer.text()).not.toContain(token.slice(0, 8))
  })

  it('takes the token in no other place (CAT-097) (CAT-197)', async () => {
    const token = await tokenOf(daemon().home)
    for (const path of [`/api/daemon?token=${token}`, `/api/daemon?access_token=${token}`])
      expect((await askPatiently({}, path)).status).toBe(401)
    for (const name of ['cookie', 'x-api-key', 'proxy-authorization']) {
      expect((await askPatiently({ [name]: `Bearer ${token}` })).status).toBe(401)
    }
  })

  it.each(['Bearer', 'bearer', 'BEARER'])('with the token after %s is answered (CAT-097)', async (scheme) => {
    expect((await ask({ authorization: `${scheme} ${await tokenOf(daemon().home)}` })).status).toBe(200)
  })

  it('learns nothing without the token: every path is refused the same way (CAT-097) (CAT-197)', async () => {
    for (const path of [
      '/api/daemon',
      '/api/nope',
      '/',
      '/api/providers/nobody/models',
      '/api/events',
      '/api/daemon/stop',
    ]) {
      expect(errorOf(await askPatiently({}, path)).message).toBe('a bearer token is required')
    }
  })
})

describe('guessing', () => {
  it('is slowed down, and who has the token is not (CAT-097) (CAT-203)', async () => {
    const guesses = await Promise.all(
      Array.from({ length: 60 }, (_, at) => ask({ authorization: `Bearer guess-${at}` })),
    )
    const refused = guesses.filter(({ status }) => status === 429)
    expect(refused.length).toBeGreaterThan(0)
    expect(refused[0]?.headers['retry-after']).toBe('1')
    expect((await daemon().overTcp('/api/daemon')).status).toBe(200)
  })
})

describe('the token', () => {
  it('is in a file that only its owner reads, and stays after a restart (CAT-198)', async () => {
    await using home = await tempHome()
    const first = await startDaemon({ home })
    const token = await tokenOf(home)
    expect(token.length).toBeGreaterThanOrEqual(43)
    expect((await stat(home.paths.tokenFile)).mode & 0o777).toBe(0o600)
    await first.stop()
    await using second = await startDaemon({ home })
    expect(await tokenOf(home)).toBe(token)
    expect((await second.overTcp('/api/daemon')).status).toBe(200)
    expect(token).not.toBe(await tokenOf(daemon().home))
  })
})
