/** What one run of a source leaves behind: rows, statuses, events, memory. */
import { SignalboxError } from '@signalbox/contract/errors'
import { describe, expect, it } from 'vitest'
import {
  answers,
  type Behaviour,
  exampleSource,
  extensionExample,
  fails,
  hangs,
  liveExample,
  provider,
  statedRow,
} from '../sources/source.examples.ts'
import type { SourceAnswer } from '../sources/source.ts'
import { HOUR, ManualClock, MINUTE, makeRig, SECOND, START, someIds } from './testing/rig.ts'

const FORCED = { force: true }
const failure = (message = 'models.dev answered HTTP 503') => fails(new SignalboxError('source_failed', message))
const time = (ms: number) => new Date(ms).toISOString().replace('.000', '')

describe('a run that succeeds', () => {
  it('leaves a status with the row count and both times (CAT-067, CAT-071, CAT-074)', async () => {
    const source = exampleSource('models_dev', answers({ acme: ['a', 'b'] }), { ttlMs: 24 * HOUR })
    const rig = makeRig([source])
    await rig.refresh.refresh(FORCED)
    expect(rig.statuses()).toEqual([
      {
        source_id: 'models_dev',
        provider_id: 'acme',
        source_kind: 'models_dev',
        refresh_state: 'succeeded',
        last_refresh: time(START),
        next_refresh: time(START + 24 * HOUR),
        last_success: time(START),
        row_count: 2,
        stale: false,
        last_error: null,
      },
    ])
  })

  it('clears the error of the failure before it and starts the back-off anew (CAT-071, CAT-186)', async () => {
    const source = exampleSource('models_dev', failure())
    const rig = makeRig([source])
    await rig.refresh.refresh(FORCED)
    await rig.refresh.refresh(FORCED)
    source.does(answers({ acme: ['a'] }))
    await rig.refresh.refresh(FORCED)
    expect(rig.status('models_dev')).toMatchObject({
      refresh_state: 'succeeded',
      last_error: null,
      provider_id: 'acme',
    })
    source.does(failure())
    await rig.refresh.refresh(FORCED)
    expect(rig.status('models_dev').next_refresh).toBe(time(START + MINUTE))
  })

  it('emits started, then succeeded, with all four keys and no model id (CAT-127, CAT-132)', async () => {
    const rig = makeRig([liveExample('acme', answers({ acme: ['a'] }))])
    await rig.refresh.refresh({ force: true, request_id: 'mine' })
    const run = rig.eventsOf('catalog.refresh.started', 'catalog.refresh.succeeded', 'catalog.refresh.failed')
    expect(run.map((record) => record.event)).toEqual(['catalog.refresh.started', 'catalog.refresh.succeeded'])
    const keys = {
      refresh_request_id: 'mine',
      provider_id: 'acme',
      source_id: 'provider_live:acme',
      source_kind: 'provider_live',
    }
    for (const record of [...run, ...rig.eventsOf('catalog.source.row_count_changed')]) {
      expect(record).toMatchObject(keys)
      expect(record).not.toHaveProperty('model_id')
    }
    expect(run[1]).toMatchObject({ row_count: 1, duration_ms: 0 })
  })

  it('tells each change of a row count with both counts, and nothing where none changed (CAT-128)', async () => {
    const source = exampleSource('models_dev', answers({ acme: ['a', 'b'], zeta: ['z'], gone: ['g'] }))
    const rig = makeRig([source])
    await rig.refresh.refresh(FORCED)
    source.does(answers({ acme: ['a', 'b', 'c'], zeta: ['other'], fresh: ['f'] }))
    rig.events.length = 0
    await rig.refresh.refresh(FORCED)
    const counts = rig
      .eventsOf('catalog.source.row_count_changed')
      .map(({ provider_id, before, after }) => [provider_id, before, after])
    expect(counts).toEqual([
      ['acme', 2, 3],
      ['gone', 1, 0],
      ['fresh', 0, 1],
    ])
  })

  it('forgets providers that a global source no longer names (CAT-068)', async () => {
    const source = exampleSource('models_dev', answers({ acme: ['a'], gone: ['g'] }))
    const rig = makeRig([source])
    await rig.refresh.refresh(FORCED)
    source.does(answers({ acme: ['a'] }))
    await rig.refresh.refresh(FORCED)
    expect(rig.statuses().map((status) => status.provider_id)).toEqual(['acme'])
    expect(rig.ids()).toEqual(['acme/a'])
    expect(rig.store.load().lists.map((stored) => stored.provider_id)).toEqual(['acme'])
  })

  it('leaves the stored rows of every other source as they were, to the byte (CAT-013)', async () => {
    const catalog = exampleSource('models_dev', answers({ acme: [statedRow('a', { context_window: 1 })] }))
    const live = liveExample('acme', answers({ acme: [statedRow('a', { context_window: 2 })] }))
    const extension = extensionExample('x', ['acme'], answers({ acme: ['a', 'extra'] }))
    const rig = makeRig([catalog, live, extension])
    await rig.refresh.refresh(FORCED)
    const others = () => rig.store.load().lists.filter((stored) => stored.source_id !== live.id)
    const before = JSON.stringify(others())
    expect(others()).toHaveLength(2)
    live.does(answers({ acme: [statedRow('a', { context_window: 3 }), 'b'] }))
    rig.clock.advance(MINUTE)
    await rig.refresh.refresh({ force: true, source_id: live.id })
    expect(rig.models().find((model) => model.model_id === 'a')?.context_window).toBe(3)
    expect(JSON.stringify(others())).toBe(before)
  })

  it('keeps only the asked provider of a source that speaks out of turn (CAT-012)', async () => {
    const rig = makeRig([liveExample('acme', answers({ acme: ['a'], openai: ['stolen'] }))])
    await rig.refresh.refresh(FORCED)
    expect(rig.ids()).toEqual(['acme/a'])
    expect(rig.eventsOf('catalog.row.rejected')).toMatchObject([
      { provider_id: 'openai', model_id: null, source_id: 'provider_live:acme' },
    ])
  })

  it('keeps the first of two lists for one provider (CAT-155)', async () => {
    const repeated = ['a', 'b'].map((id) => ({ provider_id: provider('acme'), rows: [statedRow(id)] }))
    const rig = makeRig([exampleSource('models_dev', answers({}, { lists: repeated }))])
    await rig.refresh.refresh(FORCED)
    expect(rig.ids()).toEqual(['acme/a'])
    expect(rig.eventsOf('catalog.row.rejected')).toMatchObject([
      { provider_id: 'acme', reason: 'the provider is repeated' },
    ])
  })

  it('counts each dropped row in an event that names it, and keeps the rest (CAT-132, CAT-155)', async () => {
    const rejected = [
      { provider_id: provider('acme'), model_id: null, reason: 'no id' },
      { provider_id: provider('acme'), model_id: 'big', reason: 'above 1 MiB' },
    ]
    const rig = makeRig([exampleSource('models_dev', answers({ acme: ['a', 'twice', 'twice'] }, { rejected }))])
    await rig.refresh.refresh(FORCED)
    expect(rig.ids()).toEqual(['acme/a', 'acme/twice'])
    expect(rig.status('models_dev')).toMatchObject({ refresh_state: 'succeeded', row_count: 2 })
    expect(rig.eventsOf('catalog.row.rejected')).toMatchObject([
      { provider_id: 'acme', model_id: null, reason: 'no id', source_id: 'models_dev', source_kind: 'models_dev' },
      { provider_id: 'acme', model_id: 'big', reason: 'above 1 MiB' },
      { provider_id: 'acme', model_id: 'twice', reason: 'the id is repeated' },
    ])
  })

  it('names the first hundred dropped rows and counts the others (CAT-155)', async () => {
    const rejected = someIds(250).map((model_id) => ({ provider_id: provider('acme'), model_id, reason: 'no id' }))
    const rig = makeRig([exampleSource('models_dev', answers({ acme: ['a'] }, { rejected }))])
    await rig.refresh.refresh(FORCED)
    const told = rig.eventsOf('catalog.row.rejected')
    expect(told).toHaveLength(101)
    expect(told.at(-1)).toMatchObject({ model_id: null, reason: '150 more rows were dropped' })
  })

  it('publishes nothing new and writes nothing new when a file says the same as before (CAT-174)', async () => {
    const rows = [statedRow('m', { display_name: 'M' }, { refreshed_at: START - HOUR })]
    const source = exampleSource('config', answers({ acme: rows }), { ttlMs: null, network: false })
    const rig = makeRig([source], { staticLists: [] })
    await rig.refresh.refresh(FORCED)
    const before = rig.catalog.snapshot()
    expect(rig.models()[0]?.refreshed_at).toBe(time(START - HOUR))
    rig.clock.advance(MINUTE)
    source.does(answers({ acme: [statedRow('m', { display_name: 'M' }, { refreshed_at: START - HOUR })] }))
    await rig.refresh.refresh(FORCED)
    expect(rig.catalog.snapshot()).toBe(before)
    expect(rig.status('config').last_refresh).toBe(time(START + MINUTE))
  })
})

