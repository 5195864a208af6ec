import { inspect } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createSecrets, REDACTED } from './redact.ts'

const json = (text: string) => JSON.stringify(text)
const ascii = (text: string) =>
  json(text).replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
const html = (text: string) => text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`)

/** Each way a value gets into a line. */
const QUOTINGS: Readonly<Record<string, (secret: string) => string>> = {
  plain: (secret) => secret,
  json,
  'json in json': (secret) => json(json(secret)),
  'json in json in json': (secret) => json(json(json(secret))),
  'json, ASCII only': ascii,
  'json with escaped slashes': (secret) => json(secret).replaceAll('/', '\\/'),
  'a URL component': encodeURIComponent,
  'a URL component in lower case': (secret) => encodeURIComponent(secret).replace(/%../g, (code) => code.toLowerCase()),
  'a URL component, twice': (secret) => encodeURIComponent(encodeURIComponent(secret)),
  'a form': (secret) => new URLSearchParams({ q: secret }).toString(),
  'JavaScript source': (secret) => inspect({ value: secret }),
  'a shell word': (secret) => `'${secret.replaceAll("'", String.raw`'\''`)}'`,
  HTML: html,
  base64: (secret) => Buffer.from(secret).toString('base64'),
  'base64 in the middle': (secret) => Buffer.from(`{"user":"${secret}"}`).toString('base64'),
  'base64 one byte in': (secret) => Buffer.from(`:${secret}!`).toString('base64'),
  'base64 two bytes in': (secret) => Buffer.from(`u:${secret}`).toString('base64'),
  base64url: (secret) => Buffer.from(secret).toString('base64url'),
  'base64 in a URL': (secret) => encodeURIComponent(Buffer.from(secret).toString('base64')),
  hex: (secret) => Buffer.from(secret).toString('hex'),
  'upper-case hex': (secret) => Buffer.from(secret).toString('hex').toUpperCase(),
}

/** Long enough that every base64 form has a middle to recognise, and trimmed as a credential is. */
const canary = fc
  .oneof(fc.string({ minLength: 12, maxLength: 60, unit: 'binary' }), fc.string({ minLength: 12, maxLength: 60 }))
  .map((text) => text.toWellFormed().trim())
  .filter((text) => text.length >= 12 && !/^(.)\1*$/s.test(text))

