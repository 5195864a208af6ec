/** Servers on this machine that come, go and load models while the daemon runs. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type RunningDaemon, startDaemon } from '../harness/daemon.ts'
import { type FakeServer, json, type Script, startFakeServer } from '../harness/fake-server.ts'
import { QUIET_CONFIG, type TempHome, tempHome } from '../harness/temp-home.ts'
import { until } from '../harness/until.ts'
import { modelsOf } from '../http/one-daemon.ts'

const PROMISED_MS = 5_000
const LOOKING = QUIET_CONFIG.replace(/(\[model_catalog\.sources\.local_servers\]\nenabled = )false/, '$1true')
/** Nobody is there: the port was free a moment ago, and is ours no longer. */
async function freeAddress(): Promise<string> {
  const server = await startFakeServer()
  await server.close()
  return server.url
}

const tags = (...names: string[]) => ({
  models: names.map((name) => ({ name, model: name, details: { family: 'llama' } })),
})
const SHOWN = {
  capabilities: ['completion', 'tools'],
  model_info: { 'general.architecture': 'llama', 'llama.context_length': 131072 },
}

/** Answers as Ollama does; `loaded` is what `/api/ps` lists. */
const ollama = (names: readonly string[], loaded: readonly { name: string; context_length: number }[] = []): Script => {
  return ({ url }) => {
    if (url === '/api/tags') return json(tags(...names))
    if (url === '/api/show') return json(SHOWN)
    if (url === '/api/ps') return json({ models: loaded.map((one) => ({ ...one, model: one.name })) })
    return { kind: 'reply', status: 404 }
  }
}

describe('Ollama on this machine', () => {
  let server: FakeServer
  let home: TempHome
  let daemon: RunningDaemon

  const list = async () => {
    const answer = await daemon.overSocket('/api/providers/models?provider_id=ollama')
    return new Map(modelsOf(answer).map((model) => [model.model_id, model]))
  }
  const events = async () => (await import('node:fs/promises')).readFile(home.paths.logFile, 'utf8')

  beforeEach(async () => {
    server = await startFakeServer({ kind: 'reply', status: 404 })
    home = await tempHome(LOOKING)
    daemon = await startDaemon({
      home,
      env: {
        OLLAMA_BASE_URL: server.url,
        LLAMA_CPP_BASE_URL: await freeAddress(),
        LM_STUDIO_BASE_URL: await freeAddress(),
      },
    })
  })
  afterEach(async () => {
    await daemon[Symbol.asyncDispose]()
    await home[Symbol.asyncDispose]()
    await server.close()
  })

  it('shows within five seconds when it comes, loads a model, or goes (CAT-218) (CAT-221) (SEL-086)', async () => {
    await server.waitForRequests(2)
    expect((await list()).size).toBe(0)

    server.answer(ollama(['llama3:8b', 'nomic-embed-text:latest']))
    await until('the model to show', async () => (await list()).has('llama3:8b'), PROMISED_MS)
    expect((await list()).get('llama3:8b')).toMatchObject({
      available: true,
      availability_reason: 'proven',
      context_window: 131072,
      supports_tools: true,
    })

    server.answer(ollama(['llama3:8b'], [{ name: 'llama3:8b', context_length: 8192 }]))
    await until(
      'the effective context',
      async () => (await list()).get('llama3:8b')?.context_window === 8192,
      PROMISED_MS,
    )
    expect((await list()).has('nomic-embed-text:latest')).toBe(false)

    await server.close()
    await until('it to be stale', async () => (await list()).get('llama3:8b')?.stale === true, PROMISED_MS)
    expect((await list()).get('llama3:8b')).toMatchObject({ available: true, availability_state: 'available_stale' })
  })

  it('costs no word in the log while nothing changes (CAT-221) (SEL-095)', async () => {
    await server.waitForRequests(3)
    expect(await events()).not.toContain('provider_live:')
    server.answer(ollama(['llama3:8b']))
    await until('the model to show', async () => (await list()).has('llama3:8b'), PROMISED_MS)
    const told = (await events()).split('provider_live:ollama').length
    const seen = server.requests.length
    await server.waitForRequests(seen + 4)
    expect((await events()).split('provider_live:ollama').length).toBe(told)
  })
})

describe('a server that is not what it should be', () => {
  it('is not taken for a model server (SEL-095)', async () => {
    await using server = await startFakeServer({
      kind: 'reply',
      body: '<html>my app</html>',
      headers: { 'content-type': 'text/html' },
    })
    await using home = await tempHome(LOOKING)
    const env = { OLLAMA_BASE_URL: server.url, LLAMA_CPP_BASE_URL: server.url, LM_STUDIO_BASE_URL: server.url }
    await using daemon = await startDaemon({ home, env })
    await server.waitForRequests(6)
    const models = modelsOf(await daemon.overSocket('/api/providers/models'))
    expect(models.filter(({ provider_id }) => ['ollama', 'llama.cpp', 'lm-studio'].includes(provider_id))).toEqual([])
  })
})
