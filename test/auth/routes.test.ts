/** The `auth` routes themselves: what they list, in which order, and what they refuse. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AuthList } from '../../packages/contract/src/auth.ts'
import { errorOf } from '../http/one-daemon.ts'
import { openWorld, post, takes, type World } from './world.ts'

const KEY = 'sk-test-CANARY0123456789abcdef'

let world: World
beforeAll(async () => {
  const more =
    '\n[providers.my-agent]\nkind = "agent"\n\n[providers.off]\nbase_url = "http://127.0.0.1:9/v1"\napi_key = "k"\nmodels.discovery.enabled = false\n'
  world = await openWorld(takes(KEY), { more, env: { GROQ_API_KEY: '', MISTRAL_API_KEY: '   ' } })
})
afterAll(() => world[Symbol.asyncDispose]())

const list = async (query = '') => AuthList.parse((await world.daemon.overSocket(`/api/auth${query}`)).json())
const ids = async (query = '') => (await list(query)).providers.map(({ provider_id }) => provider_id)

describe('the list', () => {
  it('has the providers that something is set for, by id', async () => {
    expect(await ids()).toEqual(['my-agent', 'off', 'openai'])
    await post(world, '/api/auth/anthropic-by-me', { api_key: KEY }) // nobody knows it: nothing is stored
    await post(world, '/api/auth/vllm', { api_key: KEY })
    expect(await ids()).toEqual(['my-agent', 'off', 'openai', 'vllm'])
    await post(world, '/api/auth/vllm/remove')
    expect(await ids()).toEqual(['my-agent', 'off', 'openai'])
  })

  it('has every provider that could be asked with all=true, by id', async () => {
    const all = await ids('?all=true')
    expect(all.length).toBeGreaterThan(100)
    expect(all).toEqual(expect.arrayContaining(['anthropic', 'groq', 'my-agent', 'openai']))
    expect(all).toEqual(all.toSorted())
    expect(new Set(all).size).toBe(all.length)
  })

  it('says why a provider is not asked', async () => {
    const { providers } = await list()
    expect(providers.find(({ provider_id }) => provider_id === 'off')).toMatchObject({
      credential: { ref: 'config:off/api_key', source: 'config' },
      verified: null,
      reason: 'source_disabled',
      fix: null,
    })
  })

  it('of one provider has only it, set or not, under the id that it is asked under', async () => {
    expect(await ids('?provider_id=anthropic')).toEqual(['anthropic'])
    expect(await ids('?provider_id=together')).toEqual(['togetherai'])
  })

  it('is one record per line where that is asked for', async () => {
    const headers = { accept: 'application/x-ndjson' }
    const lines = (await world.daemon.overSocket('/api/auth', { headers })).text().trimEnd().split('\n')
    expect(lines.map((line) => (JSON.parse(line) as { provider_id: string }).provider_id)).toEqual(await ids())
  })
})

describe('a key for a provider with two ids', () => {
  it('is stored under the one that it is asked under', async () => {
    const added = await post(world, '/api/auth/together', { api_key: KEY })
    expect(added.json()).toMatchObject({ provider_id: 'togetherai', credential: { ref: 'stored:togetherai/default' } })
    const removed = await post(world, '/api/auth/together/remove')
    expect(removed.json()).toMatchObject({ removed: true, provider: { provider_id: 'togetherai', credential: null } })
  })
})

describe('bad input', () => {
  it.each([
    ['no key', {}, 'api_key'],
    ['a key that is no text', { api_key: 7 }, 'api_key'],
    ['an empty key', { api_key: ' ' }, 'api_key'],
    ['a key of two lines', { api_key: `${KEY}\n${KEY}` }, 'api_key'],
    ['a key with a control character', { api_key: `${KEY}\u0000` }, 'api_key'],
    ['a name with a slash', { api_key: KEY, name: '../x' }, 'name'],
    ['an empty name', { api_key: KEY, name: '' }, 'name'],
    ['an unknown field', { api_key: KEY, apikey: KEY }, 'apikey'],
  ])('of add: %s is refused by field, and the key is not quoted', async (_, body, field) => {
    const answer = await post(world, '/api/auth/openai', body)
    expect(errorOf(answer)).toMatchObject({ code: 'invalid_request', field })
    expect(answer.text()).not.toContain('CANARY')
    expect((await list('?provider_id=openai')).providers[0]?.credential).toBeNull()
  })

  it.each([
    ['remove', { name: '/' }],
    ['remove', { api_key: KEY }],
    ['test', { force: true }],
  ])('of %s is refused: %j', async (action, body) => {
    expect(errorOf(await post(world, `/api/auth/openai/${action}`, body)).code).toBe('invalid_request')
  })

  it.each(['/api/auth/opnai', '/api/auth/opnai/remove', '/api/auth/opnai/test'])(
    'of %s: an id that nobody knows is 404 with the nearest ones',
    async (path) => {
      const answer = await post(world, path, path.endsWith('opnai') ? { api_key: KEY } : {})
      expect(errorOf(answer)).toMatchObject({
        code: 'unknown_provider',
        candidates: expect.arrayContaining(['openai']),
      })
      expect(answer.text()).not.toContain('CANARY')
    },
  )

  it('of the list: an unknown provider, flag or parameter', async () => {
    const ask = async (query: string) => errorOf(await world.daemon.overSocket(`/api/auth?${query}`)).code
    expect(await ask('provider_id=opnai')).toBe('unknown_provider')
    expect(await ask('provider_id=Open%20AI')).toBe('invalid_request')
    expect(await ask('all=maybe')).toBe('invalid_request')
    expect(await ask('api_key=x')).toBe('invalid_request')
  })
})

it('waits for each of many changes at once, and ends as the last one says', async () => {
  const names = ['a', 'b', 'c', 'd']
  const added = await Promise.all(names.map((name) => post(world, '/api/auth/openai', { api_key: KEY, name })))
  expect(added.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  expect((await post(world, '/api/auth/openai/test')).json()).toMatchObject({ verified: true, reason: null })
  await Promise.all(names.map((name) => post(world, '/api/auth/openai/remove', { name })))
  expect((await post(world, '/api/auth/openai/test')).json()).toMatchObject({ verified: null, reason: 'no_credential' })
})
