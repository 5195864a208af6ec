import { describe, expect, it } from 'vitest'
import { SourceStatus } from '../../packages/contract/src/status.ts'
import { QUIET_CONFIG } from '../harness/temp-home.ts'
import { oneDaemon, statusesOf } from './one-daemon.ts'

const daemon = oneDaemon(() => `${QUIET_CONFIG}\n[[providers.openai.models.curated]]\nid = "mine"\n`)

describe.each(['overTcp', 'overSocket'] as const)('the statuses %s', (door) => {
  const statuses = async (path: string) => statusesOf(await daemon()[door](`/api/providers${path}`))

  it('are those of all sources and providers (CAT-043)', async () => {
    const all = await statuses('/models/status')
    expect(new Set(all.map(({ source_id }) => source_id))).toEqual(new Set(['config', 'builtin', 'models_dev']))
    expect(all.filter(({ source_id }) => source_id === 'builtin').length).toBeGreaterThan(200)
    for (const status of all) expect(Object.keys(status)).toEqual(Object.keys(SourceStatus.shape))
  })

  it('of one provider are those that concern it (CAT-044)', async () => {
    const own = await statuses('/openai/models/status')
    expect(own.map(({ source_id, provider_id, refresh_state }) => [source_id, provider_id, refresh_state])).toEqual([
      ['models_dev', null, 'disabled'],
      ['builtin', 'openai', 'succeeded'],
      ['config', 'openai', 'succeeded'],
    ])
    expect(own[2]).toMatchObject({ row_count: 1, stale: false, last_error: null })
  })

  it('are narrowed by provider_id and source_id (CAT-045) (CAT-046)', async () => {
    expect(await statuses('/models/status?provider_id=openai')).toEqual(await statuses('/openai/models/status'))
    const config = await statuses('/models/status?source_id=config')
    expect(config.map(({ source_id, provider_id }) => `${source_id} ${provider_id}`)).toEqual(['config openai'])
    expect(await statuses('/openai/models/status?source_id=config')).toEqual(config)
  })

  it('take include_stale and do not change by it (CAT-048)', async () => {
    expect(await statuses('/models/status?include_stale=true')).toEqual(await statuses('/models/status'))
    expect(await statuses('/openai/models/status?include_stale=1')).toEqual(await statuses('/openai/models/status'))
  })
})