describe('a registered secret', () => {
  for (const [name, quote] of Object.entries(QUOTINGS)) {
    it(`never survives as ${name}, whatever is around it (CAT-076)`, () => {
      fc.assert(
        fc.property(canary, fc.string(), fc.string(), (secret, before, after) => {
          const secrets = createSecrets()
          expect(secrets.add(secret)).toBe(true)
          const written = quote(secret)
          const out = secrets.redact(`${before} ${written} ${after}`)
          expect(out).toContain(REDACTED)
          expect(out).not.toContain(secret)
          expect(out).not.toContain(written.replace(/^["'\\]+|["'\\=]+$/g, ''))
        }),
        { numRuns: 100 },
      )
    })
  }

  it('is found where it stands between other letters and next to itself', () => {
    const secrets = createSecrets()
    secrets.add('k!canary/42')
    expect(secrets.redact('xk!canary/42k!canary/42y')).toBe(`x${REDACTED}${REDACTED}y`)
  })

  it('is found without the line end that its file had', () => {
    const secrets = createSecrets()
    secrets.add('correct horse battery\n')
    expect(secrets.redact('said: correct horse battery.')).toBe(`said: ${REDACTED}.`)
  })

  it('is refused when it is too short to be told from ordinary words', () => {
    const secrets = createSecrets()
    expect(secrets.add('ollama')).toBe(false)
    expect(secrets.add('   \n')).toBe(false)
    expect(secrets.redact('provider ollama is ready')).toBe('provider ollama is ready')
  })

  it('is taken literally, not as a pattern', () => {
    const secrets = createSecrets()
    secrets.add('.*.*.*.*(')
    expect(secrets.redact('model gpt-5.2 (.*.*.*.*()')).toBe(`model gpt-5.2 (${REDACTED})`)
  })
})

describe('a secret that nobody registered', () => {
  const { redact } = createSecrets()
  const LEAKS: readonly (readonly [text: string, shown: string])[] = [
    ['key sk-proj-Ab12Cd34Ef56 was refused', 'key [redacted] was refused'],
    ['sk-ant-api03-AAAA_bbbb-CCCC', '[redacted]'],
    [String.raw`{"error":"bad key:\nsk-or-v1-0123456789abcdef"}`, String.raw`{"error":"bad key:\n[redacted]"}`],
    ['q=%20sk-0123456789abcdef', 'q=%20[redacted]'],
    ['ghp_0123456789abcdefABCDEF0123456789abcd', '[redacted]'],
    ['gho_0123456789abcdefABCDEF0123456789abcd', '[redacted]'],
    ['github_pat_11ABCDEFG0123456789_abcdef', '[redacted]'],
    ['xoxb-123456789012-abcdefghijkl', '[redacted]'],
    ['AIzaSyA-0123456789abcdefghijklmnopqrstu', '[redacted]'],
    ['ya29.a0AfH6SMBx0123456789abcdef', '[redacted]'],
    ['AKIAIOSFODNN7EXAMPLE', '[redacted]'],
    ['gsk_0123456789abcdefABCDEF', '[redacted]'],
    ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl', '[redacted]'],
    ['Authorization: Bearer abc', 'Authorization: [redacted]'],
    ['sent "Bearer a.b~c+d/e==" there', 'sent "Bearer [redacted]" there'],
    ['bearer topsecret', 'bearer [redacted]'],
    ['Basic dXNlcjpwYXNz', 'Basic [redacted]'],
    ['authorization=Basic dXNlcjpwYXNz', 'authorization=[redacted]'],
    ['api_key=abc&page=2', 'api_key=[redacted]&page=2'],
    ['OPENAI_API_KEY=abc', 'OPENAI_API_KEY=[redacted]'],
    ['{"apiKey": "a b c","n":1}', '{"apiKey": "[redacted]","n":1}'],
    [String.raw`{"apiKey":"a\"b","n":1}`, '{"apiKey":"[redacted]","n":1}'],
    [
      String.raw`{"m":"{\"password\":\"a \\\"b\\\" c\",\"k\":1}"}`,
      String.raw`{"m":"{\"password\":\"[redacted]\",\"k\":1}"}`,
    ],
    ['{"token":12345,"n":1}', '{"token":"[redacted]","n":1}'],
    ['password: hunter2, then', 'password: [redacted], then'],
    ["password='two words' then", "password='[redacted]' then"],
    ['token=abc', 'token=[redacted]'],
    ['access_token=abc', 'access_token=[redacted]'],
    ['"clientSecret":"abc"', '"clientSecret":"[redacted]"'],
    ['client_secret=abc&x=1', 'client_secret=[redacted]&x=1'],
    ['refresh_token=abc', 'refresh_token=[redacted]'],
    ['x-api-key: abc', 'x-api-key: [redacted]'],
    ['Cookie: a=b; c=d', 'Cookie: [redacted]'],
    ['GET /cb?code=abc&x=1', 'GET /cb?code=[redacted]&x=1'],
    ['grant_type=authorization_code&code=4/0Ab', 'grant_type=authorization_code&code=[redacted]'],
    ['code=4/0AbCdEfGh-1234 sent', 'code=[redacted] sent'],
    ['https://api.test/v1/models?key=abc&pageSize=1', 'https://api.test/v1/models?key=[redacted]&pageSize=1'],
    ['https://user:p@ss@host.test/x', 'https://[redacted]@host.test/x'],
    [String.raw`https:\/\/user:pass@host.test`, String.raw`https:\/\/[redacted]@host.test`],
    ['-----BEGIN RSA PRIVATE KEY-----\nMIIE+/=\n-----END RSA PRIVATE KEY-----', '[redacted]'],
  ]
  for (const [text, shown] of LEAKS) {
    it(`is hidden by its form or its name in ${text.slice(0, 60)} (CAT-076)`, () => {
      expect(redact(text)).toBe(shown)
    })
  }

  it('hides nothing more when it is applied again', () => {
    for (const [, shown] of LEAKS) expect(redact(shown)).toBe(shown)
  })
})

describe('ordinary text', () => {
  const { redact } = createSecrets()
  const ORDINARY: readonly string[] = [
    'claude-sonnet-4-6',
    'anthropic/claude-opus-4.1:thinking',
    'openai/gpt-5.2:high',
    'us.anthropic.claude-3-5-sonnet-20241022-v2:0',
    'workers-ai/@cf/meta/llama-3.1-8b-instruct',
    'publishers/google/models/gemini-2.5-pro@001',
    'task-abcdefghijklmnop and risk-assessment-model-large',
    'disk-usage-monitor sk-SK',
    '0b9f4c6e-8a2d-4a83-9f53-6f6d8a1d2b3c',
    'sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    'The bearer token is missing or wrong.',
    'WWW-Authenticate: Bearer realm="x"',
    'Basic TypeScript and Basic GPT-4o',
    'exit code=1, code=ENOENT, code=ERR_INVALID_ARG_TYPE',
    '{"max_output_tokens":8192,"token_file":"home/token","token":null}',
    'rfsh-0123456789abcdef 2026-05-07T18:32:11Z',
    'https://models.dev/api.json?limit=5',
    'Unexpected token < in JSON at position 0',
    'password is required',
  ]
  for (const text of ORDINARY) {
    it(`is left alone: ${text.slice(0, 60)}`, () => {
      expect(redact(text)).toBe(text)
    })
  }
})

describe('a megabyte of hostile text', () => {
  const UNITS = [
    'a',
    '\\',
    '"',
    '\\"',
    "'",
    ' ',
    '%25',
    '\\n',
    'sk-',
    'sk-a ',
    'eyJ',
    'eyJaaaaaaaaa.',
    'Bearer ',
    'Basic ',
    'password:',
    'password="',
    '"password":"\\',
    "token='",
    'token"',
    '://',
    '://a',
    '&code=',
    'code=',
    'cookie: ',
    'authorization: ',
    '1//0',
    'canary',
    '-----BEGIN PRIVATE KEY-----',
  ]
  const secrets = createSecrets()
  secrets.add(String.raw`\\canary\\"canary\\`)
  secrets.add(`${'a'.repeat(40)}b`)
  for (const unit of UNITS) {
    it(`takes linear time: ${JSON.stringify(unit)} repeated`, () => {
      const started = performance.now()
      secrets.redact(unit.repeat(Math.ceil(1_000_000 / unit.length)))
      // Quadratic time would be minutes; the bound only has to tell these apart on a busy machine.
      expect(performance.now() - started).toBeLessThan(4_000)
    })
  }
})
