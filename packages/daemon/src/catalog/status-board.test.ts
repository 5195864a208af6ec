import { describe, expect, it } from 'vitest'
import { makeRig, START } from '../refresh/testing/rig.ts'
import { answers, exampleSource, extensionExample, liveExample, provider } from '../sources/source.examples.ts'
import { list, source, status } from '../store/store.samples.ts'
import type { Lists } from './lists.ts'
import { StatusBoard } from './status-board.ts'

const KEYS = [
  'source_id',
  'provider_id',
  'source_kind',
  'refresh_state',
  'last_refresh',
  'next_refresh',
  'last_success',
  'row_count',
  'stale',
  'last_error',
]
const nothing = answers({})
const noLists: Lists = new Map()

function board(sources: Parameters<StatusBoard['register']>[0], records: Parameters<typeof status>[] = []) {
  const made = new StatusBoard(
    records.map((record) => status(...record)),
    () => noLists,
  )
  made.register(sources)
  return made
}

describe('the status board', () => {
  it('has every field of every status, in one order, whatever its state (CAT-067)', () => {
    const sources = [
      exampleSource('models_dev', nothing),
      liveExample('acme', nothing, { enabled: false }),
      extensionExample('x', ['acme', 'zeta'], nothing),
    ]
    const statuses = board(sources, [['extension:x', 'acme']]).statuses({}, START)
    expect(statuses).toHaveLength(4)
    for (const one of statuses) expect(Object.keys(one)).toEqual(KEYS)
  })

  it('orders by provider, null first, then by source, in byte order (CAT-066)', () => {
    const sources = ['zeta', 'Acme'.toLowerCase(), 'a.b', 'a-b'].map((id) => liveExample(id, nothing))
    const statuses = board([
      ...sources,
      exampleSource('models_dev', nothing),
      extensionExample('x', ['acme'], nothing),
    ]).statuses({}, START)
    expect(statuses.map((one) => [one.provider_id, one.source_id])).toEqual([
      [null, 'models_dev'],
      ['a-b', 'provider_live:a-b'],
      ['a.b', 'provider_live:a.b'],
      ['acme', 'extension:x'],
      ['acme', 'provider_live:acme'],
      ['zeta', 'provider_live:zeta'],
    ])
  })

  it('is idle with null times for a source that was never tried (CAT-069)', () => {
    expect(board([liveExample('acme', nothing)]).statuses({}, START)).toEqual([
      {
        source_id: 'provider_live:acme',
        provider_id: 'acme',
        source_kind: 'provider_live',
        refresh_state: 'idle',
        last_refresh: null,
        next_refresh: null,
        last_success: null,
        row_count: 0,
        stale: false,
        last_error: null,
      },
    ])
  })

  it('shows nothing of a source that is gone', () => {
    expect(board([], [['provider_live:acme', 'acme']]).statuses({}, START)).toEqual([])
  })

  it('shows a provider only what can state its models (CAT-075)', () => {
    const sources = [
      liveExample('acme', nothing),
      liveExample('zeta', nothing),
      extensionExample('x', ['zeta'], nothing),
      exampleSource('models_dev', nothing),
    ]
    const statuses = board(sources, [
      ['models_dev', 'zeta'],
      ['models_dev', 'acme'],
    ]).statuses({ provider_id: provider('acme') }, START)
    expect(statuses.map((one) => one.source_id)).toEqual(['models_dev', 'provider_live:acme'])
  })

  it('shows a provider the failure of a source that has named nobody yet (CAT-068)', () => {
    const failed = board(
      [exampleSource('models_dev', nothing)],
      [['models_dev', null, { outcome: 'failed', last_error: 'down' }]],
    )
    expect(failed.statuses({ provider_id: provider('acme') }, START)).toMatchObject([
      { provider_id: null, refresh_state: 'failed' },
    ])
  })

  it('shows an enriched provider the catalogs, never the live list, of the other (CAT-044, CAT-075)', () => {
    const sources = [
      exampleSource('models_dev', nothing),
      exampleSource('builtin', nothing),
      exampleSource('config', nothing),
      liveExample('openai', nothing),
    ]
    const lists = new Map([[provider('openai'), new Map([[source('builtin'), list('builtin', 'openai')]])]])
    const made = new StatusBoard(
      [status('models_dev', 'openai'), status('models_dev', 'codex2'), status('config', 'openai')],
      () => lists,
    )
    made.register(sources)
    const statuses = made.statuses({ provider_id: provider('codex') }, START)
    expect(statuses.map((one) => [one.provider_id, one.source_id])).toEqual([
      ['openai', 'builtin'],
      ['openai', 'models_dev'],
    ])
  })

  it('is refreshing until the last of overlapping runs is done (CAT-070)', () => {
    const made = board([liveExample('acme', nothing)])
    const state = () => made.statuses({}, START)[0]?.refresh_state
    const [first, second] = [
      made.markRunning(source('provider_live:acme'), provider('acme')),
      made.markRunning(source('provider_live:acme'), provider('acme')),
    ]
    first()
    expect(state()).toBe('refreshing')
    second()
    expect(state()).toBe('idle')
  })

  it('agrees with what a refresh answers (CAT-066)', async () => {
    const rig = makeRig([
      exampleSource('models_dev', answers({ zeta: ['z'], acme: ['a'] })),
      liveExample('acme', answers({ acme: ['a'] })),
    ])
    const { sources } = await rig.refresh.refresh({ force: true })
    expect(sources).toEqual(rig.statuses())
  })
})
