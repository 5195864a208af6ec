import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { CredentialStep } from '@signalbox/contract/credentials'
import { SignalboxError } from '@signalbox/contract/errors'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CommandError } from '../processes/command-error.ts'
import { createSecrets } from '../telemetry/redact.ts'
import { environmentNamesOf } from './environment-names.ts'
import { createRefresher, RefreshError } from './refresh.ts'
import { type CredentialProvider, type CredentialSources, type Resolution, resolveCredentials } from './resolve.ts'
import { secretMaker } from './secret.ts'
import type { StoredCredential } from './store/credential-store.ts'
import { CredentialStoreError } from './store/credential-store-error.ts'
import { memoryCredentials } from './testing/memory-credentials.ts'
import { provider, secret, storedKey, storedLogin } from './testing/samples.ts'

const NOW = 1_000_000_000

const of = (id: string, more: Partial<CredentialProvider> = {}): CredentialProvider => ({
  provider_id: provider(id),
  auth: 'required',
  environment: environmentNamesOf(provider(id)),
  api_key: null,
  api_key_env: null,
  ...more,
})

function from(
  more: Partial<CredentialSources> & { readonly stored?: readonly StoredCredential[] } = {},
): CredentialSources {
  const store = more.store ?? memoryCredentials(...(more.stored ?? []))
  const full = memoryCredentials(...(more.stored ?? []))
  const exchange = async () => ({ access: secret('refreshed'), refresh: null, expires_at: NOW + 3_600_000 })
  return {
    override: null,
    refresher: createRefresher(full, exchange, () => NOW),
    environment: {},
    command: async () => {
      throw new CommandError('failed')
    },
    secret,
    want: 'all',
    ...more,
    store,
  }
}

const values = ({ credentials }: Resolution) => credentials.map((found) => [found.ref, found.secret?.reveal() ?? null])
const skipped = ({ trace }: Resolution) =>
  trace.flatMap(({ source, reason }) => (reason === null ? [] : [`${source}: ${reason}`]))
const warnings = ({ trace }: Resolution) => trace.flatMap((step) => step.warnings.map(({ code }) => code))

const stored = [
  storedLogin('openai', NOW - 1),
  { ...storedKey('openai', 'stored-b', 'b') },
  storedKey('openai', 'stored-default'),
  storedKey('openai', 'stored-a', 'a'),
  storedKey('groq', 'of another provider', 'x'),
].map((credential) => (credential.kind === 'oauth' ? { ...credential, name: 'login' } : credential))
const everything = from({
  override: 'overridden',
  stored,
  environment: { OPENAI_API_KEY: 'in-env', OTHER: 'in-other' },
})
const configured = of('openai', { api_key: 'literal', api_key_env: 'OTHER' })

