import { afterAll, describe, expect, it } from 'vitest'
import { json, startFakeServer } from '../harness/fake-server.ts'
import { modelsOf, oneDaemon } from './one-daemon.ts'

const discovered = { openai: { id: 'openai', models: { 'gpt-from-tomorrow': { id: 'gpt-from-tomorrow' } } } }
const server = await startFakeServer(json(discovered))
afterAll(() => server.close())
const daemon = oneDaemon(
  () => `[daemon]
port = 0
[model_catalog.sources.models_dev]
endpoint = "${server.url}/api.json"
[[providers.openai.models.curated]]
id = "gpt-of-our-own"
[providers.house-gateway.models]
default = "house/model:1"
`,
)

describe('the full list', () => {
  it('holds built-in, custom and discovered models, although no credential is set (SEL-113)', async () => {
    const body = { source_id: 'models_dev', force: true }
    expect((await daemon().overSocket('/api/providers/models/refresh', { method: 'POST', body })).status).toBe(200)
    const models = modelsOf(await daemon().overSocket('/api/providers/models'))
    const named = (wanted: string) =>
      models.filter(({ provider_id, model_id }) => `${provider_id}/${model_id}` === wanted)
    for (const id of [
      'openai/gpt-5.2',
      'openai/gpt-from-tomorrow',
      'openai/gpt-of-our-own',
      'house-gateway/house/model:1',
    ]) {
      expect(named(id), id).toMatchObject([{ available: null, availability_state: 'unknown' }])
    }
    expect(models).toHaveLength(8261 + 3)
  })
})
