import { describe, expect, it } from 'vitest'
import { failureOf, tooLarge, tooSlow } from './failures.ts'

const withCode = (code: unknown) => Object.assign(new Error('GET https://user:pw@host/?key=sk-secret'), { code })

describe('what went wrong with a request', () => {
  it.each([
    ['ECONNREFUSED', 'the connection was refused'],
    ['ENOTFOUND', 'the name could not be resolved'],
    ['EAI_AGAIN', 'the name could not be resolved'],
    ['ENETUNREACH', 'the network is not reachable'],
    ['UND_ERR_CONNECT_TIMEOUT', 'no connection could be made in time'],
    ['CERT_HAS_EXPIRED', 'the certificate has expired'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'the certificate is not trusted'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'the certificate is for another name'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'no secure connection could be agreed on'],
    ['UND_ERR_ABORTED', 'the proxy did not make the connection'],
    ['ESOMETHINGNEW', 'the request failed (ESOMETHINGNEW)'],
  ])('is told for %s in our own words, without the message (CAT-076)', (code, message) => {
    expect(failureOf(withCode(code))).toMatchObject({ code: 'source_failed', message })
  })

  it.each([undefined, 5, 'text of an answer', 'key=sk-secret'])(
    'is not told from the code %j, which is none',
    (code) => {
      expect(failureOf(withCode(code))).toBeNull()
    },
  )

  it('is nothing that a plain fault of ours can claim', () => {
    expect(failureOf(new TypeError('x is undefined'))).toBeNull()
    expect(failureOf('text')).toBeNull()
  })

  it('names limits in the units they are set in', () => {
    expect(tooSlow(10_000).message).toBe('no complete answer within 10 s')
    expect(tooSlow(250).message).toBe('no complete answer within 0.25 s')
    expect(tooLarge(32 * 1024 * 1024).message).toBe('the answer is larger than 32 MiB')
  })
})
