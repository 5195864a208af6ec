import { afterAll, describe, expect, it } from 'vitest'
import type { RunningDaemon } from '../harness/daemon.ts'
import { startDaemon } from '../harness/daemon.ts'
import { type FakeServer, json, startFakeServer } from '../harness/fake-server.ts'
import { QUIET_CONFIG, tempHome } from '../harness/temp-home.ts'
import { until } from '../harness/until.ts'
import { modelsOf, statusesOf } from '../http/one-daemon.ts'

const KEY = 'sk-canary-live-0123456789abcdef'

const configFor = (id: string, server: FakeServer, more = '') => `${QUIET_CONFIG}
[providers.${id}]
base_url = "${server.url}/v1"
${more}`

/** Resolves when the provider's own list was asked for and the run has ended. */
async function asked(daemon: RunningDaemon, id: string) {
  let found = statusesOf(await daemon.overSocket(`/api/providers/${id}/models/status?source_id=provider_live:${id}`))
  await until(`${id} to be asked`, async () => {
    found = statusesOf(await daemon.overSocket(`/api/providers/${id}/models/status?source_id=provider_live:${id}`))
    return found[0]?.refresh_state === 'succeeded' || found[0]?.refresh_state === 'failed'
  })
  return found[0]
}

const model = async (daemon: RunningDaemon, id: string, model_id: string) =>
  modelsOf(await daemon.overSocket(`/api/providers/${id}/models`)).find((one) => one.model_id === model_id)

describe('a provider with a key in the environment', async () => {
  const server = await startFakeServer(
    json({
      object: 'list',
      data: [
        { id: 'gpt-5.2', object: 'model' },
        { id: 'gpt-new', object: 'model' },
      ],
    }),
  )
  afterAll(() => server.close())

  it('is asked for its list with that key, and proves what is on it (CAT-211)', async () => {
    await using home = await tempHome(configFor('openai', server))
    await using daemon = await startDaemon({ home, env: { OPENAI_API_KEY: KEY } })
    expect(await asked(daemon, 'openai')).toMatchObject({ refresh_state: 'succeeded', row_count: 2, stale: false })
    expect(server.requests[0]).toMatchObject({ method: 'GET', url: '/v1/models' })
    expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`)

    expect(await model(daemon, 'openai', 'gpt-5.2')).toMatchObject({
      available: true,
      availability_state: 'available_live',
      availability_reason: 'proven',
      availability_evidence: { source_id: 'provider_live:openai', stale: false },
      context_window: 400000,
    })
    expect(await model(daemon, 'openai', 'gpt-new')).toMatchObject({ available: true, context_window: null })
    const status = (await daemon.overSocket('/api/daemon')).json() as { providers_ready: number }
    expect(status.providers_ready).toBe(1)
  })

  it('knows nothing of a model that is not on its list (CAT-164)', async () => {
    await using home = await tempHome(configFor('openai', server))
    await using daemon = await startDaemon({ home, env: { OPENAI_API_KEY: KEY } })
    await asked(daemon, 'openai')
    expect(await model(daemon, 'openai', 'gpt-4o')).toMatchObject({
      available: null,
      availability_state: 'unknown',
      availability_reason: 'not_listed',
    })
  })
})

describe('a provider that needs a key and has none', () => {
  it('is not asked, and its models say so (CAT-163)', async () => {
    await using server = await startFakeServer(json({ data: [] }))
    await using home = await tempHome(configFor('openai', server))
    await using daemon = await startDaemon({ home })
    expect(await model(daemon, 'openai', 'gpt-5.2')).toMatchObject({
      available: null,
      availability_reason: 'no_credential',
    })
    expect(await model(daemon, 'anthropic', 'claude-opus-4-6')).toMatchObject({ availability_reason: 'no_credential' })
    expect(
      statusesOf(await daemon.overSocket('/api/providers/openai/models/status')).map(({ source_id }) => source_id),
    ).not.toContain('provider_live:openai')
    expect(server.requests).toEqual([])
  })

  it('is asked as soon as the configuration gives one, without a restart (CAT-209)', async () => {
    await using server = await startFakeServer(json({ data: [{ id: 'gpt-5.2' }] }))
    await using home = await tempHome(configFor('openai', server))
    await using daemon = await startDaemon({ home, env: { MY_OWN_NAME: KEY } })
    await home.configure(configFor('openai', server, 'api_key = "MY_OWN_NAME"'))
    await server.waitForRequests(1)
    expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`)
    await until('the model to be proven', async () => (await model(daemon, 'openai', 'gpt-5.2'))?.available === true)
  })
})