describe('a run that fails', () => {
  it('keeps the rows, marked stale, and says why (CAT-072, CAT-088)', async () => {
    const source = exampleSource('models_dev', answers({ acme: ['a', 'b'] }))
    const rig = makeRig([source])
    await rig.refresh.refresh(FORCED)
    source.does(failure())
    rig.clock.advance(MINUTE)
    await rig.refresh.refresh(FORCED)
    expect(rig.status('models_dev')).toMatchObject({
      refresh_state: 'failed',
      stale: true,
      last_refresh: time(START + MINUTE),
      last_success: time(START),
      row_count: 2,
      last_error: 'models.dev answered HTTP 503',
    })
    expect(rig.ids()).toEqual(['acme/a', 'acme/b'])
    expect(rig.models().map((model) => model.stale)).toEqual([true, true])
    expect(rig.store.load().lists).toMatchObject([{ failed: true, rows: [{}, {}] }])
  })

  it('shows the failure of a source that has named no provider yet under null (CAT-068, CAT-072)', async () => {
    const rig = makeRig([exampleSource('models_dev', failure())])
    await rig.refresh.refresh(FORCED)
    expect(rig.statuses()).toMatchObject([
      { provider_id: null, refresh_state: 'failed', stale: true, row_count: 0, last_success: null },
    ])
  })

  it('leaves the rows of the configuration fresh (CAT-072, CAT-189)', async () => {
    const source = exampleSource('config', answers({ acme: ['a'] }), { ttlMs: null, network: false })
    const rig = makeRig([source])
    await rig.refresh.refresh(FORCED)
    const before = rig.catalog.snapshot()
    source.does(fails(new SignalboxError('invalid_config', 'config.toml:1:1 wat')))
    await rig.refresh.refresh(FORCED)
    expect(rig.catalog.snapshot()).toBe(before)
    expect(rig.status('config')).toMatchObject({
      refresh_state: 'failed',
      stale: false,
      next_refresh: null,
      row_count: 1,
      last_error: 'config.toml:1:1 wat',
    })
    expect(rig.models()[0]?.stale).toBe(false)
  })

  it('emits started, failed and, where rows are kept, stale_fallback (CAT-127, CAT-129, CAT-132)', async () => {
    const source = liveExample('acme', failure('no'))
    const rig = makeRig([source])
    const names = () => rig.events.map((record) => record.event).filter((name) => !name.startsWith('catalog.snapshot'))
    rig.events.length = 0
    await rig.refresh.refresh(FORCED)
    expect(names()).toEqual(['catalog.refresh.started', 'catalog.refresh.failed', 'catalog.refresh.all_failed'])
    source.does(answers({ acme: ['a', 'b'] }))
    await rig.refresh.refresh(FORCED)
    source.does(failure('no'))
    rig.events.length = 0
    await rig.refresh.refresh(FORCED)
    expect(names()).toEqual([
      'catalog.refresh.started',
      'catalog.refresh.failed',
      'catalog.source.stale_fallback',
      'catalog.refresh.all_failed',
    ])
    expect(rig.eventsOf('catalog.refresh.failed', 'catalog.source.stale_fallback')).toMatchObject([
      { provider_id: 'acme', source_id: 'provider_live:acme', source_kind: 'provider_live', error: 'no' },
      { provider_id: 'acme', source_id: 'provider_live:acme', source_kind: 'provider_live', row_count: 2 },
    ])
  })

  it('ends a source that ignores its signal at its deadline, and frees its slot (CAT-083, CAT-153)', async () => {
    const deaf = liveExample('acme', () => new Promise<SourceAnswer>(() => {}), { timeoutMs: 20 })
    const rig = makeRig([deaf])
    await rig.refresh.refresh(FORCED)
    expect(rig.status('provider_live:acme')).toMatchObject({
      refresh_state: 'failed',
      last_error: 'no complete answer within 0.02 s',
    })
    deaf.does(answers({ acme: ['a'] }))
    await rig.refresh.refresh(FORCED)
    expect(rig.status('provider_live:acme').refresh_state).toBe('succeeded')
  })

  it('gives each source its own deadline: a slow one costs another nothing (CAT-083)', async () => {
    const slow = liveExample('slow', hangs, { timeoutMs: 30 })
    const rig = makeRig([slow, liveExample('acme', answers({ acme: ['a'] }), { timeoutMs: 10_000 })])
    await rig.refresh.refresh(FORCED)
    expect(rig.status('provider_live:slow').last_error).toBe('no complete answer within 0.03 s')
    expect(rig.status('provider_live:acme').refresh_state).toBe('succeeded')
  })

  const thrown: readonly (readonly [string, Behaviour, string])[] = [
    [
      'rejects with a bug',
      fails(new TypeError('x is not a function in "sk-ant-secret"')),
      'the source failed unexpectedly (TypeError)',
    ],
    ['rejects with a text', fails('sk-ant-secret'), 'the source failed unexpectedly (string)'],
    ['rejects with nothing', fails(undefined), 'the source failed unexpectedly (undefined)'],
    [
      'rejects with a name of its own making',
      fails(Object.assign(new Error('x'), { name: 'sk-ant-secret of 16 or more' })),
      'the source failed unexpectedly (Error)',
    ],
    [
      'throws synchronously',
      () => {
        throw new RangeError('sk-ant-secret')
      },
      'the source failed unexpectedly (RangeError)',
    ],
  ]
  it.each(thrown)(
    'is failed, with its slot free again, when a source %s (CAT-077, CAT-153)',
    async (_, behaviour, error) => {
      const source = { ...exampleSource('models_dev', behaviour), list: behaviour }
      const rig = makeRig([source])
      await rig.refresh.refresh(FORCED)
      expect(rig.status('models_dev')).toMatchObject({ refresh_state: 'failed', last_error: error })
      expect(JSON.stringify([rig.events, rig.store.load()])).not.toContain('secret')
      await rig.refresh.refresh(FORCED)
      expect(rig.eventsOf('catalog.refresh.failed')).toHaveLength(2)
    },
  )

  it.each(['Bearer abcdefghijklmnop', 'sk-ant-api03-abcdefghijklmnopqrstuvwxyz', 'api_key=abcdefghijklmnop'])(
    'hides %s in what it tells and keeps (CAT-076)',
    async (secret) => {
      const rig = makeRig([exampleSource('models_dev', failure(`refused with ${secret} in it`))])
      await rig.refresh.refresh(FORCED)
      expect(rig.status('models_dev').last_error).toMatch(/^refused with /)
      expect(JSON.stringify([rig.statuses(), rig.events, rig.store.load()])).not.toContain('abcdefghijklmnop')
    },
  )

  it('pauses 60 s, doubling up to an hour (CAT-074, CAT-186)', async () => {
    const rig = makeRig([exampleSource('models_dev', failure())])
    const pauses: number[] = []
    for (let run = 0; run < 9; run += 1) {
      await rig.refresh.refresh(FORCED)
      const pause = Date.parse(rig.status('models_dev').next_refresh ?? '') - rig.clock.now()
      pauses.push(pause / MINUTE)
      rig.clock.advance(pause)
    }
    expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60])
  })

  it('does not pause longer for whoever tries by hand meanwhile (CAT-186)', async () => {
    const rig = makeRig([exampleSource('models_dev', failure())])
    for (let run = 0; run < 5; run += 1) await rig.refresh.refresh(FORCED)
    expect(Date.parse(rig.status('models_dev').next_refresh ?? '') - rig.clock.now()).toBe(MINUTE)
  })
})

