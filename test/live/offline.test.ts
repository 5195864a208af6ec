import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { RefreshAnswer } from '../../packages/contract/src/status.ts'
import { startDaemon } from '../harness/daemon.ts'
import { json, startFakeServer } from '../harness/fake-server.ts'
import { tempHome } from '../harness/temp-home.ts'
import { until } from '../harness/until.ts'
import { modelsOf } from '../http/one-daemon.ts'

const KEY = 'sk-canary-offline-0123456789'

describe('offline', () => {
  it('makes no connection, forced or not, keeps what is known and says so (CAT-187)', async () => {
    await using server = await startFakeServer(({ url }) =>
      url.startsWith('/v1/')
        ? json({ data: [{ id: 'gpt-5.2' }] })
        : json({ acme: { id: 'acme', models: { a: { id: 'a' } } } }),
    )
    const config = (offline: boolean) => `[daemon]
port = 0
offline = ${offline}
[model_catalog.sources.models_dev]
endpoint = "${server.url}/api.json"
[model_catalog.sources.local_servers]
enabled = true
[providers.openai]
base_url = "${server.url}/v1"
`
    await using home = await tempHome(config(false))
    const env = {
      OPENAI_API_KEY: KEY,
      OLLAMA_BASE_URL: server.url,
      LLAMA_CPP_BASE_URL: server.url,
      LM_STUDIO_BASE_URL: server.url,
    }
    {
      await using daemon = await startDaemon({ home, env })
      const proven = async () =>
        modelsOf(await daemon.overSocket('/api/providers/openai/models')).some((model) => model.available === true)
      await until('the live list', proven)
      await until('the public list', async () => (await daemon.overSocket('/api/providers/acme/models')).status === 200)
    }

    const before = server.requests.length
    await using daemon = await startDaemon({ home, config: config(true), env })
    const answer = await daemon.overSocket('/api/providers/models/refresh', { method: 'POST', body: { force: true } })
    expect(answer.status).toBe(200)
    const asked = RefreshAnswer.parse(answer.json()).sources.filter(
      ({ source_id }) => source_id === 'models_dev' || source_id === 'provider_live:openai',
    )
    expect(asked.map(({ last_error }) => last_error)).toEqual(asked.map(() => 'offline'))
    expect(asked.length).toBeGreaterThanOrEqual(2)
    const models = modelsOf(await daemon.overSocket('/api/providers/models'))
    expect(
      models.find(({ provider_id, model_id }) => provider_id === 'openai' && model_id === 'gpt-5.2'),
    ).toMatchObject({ available: true })
    expect(models.some(({ provider_id }) => provider_id === 'acme')).toBe(true)
    await daemon.stop()
    expect(server.requests.length).toBe(before)
    expect(await readFile(home.paths.logFile, 'utf8')).not.toContain(KEY)
  })

  it('is also a flag of daemon run, and works where there is no network at all (CAT-187)', async () => {
    await using server = await startFakeServer(json({ data: [] }))
    await using home = await tempHome(
      `[daemon]\nport = 0\n[model_catalog.sources.models_dev]\nendpoint = "${server.url}/api.json"\n[providers.openai]\nbase_url = "${server.url}/v1"\n`,
    )
    await using daemon = await startDaemon({ home, env: { OPENAI_API_KEY: KEY }, args: ['--offline'] })
    await daemon.overSocket('/api/providers/models/refresh', { method: 'POST', body: { force: true } })
    const [model] = modelsOf(await daemon.overSocket('/api/providers/openai/models?q=gpt-5.2&limit=1'))
    expect(model).toMatchObject({ available: null, availability_reason: 'offline' })
    await daemon.stop()
    expect(server.requests).toEqual([])
  })
})
