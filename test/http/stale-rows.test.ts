import { afterAll, describe, expect, it } from 'vitest'
import { json, startFakeServer } from '../harness/fake-server.ts'
import { oneDaemon, statusesOf, theModel } from './one-daemon.ts'

const catalog = {
  openai: {
    id: 'openai',
    models: { 'gpt-5.2': { id: 'gpt-5.2', name: 'From models.dev', limit: { context: 111, output: 11 } } },
  },
}
const server = await startFakeServer(json(catalog))
afterAll(() => server.close())
const daemon = oneDaemon(
  () => `[daemon]\nport = 0\n[model_catalog.sources.models_dev]\nendpoint = "${server.url}/api.json"\n`,
)
const refresh = () =>
  daemon().overTcp('/api/providers/models/refresh', { method: 'POST', body: { source_id: 'models_dev', force: true } })
const model = async (query: string) =>
  theModel(await daemon().overTcp(`/api/providers/openai/models?q=gpt-5.2&limit=1${query}`))

describe('rows of a source that failed', () => {
  it('supply fields only with include_stale=true, and the model says so (CAT-048)', async () => {
    expect((await refresh()).status).toBe(200)
    expect(await model('')).toMatchObject({ context_window: 111, display_name: 'From models.dev', stale: false })
    server.answer({ kind: 'reply', status: 500, body: 'no' })
    expect((await refresh()).status).toBe(200)

    const plain = await model('')
    expect(plain.context_window).toBeGreaterThan(111)
    expect(plain).toMatchObject({ display_name: 'GPT-5.2', stale: false })
    expect(await model('&include_stale=true')).toMatchObject({
      context_window: 111,
      display_name: 'From models.dev',
      stale: true,
    })
    expect(await model('&include_stale=1')).toMatchObject({ context_window: 111 })
    expect(await model('&include_stale=false')).toEqual(plain)

    const status = statusesOf(await daemon().overTcp('/api/providers/openai/models/status?source_id=models_dev'))
    expect(status).toMatchObject([{ refresh_state: 'failed', stale: true, row_count: 1 }])
  })

  it('are in the OpenAI list as with include_stale=true (CAT-093)', async () => {
    const answer = await daemon().overTcp('/api/openai/v1/models?provider_id=openai')
    const { data } = answer.json() as {
      data: { id: string; signalbox: { context_window: number; display_name: string } }[]
    }
    expect(data.find(({ id }) => id === 'gpt-5.2')?.signalbox).toMatchObject({
      context_window: 111,
      display_name: 'From models.dev',
    })
  })

  it('are named by explain as left out (CAT-169)', async () => {
    const answer = await daemon().overTcp('/api/explain?provider_id=openai&model_id=gpt-5.2')
    expect(answer.json()).toMatchObject({
      left_out: [{ source_id: 'models_dev', why: expect.stringContaining('stale') }],
    })
  })
})