describe('the credentials of a provider', () => {
  it('come from the override, stored keys, stored logins, the environment, the configuration (CAT-208, SEL-099, RTE-037)', async () => {
    expect(values(await resolveCredentials(configured, everything))).toEqual([
      ['override:openai', 'overridden'],
      ['stored:openai/default', 'stored-default'],
      ['stored:openai/a', 'stored-a'],
      ['stored:openai/b', 'stored-b'],
      ['stored:openai/login', 'refreshed'],
      ['env:OPENAI_API_KEY', 'in-env'],
      ['config:openai/api_key', 'literal'],
      ['config:openai/api_key_env', 'in-other'],
    ])
  })

  it('are the first hit of those when one is wanted, whichever are there (CAT-208, SEL-099, RTE-037)', async () => {
    const PRESENT = {
      override: { override: 'k-override' },
      stored_key: { key: storedKey('openai', 'k-stored') },
      stored_oauth: { login: { ...storedLogin('openai', null, 'k-login'), name: 'login' } },
      environment: { environment: { OPENAI_API_KEY: 'k-env' } },
      config: { api_key: 'k-config' },
    }
    type Name = keyof typeof PRESENT
    const order = Object.keys(PRESENT) as Name[]
    await fc.assert(
      fc.asyncProperty(fc.subarray(order), async (present) => {
        const has = (name: Name) => present.includes(name)
        const credentials = [
          ...(has('stored_key') ? [PRESENT.stored_key.key] : []),
          ...(has('stored_oauth') ? [PRESENT.stored_oauth.login] : []),
        ]
        const sources = from({
          ...(has('override') ? PRESENT.override : {}),
          ...(has('environment') ? PRESENT.environment : {}),
          stored: credentials,
          want: 'first',
        })
        const resolved = await resolveCredentials(of('openai', has('config') ? PRESENT.config : {}), sources)
        expect(resolved.credentials.map(({ source }) => source)).toEqual(present.slice(0, 1))
        // Every step is explained, in order.
        expect(resolved.trace.map(({ source }) => source)).toEqual(order)
        for (const step of resolved.trace) expect(() => CredentialStep.parse(step)).not.toThrow()
      }),
    )
  })

  it('refresh and run nothing that is not needed', async () => {
    const never = async () => {
      throw new Error('not to be called')
    }
    const sources = from({
      override: 'given',
      stored: [storedKey('openai', '!cmd'), { ...storedLogin('openai', 1), name: 'login' }],
      want: 'first',
      command: never,
      refresher: { fresh: never },
    })
    const resolved = await resolveCredentials(of('openai', { api_key: '!cmd' }), sources)
    expect(values(resolved)).toEqual([['override:openai', 'given']])
    expect(skipped(resolved)).toEqual(
      ['stored_key', 'stored_oauth', 'environment', 'config'].map((source) => `${source}: not_needed`),
    )
  })

  it.each(['', ' ', '\n', '\t\r\n'])(
    'that are empty count as absent at every step: %j (SEL-101, CAT-208)',
    async (empty) => {
      const login = { ...storedLogin('anthropic', null, empty), name: 'login' }
      const sources = from({
        override: empty,
        stored: [storedKey('anthropic', empty), login],
        environment: { ANTHROPIC_OAUTH_TOKEN: empty, ANTHROPIC_API_KEY: empty, NAMED: empty },
      })
      const api_keys = { api_key: empty, api_key_env: 'NAMED' }
      const resolved = await resolveCredentials(of('anthropic', api_keys), sources)
      expect(resolved.credentials).toEqual([])
      expect(skipped(resolved)).toEqual(
        ['override', 'stored_key', 'stored_oauth', 'environment', 'environment', 'config', 'config'].map(
          (source) => `${source}: empty`,
        ),
      )
    },
  )

  it('that could not be sent are passed over, and said to be (SEL-101)', async () => {
    const environment = { OPENAI_API_KEY: 'two\nlines' }
    const resolved = await resolveCredentials(of('openai'), from({ override: 'sk-••••', environment }))
    expect(resolved.credentials).toEqual([])
    expect(skipped(resolved)).toEqual(expect.arrayContaining(['override: malformed', 'environment: malformed']))
    const long = await resolveCredentials(of('openai'), from({ override: 'x'.repeat(20_000) }))
    expect(skipped(long)).toContain('override: malformed')
  })

  it('are trimmed, and told once when two sources hold the same', async () => {
    const environment = { OPENAI_API_KEY: ' key\n' }
    const resolved = await resolveCredentials(of('openai', { api_key_env: 'OPENAI_API_KEY' }), from({ environment }))
    expect(values(resolved)).toEqual([['env:OPENAI_API_KEY', 'key']])
    expect(skipped(resolved)).toContain('config: duplicate')
  })

  it('are the same every time', async () => {
    const [first, second] = [
      await resolveCredentials(configured, everything),
      await resolveCredentials(configured, everything),
    ]
    expect(second.trace).toEqual(first.trace)
    expect(values(second)).toEqual(values(first))
  })
})

describe('the environment', () => {
  it.each([
    ['both', { ANTHROPIC_OAUTH_TOKEN: 'token', ANTHROPIC_API_KEY: 'key' }, 'env:ANTHROPIC_OAUTH_TOKEN', 'oauth'],
    ['an empty first', { ANTHROPIC_OAUTH_TOKEN: '', ANTHROPIC_API_KEY: 'key' }, 'env:ANTHROPIC_API_KEY', 'api_key'],
  ])('gives the first of the names that is not empty: %s (SEL-105, SEL-101)', async (_what, environment, ref, kind) => {
    const { credentials } = await resolveCredentials(of('anthropic'), from({ environment }))
    expect(credentials).toMatchObject([{ ref, kind, source: 'environment' }])
  })

  it('is the one that was inherited: a .env file in the directory is not read (SEL-107)', async () => {
    const project = mkdtempSync(join(tmpdir(), 'signalbox-project-'))
    const before = process.cwd()
    try {
      writeFileSync(join(project, '.env'), 'SIGNALBOX_TEST_ONLY_API_KEY=from-the-project\n')
      process.chdir(project)
      const resolved = await resolveCredentials(of('signalbox-test-only'), from({ environment: process.env }))
      expect(resolved.trace.map(({ ref }) => ref)).toContain('env:SIGNALBOX_TEST_ONLY_API_KEY')
      expect(resolved.credentials).toEqual([])
    } finally {
      process.chdir(before)
      rmSync(project, { recursive: true })
    }
  })
})

