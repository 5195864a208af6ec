import { describe, expect, it } from 'vitest'
import { Model } from '../../packages/contract/src/model.ts'
import { QUIET_CONFIG } from '../harness/temp-home.ts'
import { modelsOf, oneDaemon, statusesOf, theModel } from './one-daemon.ts'

const OPAQUE_IDS = ['Org/Model:free@2026.1', 'openai/gpt-5.4', 'gpt-5.4', 'GPT-5.4', 'ü/模型']

const daemon = oneDaemon(
  () => `${QUIET_CONFIG}
[providers.models]
[[providers.models.models.curated]]
id = "lone"

[providers.empty]
display_name = "Nothing here yet"

[[providers.anthropic.models.curated]]
id = "only-in-config"

[[providers.codex.models.curated]]
id = "gpt-5.2"

[[providers.codex.models.curated]]
id = "nobody-else-has-this"

${OPAQUE_IDS.map((id) => `[[providers.opaque.models.curated]]\nid = ${JSON.stringify(id)}`).join('\n')}
`,
)

const ids = (models: readonly { readonly model_id: string }[]) => models.map(({ model_id }) => model_id)
const byBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b))

describe.each(['overTcp', 'overSocket'] as const)('a list %s', (door) => {
  const list = (path: string) => daemon()[door](path)

  it('holds the merged models of all providers, sorted by provider and model (CAT-039)', async () => {
    const answer = await list('/api/providers/models')
    const models = modelsOf(answer)
    expect(models.length).toBe(daemon().status.models)
    const keys = models.map(({ provider_id, model_id }) => `${provider_id}\0${model_id}`)
    expect(keys).toEqual([...new Set(keys)].sort(byBytes))
    expect(answer.headers['x-total-count']).toBe(String(models.length))
  })

  it('of one provider holds the same models as the part of the whole, and no others (CAT-040)', async () => {
    const own = modelsOf(await list('/api/providers/anthropic/models'))
    const all = modelsOf(await list('/api/providers/models'))
    expect(own.length).toBeGreaterThan(1)
    expect(own).toEqual(all.filter(({ provider_id }) => provider_id === 'anthropic'))
  })
})

describe('a list', () => {
  const list = (query: string) => daemon().overTcp(`/api/providers/models?${query}`)

  it('is narrowed by provider_id to what the path of that provider gives (CAT-045)', async () => {
    const narrowed = await list('provider_id=anthropic')
    const own = await daemon().overTcp('/api/providers/anthropic/models')
    expect(narrowed.text()).toBe(own.text())
  })

  it('of one source is merged from that source only (CAT-046)', async () => {
    const [config] = modelsOf(await list('provider_id=codex&source_id=config'))
    expect(config).toMatchObject({ model_id: 'gpt-5.2', context_window: null })
    expect(config?.sources.map(({ source_id }) => source_id)).toEqual(['config'])
    const builtin = modelsOf(await list('source_id=builtin'))
    expect(builtin.length).toBeGreaterThan(8000)
    expect(new Set(builtin.flatMap(({ sources }) => sources.map(({ source_id }) => source_id)))).toEqual(
      new Set(['builtin']),
    )
    expect(ids(modelsOf(await list('source_id=config'))).sort(byBytes)).toEqual(
      [...OPAQUE_IDS, 'gpt-5.2', 'lone', 'nobody-else-has-this', 'only-in-config'].sort(byBytes),
    )
  })

  it('takes a limit after sorting and tells the uncut count (CAT-052)', async () => {
    const all = await daemon().overTcp('/api/providers/anthropic/models')
    const cut = await daemon().overTcp('/api/providers/anthropic/models?limit=2')
    expect(modelsOf(cut)).toEqual(modelsOf(all).slice(0, 2))
    expect(cut.headers['x-total-count']).toBe(String(modelsOf(all).length))
    expect(modelsOf(await list('limit=100000')).length).toBe(daemon().status.models)
  })

  it('takes a q that is found in provider, model or name, whatever its case (CAT-052)', async () => {
    const matching = (q: string) =>
      modelsOf(all).filter(({ provider_id, model_id, display_name }) =>
        [provider_id, model_id, display_name].some((text) => text?.toLowerCase().includes(q)),
      )
    const all = await list('')
    for (const q of ['anthROPic', 'SONNET', 'GPT-5.2']) {
      const found = await list(`q=${q}`)
      expect(modelsOf(found).length).toBeGreaterThan(0)
      expect(modelsOf(found)).toEqual(matching(q.toLowerCase()))
    }
    const none = await list('q=no-model-is-called-this')
    expect([none.text(), none.headers['x-total-count']]).toEqual(['{"models":[]}\n', '0'])
    expect(ids(modelsOf(await list(`provider_id=opaque&q=${encodeURIComponent('模型')}`)))).toEqual(['ü/模型'])
  })

  it('is filtered by availability only when asked (CAT-053)', async () => {
    expect(modelsOf(await list('available=unknown')).length).toBe(daemon().status.models)
    expect(modelsOf(await list('available=true'))).toEqual([])
    expect(modelsOf(await list('available=false'))).toEqual([])
  })

  it('with nothing to list is an empty array (CAT-055)', async () => {
    for (const path of ['empty/models', 'models?provider_id=empty', 'models?source_id=models_dev']) {
      expect((await daemon().overTcp(`/api/providers/${path}`)).text()).toBe('{"models":[]}\n')
    }
  })

  it('has every key of the shape in order on every model, with null for what nobody states (CAT-056) (CAT-063)', async () => {
    const models = modelsOf(await list(''))
    const keys = Object.keys(Model.shape)
    for (const model of models) expect(Object.keys(model)).toEqual(keys)
    const bare = theModel(await daemon().overTcp('/api/providers/models/models'))
    const { sources, refreshed_at, ...rest } = bare
    expect(rest).toEqual({
      ...Object.fromEntries(
        keys.filter((key) => key !== 'sources' && key !== 'refreshed_at').map((key) => [key, null]),
      ),
      provider_id: 'models',
      model_id: 'lone',
      availability_state: 'unknown',
      availability_reason: 'not_probed',
      stale: false,
    })
    expect(sources).toEqual([{ source_id: 'config', source_kind: 'config', priority: 120, stale: false, refreshed_at }])
  })
})

