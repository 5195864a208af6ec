import { describe, expect, it } from 'vitest'
import { childEnvironment } from './child-environment.ts'

const SECRET = [
  'OPENAI_API_KEY',
  'openai_apikey',
  'GH_TOKEN',
  'NPM_CONFIG_//host/:_authToken',
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'PGPASSWORD',
  'SSH_PRIVATE_KEY',
  'GOOGLE_APPLICATION_CREDENTIALS',
  'SESSION_COOKIE',
  'MYSQL_PASS',
  'SENTRY_DSN',
  'GITHUB_PAT',
  'OP_SERVICE_ACCOUNT_TOKEN',
  'MyClientSecret',
]
const PLAIN = ['PATH', 'HOME', 'LANG', 'PWD', 'MONKEY', 'KEYBOARD', 'SSH_AUTH_SOCK', 'PASSWORD_STORE_DIR', 'COMPASS']

const all = Object.fromEntries([...SECRET, ...PLAIN].map((name) => [name, 'value']))

describe('the environment of a command', () => {
  it('has no name that looks like a secret (CAT-210)', () => {
    expect(Object.keys(childEnvironment(all)).sort()).toEqual(PLAIN.toSorted())
  })

  it('has the credential of its own provider, and no other (CAT-210)', () => {
    expect(Object.keys(childEnvironment(all, ['OPENAI_API_KEY'])).sort()).toEqual([...PLAIN, 'OPENAI_API_KEY'].sort())
  })

  it('has no names that are not set', () => {
    expect(childEnvironment({ PATH: '/bin', GONE: undefined }, ['GONE', 'NEVER'])).toEqual({ PATH: '/bin' })
  })
})