describe('a configured api_key', () => {
  const resolveKey = (api_key: string, environment: Record<string, string> = {}) =>
    resolveCredentials(of('custom', { api_key }), from({ environment }))

  it('is the variable of that name if there is one (SEL-102, CAT-209)', async () => {
    expect(values(await resolveKey('MY_KEY', { MY_KEY: 'held' }))).toEqual([['config:custom/api_key', 'held']])
    expect(warnings(await resolveKey('MY_KEY', { MY_KEY: 'held' }))).toEqual([])
  })

  it('is the key itself otherwise (SEL-102, CAT-209)', async () => {
    const resolved = await resolveKey('sk-literal')
    expect(values(resolved)).toEqual([['config:custom/api_key', 'sk-literal']])
    expect(warnings(resolved)).toEqual([])
  })

  it('is not the name of a variable that is set to nothing (SEL-102, SEL-101)', async () => {
    expect((await resolveKey('MY_KEY', { MY_KEY: '' })).credentials).toEqual([])
  })

  it.each(['constructor', '__proto__', 'toString'])(
    'is not something that every object has: %s (SEL-102)',
    async (text) => {
      expect(values(await resolveKey(text))).toEqual([['config:custom/api_key', text]])
    },
  )

  it.each(['OPENAI_API_KEY', 'A1', 'MYKEY'])(
    'that looks like an unset variable draws a warning: %s (SEL-217, CAT-209)',
    async (text) => {
      const resolved = await resolveKey(text)
      expect(values(resolved)).toEqual([['config:custom/api_key', text]])
      expect(warnings(resolved)).toEqual(['looks_like_unset_name'])
      // It may be the key after all.
      expect(JSON.stringify(resolved.trace)).not.toContain(text)
    },
  )

  it.each(['OPENAI_API_KEy', '1A', 'A', 'A-B', 'sk_a'])('that does not draws none: %s (SEL-217)', async (text) => {
    expect(warnings(await resolveKey(text))).toEqual([])
  })

  it('may be a command reference', async () => {
    const command = async (reference: string) => secret(`output of ${reference}`)
    const resolved = await resolveCredentials(of('custom', { api_key: '!get key' }), from({ command }))
    expect(values(resolved)).toEqual([['config:custom/api_key', 'output of !get key']])
    expect(skipped(await resolveKey('!get key'))).toContain('config: command_failed')
  })
})

describe('a configured api_key_env', () => {
  const resolveName = (api_key_env: string, more: Partial<CredentialSources> = {}) =>
    resolveCredentials(of('custom', { api_key_env }), from(more))

  it('is a name only, never a key (CAT-209)', async () => {
    expect(values(await resolveName('MY_KEY', { environment: { MY_KEY: 'held' } }))).toEqual([
      ['config:custom/api_key_env', 'held'],
    ])
    const unset = await resolveName('MY_KEY')
    expect([unset.credentials, skipped(unset).at(-1), warnings(unset)]).toEqual([[], 'config: absent', []])
  })

  it('that holds a key by mistake is not used, not shown and hidden from now on (CAT-209, SEL-240)', async () => {
    const secrets = createSecrets()
    const resolved = await resolveName('sk-in-the-wrong-place', { secret: secretMaker(secrets.add) })
    expect([resolved.credentials, warnings(resolved)]).toEqual([[], ['not_a_variable_name']])
    expect(JSON.stringify(resolved)).not.toContain('sk-in')
    expect(secrets.redact('sk-in-the-wrong-place')).toBe('[redacted]')
  })
})