describe('models', () => {
  it('of other sources stay listed beside curated ones (CAT-006)', async () => {
    const all = ids(modelsOf(await daemon().overTcp('/api/providers/anthropic/models')))
    const builtin = ids(modelsOf(await daemon().overTcp('/api/providers/anthropic/models?source_id=builtin')))
    expect(all).toEqual([...builtin, 'only-in-config'].sort(byBytes))
  })

  it('keep their ids byte for byte, so that ids which differ are different models (CAT-015)', async () => {
    const listed = ids(modelsOf(await daemon().overTcp('/api/providers/opaque/models')))
    expect(listed).toEqual([...OPAQUE_IDS].sort(byBytes))
    for (const id of OPAQUE_IDS) {
      const explained = await daemon().overTcp(`/api/explain?provider_id=opaque&model_id=${encodeURIComponent(id)}`)
      expect([explained.status, explained.json()]).toMatchObject([200, { provider_id: 'opaque', model_id: id }])
    }
  })

  it('without a live source are unknown and not probed, curated ones too (CAT-031) (CAT-162)', async () => {
    const models = modelsOf(await daemon().overTcp('/api/providers/models'))
    const stateOf = (model: Model) => `${model.available} ${model.availability_state} ${model.availability_reason}`
    expect(new Set(models.map(stateOf))).toEqual(new Set(['null unknown not_probed', 'null unknown no_credential']))
    const agents = models.filter(({ provider_id }) => provider_id === 'codex')
    expect(new Set(agents.map(stateOf))).toEqual(new Set(['null unknown not_probed']))
    expect(models.every(({ availability_evidence }) => availability_evidence === null)).toBe(true)
  })

  it('of an agent are enriched from their maker, and none of the maker appears there (CAT-178)', async () => {
    const models = modelsOf(await daemon().overTcp('/api/providers/codex/models'))
    expect(ids(models)).toEqual(['gpt-5.2', 'nobody-else-has-this'])
    const maker = modelsOf(await daemon().overTcp('/api/providers/openai/models')).find(
      ({ model_id }) => model_id === 'gpt-5.2',
    )
    expect(maker?.context_window).toBeGreaterThan(0)
    expect(models[0]).toMatchObject({ context_window: maker?.context_window, display_name: maker?.display_name })
    expect(models[0]?.sources.map(({ source_id }) => source_id)).toEqual(['config', 'builtin'])
    expect(models[1]?.sources.map(({ source_id }) => source_id)).toEqual(['config'])
  })

  it('of a provider called "models" are reachable, and shadow no route (CAT-149)', async () => {
    const get = (path: string) => daemon().overTcp(`/api/providers/models${path}`)
    expect(theModel(await get('/models'))).toMatchObject({ provider_id: 'models', model_id: 'lone' })
    const own = statusesOf(await get('/models/status')).map(
      ({ source_id, provider_id }) => `${source_id} ${provider_id}`,
    )
    expect(own).toEqual(['models_dev null', 'config models'])
    const all = statusesOf(await get('/status'))
    expect(all.some(({ provider_id }) => provider_id === 'anthropic')).toBe(true)
    const refreshed = await daemon().overTcp('/api/providers/models/models/refresh', { method: 'POST', body: {} })
    expect(refreshed.status).toBe(200)
  })
})
