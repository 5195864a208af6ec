import { describe, expect, it } from 'vitest'
import { type AwsRequest, signAws } from './aws-sigv4.ts'

/** The published example credentials and time of the AWS test suite for Signature Version 4. */
const credentials = {
  accessKeyId: 'AKIDEXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
  sessionToken: null,
}
const suite = { method: 'GET', region: 'us-east-1', service: 'service', now: Date.UTC(2015, 7, 30, 12, 36) } as const
const HOST = 'https://example.amazonaws.com'

const signatureOf = (request: AwsRequest) => signAws(request, credentials).authorization?.split('Signature=')[1]

describe('signing for AWS', () => {
  it('gives the headers of get-vanilla (CAT-216)', () => {
    expect(signAws({ ...suite, url: `${HOST}/` }, credentials)).toEqual({
      'x-amz-date': '20150830T123600Z',
      authorization:
        'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=host;x-amz-date, ' +
        'Signature=5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31',
    })
  })

  it.each<readonly [string, AwsRequest, string]>([
    [
      'get-vanilla-query-order-key-case',
      { ...suite, url: `${HOST}/?Param2=value2&Param1=value1` },
      'b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500',
    ],
    [
      'get-unreserved',
      { ...suite, url: `${HOST}/-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz` },
      '07ef7494c76fa4850883e2b006601f940f8a34d404d0cfa977f52a65bbf5f24f',
    ],
    [
      'get-header-value-trim',
      { ...suite, url: `${HOST}/`, headers: { 'My-Header1': ' value1', 'My-Header2': ' "a   b   c"' } },
      'acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736',
    ],
    [
      'post-vanilla',
      { ...suite, method: 'POST', url: `${HOST}/` },
      '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b',
    ],
    [
      'the ListUsers example of the documentation',
      {
        ...suite,
        service: 'iam',
        url: 'https://iam.amazonaws.com/?Action=ListUsers&Version=2010-05-08',
        headers: { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' },
      },
      '5d672d79c15b13162d9279b0855cfba6789a8edb4c82c400e06b5924a6f2b5d7',
    ],
  ])('gives the signature of %s (CAT-216)', (_, request, signature) => {
    expect(signatureOf(request)).toBe(signature)
  })

  it('signs and sends the token of temporary credentials (CAT-216)', () => {
    const headers = signAws({ ...suite, url: `${HOST}/` }, { ...credentials, sessionToken: 'token' })
    expect(headers['x-amz-security-token']).toBe('token')
    expect(headers.authorization).toContain('SignedHeaders=host;x-amz-date;x-amz-security-token,')
  })

  it('signs the port of the host, and never shows the secret', () => {
    const one = signatureOf({ ...suite, url: 'http://127.0.0.1:4000/foundation-models' })
    expect(one).not.toBe(signatureOf({ ...suite, url: 'http://127.0.0.1:4001/foundation-models' }))
    expect(JSON.stringify(signAws({ ...suite, url: `${HOST}/` }, credentials))).not.toContain('wJalr')
  })
})