describe('a provider without authentication', () => {
  it('gets the marker, and no key that happens to be there is ever sent to it (SEL-104)', async () => {
    const resolved = await resolveCredentials({ ...configured, auth: 'none' }, everything)
    expect(resolved.credentials).toEqual([
      { ref: 'kNoAuth', provider_id: 'openai', source: 'none', kind: 'none', secret: null },
    ])
    expect(skipped(resolved)).toEqual(
      ['override', 'stored_key', 'stored_oauth', 'environment', 'config'].map((source) => `${source}: auth_none`),
    )
  })

  it('gets a key that is there when it may take one, and the marker otherwise (SEL-104)', async () => {
    const ollama = of('ollama', { auth: 'optional' })
    expect(values(await resolveCredentials(ollama, from()))).toEqual([['kNoAuth', null]])
    const environment = { OLLAMA_API_KEY: 'key' }
    expect(values(await resolveCredentials(ollama, from({ environment })))).toEqual([['env:OLLAMA_API_KEY', 'key']])
  })

  it('is not what a provider without any credential is (SEL-104)', async () => {
    expect((await resolveCredentials(of('openai'), from())).credentials).toEqual([])
  })
})

describe('what is stored', () => {
  const environment = { OPENAI_API_KEY: 'in-env' }

  it('may be a command reference, whose failure is told and passed over', async () => {
    const sources = from({ stored: [storedKey('openai', '!cmd')], environment })
    const resolved = await resolveCredentials(of('openai'), sources)
    expect(values(resolved)).toEqual([['env:OPENAI_API_KEY', 'in-env']])
    expect(skipped(resolved)).toContain('stored_key: command_failed')
  })

  it.each([
    ['cannot be decrypted', new CredentialStoreError('unreadable')],
    ['is not ours', new SignalboxError('unsafe_path', 'a link')],
  ])('and %s leaves the other sources, and is told (RTE-043)', async (_what, error) => {
    const list = async () => {
      throw error
    }
    const store = { list, get: list }
    const resolved = await resolveCredentials(of('openai'), from({ store, environment }))
    expect(values(resolved)).toEqual([['env:OPENAI_API_KEY', 'in-env']])
    expect(skipped(resolved)).toEqual(expect.arrayContaining(['stored_key: unreadable', 'stored_oauth: unreadable']))
  })

  it('and fails in a way that nobody expects is not hidden', async () => {
    const list = async () => {
      throw new TypeError('a bug')
    }
    await expect(resolveCredentials(of('openai'), from({ store: { list, get: list } }))).rejects.toThrow('a bug')
  })

  it('and removed since it was listed is absent', async () => {
    const { list } = memoryCredentials(storedKey('openai', 'x'))
    const resolved = await resolveCredentials(of('openai'), from({ store: { list, get: async () => null } }))
    expect(skipped(resolved)).toContain('stored_key: absent')
  })

  it('is refreshed before use when it has expired; when that fails the next source is used (SEL-100, CAT-208)', async () => {
    const login = storedLogin('openai', NOW - 1)
    expect(values(await resolveCredentials(of('openai'), from({ stored: [login] })))).toEqual([
      ['stored:openai/default', 'refreshed'],
    ])
    const refuse = async () => {
      throw new RefreshError()
    }
    const refresher = createRefresher(memoryCredentials(login), refuse, () => NOW)
    const resolved = await resolveCredentials(of('openai'), from({ stored: [login], refresher, environment }))
    expect(values(resolved)).toEqual([['env:OPENAI_API_KEY', 'in-env']])
    expect(skipped(resolved)).toContain('stored_oauth: refresh_failed')
  })
})

describe('a value', () => {
  it('is in no reference, trace or print of what was resolved, and known to telemetry (SEL-240)', async () => {
    const anyKey = fc.stringMatching(/^[A-Z_a-z0-9!-]{3,30}$/).map((tail) => `canary${tail}`)
    await fc.assert(
      fc.asyncProperty(anyKey, async (key) => {
        const secrets = createSecrets()
        const resolved = await resolveCredentials(
          of('openai', { api_key: `${key}4`, api_key_env: `${key}5` }),
          from({
            secret: secretMaker(secrets.add),
            override: `${key}1`,
            stored: [storedKey('openai', `${key}2`)],
            environment: { OPENAI_API_KEY: `${key}3` },
          }),
        )
        expect(resolved.credentials).toHaveLength(4)
        const told = inspect(resolved, { depth: null, showHidden: true }) + JSON.stringify(resolved)
        expect(told).not.toContain('canary')
        for (const digit of [1, 2, 3, 4, 5]) expect(secrets.redact(`see ${key}${digit}.`)).toBe('see [redacted].')
      }),
      { numRuns: 30 },
    )
  })
})