describe('a source that changes while it runs', () => {
  const heldRig = async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const source = exampleSource('models_dev', async (call) => {
      await promise
      return answers({ acme: ['late'] })(call)
    })
    const rig = makeRig([source])
    const run = rig.refresh.refresh(FORCED)
    await source.called(1)
    return { source, rig, run, release: resolve }
  }

  it('brings no rows when it was disabled meanwhile (CAT-073)', async () => {
    const { source, rig, run, release } = await heldRig()
    await rig.catalog.setSources([{ ...source, enabled: false }])
    release()
    expect((await run).outcome).toBe('none')
    expect(rig.ids()).toEqual([])
    expect(rig.status('models_dev').refresh_state).toBe('disabled')
    expect(rig.store.load().lists).toEqual([])
    expect(rig.eventsOf('catalog.refresh.started', 'catalog.refresh.failed')).toHaveLength(2)
  })

  it('brings no rows, and no failure, when it was pointed elsewhere meanwhile', async () => {
    const { source, rig, run, release } = await heldRig()
    await rig.catalog.setSources([{ ...source, identity: 'https://other.test/' }])
    release()
    await run
    expect(rig.status('models_dev')).toMatchObject({ refresh_state: 'idle', last_error: null })
  })

  it('brings its rows when only the rest of the configuration changed', async () => {
    const { source, rig, run, release } = await heldRig()
    await rig.catalog.setSources([{ ...source }])
    release()
    await run
    expect(rig.ids()).toEqual(['acme/late'])
  })
})

it('keeps an endpoint with a key in it out of the store (CAT-076)', async () => {
  const identity = 'https://models.test/?key=canary-0123456789'
  const rig = makeRig([exampleSource('models_dev', answers({ acme: ['a'] }), { identity })], {
    clock: new ManualClock(START + SECOND),
  })
  await rig.refresh.refresh(FORCED)
  expect(rig.store.load().memories).toHaveLength(1)
  expect(JSON.stringify(rig.store.load())).not.toContain('canary')
})
