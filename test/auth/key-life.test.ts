/** A key from being stored to being removed, as the provider sees it. */
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runCli } from '../harness/cli.ts'
import { json } from '../harness/fake-server.ts'
import {
  entryOf,
  isRun,
  keysSeen,
  OWN_MODEL,
  openWorld,
  post,
  runAfter,
  takes,
  twoModels,
  type World,
} from './world.ts'

const KEY = 'sk-test-first-key-0123456789abcdef'
const OTHER = 'sk-test-other-key-0123456789abcdef'

const addWithCli = async ({ home }: World, key: string) => {
  const { code, stderr } = await runCli(home, ['auth', 'add', 'openai'], { input: `${key}\n` })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
}

it('lists models with no_credential until a key is stored, then asks with it without a restart (CAT-163)', async () => {
  await using world = await openWorld(takes(KEY))
  expect(await twoModels(world)).toEqual({ own: null, builtin: ['unknown', 'no_credential'] })
  expect(await entryOf(world)).toMatchObject({
    credential: null,
    verified: null,
    reason: 'no_credential',
    fix: 'signalbox auth add openai',
  })
  expect(world.provider.requests).toEqual([])

  await runAfter(world, 'succeeded', () => addWithCli(world, KEY))
  expect(new Set(keysSeen(world))).toEqual(new Set([`Bearer ${KEY}`]))
  expect(await twoModels(world)).toEqual({ own: ['available_live', 'proven'], builtin: ['unknown', 'not_listed'] })
  expect(await entryOf(world)).toMatchObject({
    credential: { ref: 'stored:openai/default', source: 'stored_key', kind: 'api_key' },
    verified: true,
    verified_at: expect.stringMatching(/Z$/),
    reason: null,
    fix: null,
  })
})

it('drops the rows when the key is removed (CAT-163, CAT-166)', async () => {
  await using world = await openWorld(takes(KEY))
  await runAfter(world, 'succeeded', () => addWithCli(world, KEY))
  expect((await twoModels(world)).own).toEqual(['available_live', 'proven'])

  expect((await runCli(world.home, ['auth', 'remove', 'openai'])).code).toBe(0)
  expect(await twoModels(world)).toEqual({ own: null, builtin: ['unknown', 'no_credential'] })
  expect(await entryOf(world)).toMatchObject({ credential: null, verified: null, reason: 'no_credential' })
})

it('drops the rows of the old key when it is changed, and says that the new one was rejected (CAT-166, CAT-223)', async () => {
  await using world = await openWorld(takes(KEY))
  await runAfter(world, 'succeeded', () => addWithCli(world, KEY))
  await runAfter(world, 'failed', () => addWithCli(world, OTHER))

  expect(await twoModels(world)).toEqual({ own: null, builtin: ['unknown', 'credential_rejected'] })
  expect(await entryOf(world)).toMatchObject({
    verified: false,
    verified_at: expect.stringMatching(/Z$/),
    reason: 'credential_rejected',
    fix: 'signalbox auth add openai',
  })
})

it('drops what was asked for with a key that is gone when the answer comes (CAT-166)', async () => {
  await using world = await openWorld(takes(KEY))
  const gate = Promise.withResolvers<void>()
  world.provider.answerOnce(async () => {
    await gate.promise
    return json({ object: 'list', data: [{ id: OWN_MODEL, object: 'model' }] })
  })
  await post(world, '/api/auth/openai', { api_key: KEY })
  await world.provider.waitForRequests(1)
  await post(world, '/api/auth/openai/remove')
  gate.resolve()
  await world.events.waitFor(isRun('failed'))
  expect(await twoModels(world)).toEqual({ own: null, builtin: ['unknown', 'no_credential'] })
})

it('does not say of a new key what was found out about the one before', async () => {
  await using world = await openWorld(takes(KEY))
  await runAfter(world, 'succeeded', () => addWithCli(world, KEY))
  world.provider.answer({ kind: 'hang' })
  const answer = await post(world, '/api/auth/openai', { api_key: OTHER })
  expect(answer.json()).toMatchObject({ verified: null, verified_at: null, reason: 'not_probed' })
})