describe('a key that changes', () => {
  it('leaves nothing behind that the old one proved, a call in flight included (CAT-166)', async () => {
    await using server = await startFakeServer(({ headers }) =>
      headers.authorization === 'Bearer first-key-0123456789'
        ? json({ data: [{ id: 'only-first' }] })
        : { kind: 'hang' },
    )
    await using home = await tempHome(configFor('openai', server, 'api_key = "first-key-0123456789"'))
    await using daemon = await startDaemon({ home })
    await until('the first list', async () => (await model(daemon, 'openai', 'only-first'))?.available === true)

    await home.configure(configFor('openai', server, 'api_key = "second-key-0123456789"'))
    await until('the old rows to go', async () => (await model(daemon, 'openai', 'only-first')) === undefined)
    await server.waitForRequests(2)
    await home.configure(configFor('openai', server, 'api_key = "first-key-0123456789"'))
    await until('the first list again', async () => (await model(daemon, 'openai', 'only-first'))?.available === true)
  })
})

describe('a provider that fails', () => {
  it.each([
    [{ kind: 'reply', status: 401 }, 'credential_rejected'],
    [{ kind: 'reply', status: 403 }, 'credential_rejected'],
    [{ kind: 'reply', status: 429, headers: { 'retry-after': '7200' } }, 'rate_limited'],
    [{ kind: 'reply', status: 500, body: KEY }, 'provider_unreachable'],
    [{ kind: 'reply', status: 404 }, 'provider_unreachable'],
    [{ kind: 'reply', body: '<html>log in</html>', headers: { 'content-type': 'text/html' } }, 'provider_unreachable'],
    [{ kind: 'reply', body: '{"data":[{"id":' }, 'provider_unreachable'],
  ] as const)('with %j leaves its models %s (CAT-223)', async (answer, reason) => {
    await using server = await startFakeServer(answer)
    await using home = await tempHome(configFor('openai', server))
    await using daemon = await startDaemon({ home, env: { OPENAI_API_KEY: KEY } })
    const status = await asked(daemon, 'openai')
    expect(status).toMatchObject({ refresh_state: 'failed', row_count: 0 })
    expect(status?.last_error).not.toContain(KEY)
    expect(await model(daemon, 'openai', 'gpt-5.2')).toMatchObject({ available: null, availability_reason: reason })
    if (reason !== 'rate_limited') return
    const pause = Date.parse(status?.next_refresh ?? '') - Date.parse(status?.last_refresh ?? '')
    expect(pause).toBeGreaterThan(7_100_000)
  })

  it('keeps what was proven before, as stale (CAT-223)', async () => {
    await using server = await startFakeServer(json({ data: [{ id: 'gpt-5.2' }] }))
    await using home = await tempHome(configFor('openai', server))
    await using daemon = await startDaemon({ home, env: { OPENAI_API_KEY: KEY } })
    await asked(daemon, 'openai')
    server.answer({ kind: 'reply', status: 503 })
    const body = { source_id: 'provider_live:openai', force: true }
    await daemon.overSocket('/api/providers/openai/models/refresh', { method: 'POST', body })
    expect(await model(daemon, 'openai', 'gpt-5.2')).toMatchObject({
      available: true,
      availability_state: 'available_stale',
      stale: true,
    })
  })
})

describe('a redirect to another host', () => {
  it('is not followed, and the key goes nowhere (CAT-204, GWY-007)', async () => {
    await using thief = await startFakeServer(json({ data: [{ id: 'bait' }] }))
    await using server = await startFakeServer({
      kind: 'reply',
      status: 302,
      headers: { location: `${thief.url}/v1/models` },
    })
    await using home = await tempHome(configFor('openai', server))
    await using daemon = await startDaemon({ home, env: { OPENAI_API_KEY: KEY } })
    expect(await asked(daemon, 'openai')).toMatchObject({ refresh_state: 'failed' })
    expect(thief.requests).toEqual([])
  })
})