it('still counts as verified while the provider is down, and the test of it fails', async () => {
  await using world = await openWorld(takes(KEY))
  await runAfter(world, 'succeeded', () => addWithCli(world, KEY))
  world.provider.answer({ kind: 'reply', status: 503 })
  const test = await runCli(world.home, ['auth', 'test', 'openai', '-o', 'json'])
  expect(test.code).toBe(1)
  expect(JSON.parse(test.stdout)).toMatchObject({
    verified: true,
    reason: 'provider_unreachable',
    fix: 'signalbox auth test openai',
  })
})

it('is there after a restart, and is asked with again', async () => {
  await using world = await openWorld(takes(KEY))
  await runAfter(world, 'succeeded', () => addWithCli(world, KEY))
  await world.restart()
  expect(await entryOf(world)).toMatchObject({ credential: { ref: 'stored:openai/default' }, verified: true })
  expect((await twoModels(world)).own).toEqual(['available_live', 'proven'])
  const asked = world.provider.requests.length
  expect((await runCli(world.home, ['auth', 'test', 'openai'])).code).toBe(0)
  expect(keysSeen(world).slice(asked)).toContain(`Bearer ${KEY}`)
})

it('is in files that only their owner can read', async () => {
  await using world = await openWorld(takes(KEY))
  await addWithCli(world, KEY)
  const files = (await readdir(world.home.dir)).filter((name) => name.startsWith('credentials'))
  expect(files.length).toBeGreaterThan(1)
  for (const name of files) {
    const { mode } = await stat(join(world.home.dir, name))
    expect([name, mode & 0o777]).toEqual([name, 0o600])
  }
})

it('tests with exit 0 when it is taken, and with 1 when it is rejected or missing', async () => {
  await using world = await openWorld(takes(KEY))
  const test = () => runCli(world.home, ['auth', 'test', 'openai'])
  expect((await test()).code).toBe(1)
  await addWithCli(world, OTHER)
  expect(await test()).toMatchObject({ code: 1, stdout: expect.stringContaining('credential_rejected') })
  await addWithCli(world, KEY)
  expect(await test()).toMatchObject({ code: 0, stdout: expect.stringContaining('yes') })
})

it('is chosen before the environment, and that before the configuration (CAT-208)', async () => {
  const inEnvironment = 'sk-test-environment-0123456789'
  const inConfig = 'sk-test-configuration-0123456789'
  const options = { more: `api_key = "${inConfig}"\n`, env: { OPENAI_API_KEY: inEnvironment } }
  await using world = await openWorld(takes(KEY, inEnvironment, inConfig), options)
  const tested = async () => {
    const { credential } = (await post(world, '/api/auth/openai/test')).json() as { credential: { ref: string } }
    return [credential.ref, keysSeen(world).at(-1)]
  }
  expect(await tested()).toEqual(['env:OPENAI_API_KEY', `Bearer ${inEnvironment}`])
  await post(world, '/api/auth/openai', { api_key: KEY, name: 'work' })
  expect(await tested()).toEqual(['stored:openai/work', `Bearer ${KEY}`])
  await post(world, '/api/auth/openai', { api_key: KEY })
  expect(await tested()).toEqual(['stored:openai/default', `Bearer ${KEY}`])
  await post(world, '/api/auth/openai/remove')
  await post(world, '/api/auth/openai/remove', { name: 'work' })
  expect(await tested()).toEqual(['env:OPENAI_API_KEY', `Bearer ${inEnvironment}`])
})

it('that is empty in the environment counts as absent: the configuration is used (CAT-208, SEL-101)', async () => {
  const inConfig = 'sk-test-configuration-0123456789'
  await using world = await openWorld(takes(inConfig), {
    more: `api_key = "${inConfig}"\n`,
    env: { OPENAI_API_KEY: '  ' },
  })
  await post(world, '/api/auth/openai/test')
  expect(new Set(keysSeen(world))).toEqual(new Set([`Bearer ${inConfig}`]))
  const { trace, credential } = await entryOf(world)
  expect(credential?.ref).toBe('config:openai/api_key')
  expect(trace).toContainEqual(expect.objectContaining({ ref: 'env:OPENAI_API_KEY', reason: 'empty' }))
})

it('is stored and sent nowhere while offline', async () => {
  await using world = await openWorld(takes(KEY), { env: { SIGNALBOX_OFFLINE: '1' } })
  await addWithCli(world, KEY)
  expect(await entryOf(world)).toMatchObject({ verified: null, reason: 'offline', fix: null })
  expect((await runCli(world.home, ['auth', 'test', 'openai'])).code).toBe(1)
  expect(world.provider.requests).toEqual([])
})
