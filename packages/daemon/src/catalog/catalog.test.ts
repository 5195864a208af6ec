/** Snapshots and what they are made of: what readers see while things change, and after a restart. */

import { SignalboxError } from '@signalbox/contract/errors'
import type { Model } from '@signalbox/contract/model'
import type { RowList } from '@signalbox/contract/row'
import { projectModel } from '@signalbox/core/catalog/project'
import { type Snapshot, selectModels } from '@signalbox/core/catalog/snapshot'
import { describe, expect, it } from 'vitest'
import { HOUR, MINUTE, makeRig, type Rig, START, someIds } from '../refresh/testing/rig.ts'
import { answers, exampleSource, extensionExample, fails, liveExample, statedRow } from '../sources/source.examples.ts'
import { MemoryStore } from '../store/memory/memory-store.ts'
import { list } from '../store/store.samples.ts'
import type { StoreChange } from '../store/store.ts'

const FORCED = { force: true }
const down = fails(new SignalboxError('source_failed', 'down'))
const builtin = (provider_id: string, ids: readonly string[]): RowList =>
  list(
    'builtin',
    provider_id,
    ids.map((id) => statedRow(id)),
    { fresh_until: null },
  )
const builtinSource = () =>
  exampleSource('builtin', () => Promise.resolve({ kind: 'unchanged' }), { ttlMs: null, network: false })

const modelsOf = (snapshot: Snapshot): Model[] => selectModels(snapshot, {}).models.map(projectModel)
const reasonOf = (rig: Rig, model_id: string) =>
  rig.models().find((model) => model.model_id === model_id)?.availability_reason

describe('a reader during a change', () => {
  const PROVIDERS = someIds(20, 'p')
  const stated = (context_window: number) =>
    Object.fromEntries(PROVIDERS.map((id) => [id, [statedRow('m', { context_window })]]))
  const windows = (snapshot: Snapshot) => new Set(modelsOf(snapshot).map((model) => model.context_window))

  it('sees the rows of one generation, and never waits (CAT-091)', async () => {
    const source = exampleSource('models_dev', answers(stated(1)))
    const rig = makeRig([source])
    await rig.refresh.refresh(FORCED)
    const held = rig.catalog.snapshot()
    source.does(answers(stated(2)))
    let over = false
    const run = rig.refresh.refresh(FORCED).finally(() => {
      over = true
    })
    const seen = new Set<string>()
    const generations = new Set<number>()
    while (!over) {
      const snapshot = rig.catalog.snapshot()
      generations.add(snapshot.generation)
      seen.add([...windows(snapshot)].join())
      await new Promise((resolve) => setImmediate(resolve))
    }
    await run
    seen.add([...windows(rig.catalog.snapshot())].join())
    expect([...seen]).toEqual(['1', '2'])
    expect(generations.size).toBeLessThanOrEqual(2)
    expect([...windows(held)]).toEqual([1])
  })

  it('sees statuses of the generation it reads: refreshing until the rows are there (CAT-070, CAT-091)', async () => {
    const source = exampleSource('models_dev', answers(stated(1)))
    const rig = makeRig([source])
    let over = false
    const run = rig.refresh.refresh(FORCED).finally(() => {
      over = true
    })
    const seen = new Set<string>()
    while (!over) {
      seen.add(JSON.stringify([rig.statuses()[0]?.refresh_state, rig.ids().length]))
      await new Promise((resolve) => setImmediate(resolve))
    }
    await run
    seen.add(JSON.stringify([rig.statuses()[0]?.refresh_state, rig.ids().length]))
    expect([...seen]).toEqual(['["refreshing",0]', '["succeeded",20]'])
  })

  it('sees all of a source’s rows stored in one transaction (CAT-091)', async () => {
    const commits: StoreChange[] = []
    class WatchedStore extends MemoryStore {
      override commit(change: StoreChange): void {
        commits.push(change)
        super.commit(change)
      }
    }
    const rig = makeRig([exampleSource('models_dev', answers(stated(1)))], { store: new WatchedStore() })
    await rig.refresh.refresh(FORCED)
    await rig.catalog.settled()
    const withLists = commits.filter((change) => (change.lists ?? []).length > 0)
    expect(withLists).toHaveLength(1)
    expect(withLists[0]).toMatchObject({
      lists: PROVIDERS.map((provider_id) => ({ provider_id })),
      statuses: PROVIDERS.map(() => ({})),
    })
    // Merged lists follow in later ones: they are only there to start faster.
    expect(rig.store.load().published).toHaveLength(20)
  })

  it('keeps the snapshot it holds when rows expire in the middle of a change', async () => {
    const source = exampleSource('models_dev', answers(stated(1)))
    const rig = makeRig([source])
    await rig.refresh.refresh(FORCED)
    rig.clock.advance(HOUR)
    source.does(answers(stated(2)))
    const run = rig.refresh.refresh(FORCED)
    await source.called(2)
    expect(modelsOf(rig.catalog.snapshot()).every((model) => model.stale)).toBe(true)
    await run
    expect(modelsOf(rig.catalog.snapshot()).some((model) => model.stale)).toBe(false)
    expect([...windows(rig.catalog.snapshot())]).toEqual([2])
  })
})

describe('time', () => {
  it('makes rows stale when their TTL passes, although no refresh ran (CAT-183)', async () => {
    const rig = makeRig([liveExample('acme', answers({ acme: [statedRow('a', {}, { available: true })] }))])
    await rig.refresh.refresh(FORCED)
    rig.clock.advance(HOUR - 1)
    expect(rig.models()).toMatchObject([{ stale: false, availability_state: 'available_live' }])
    const before = rig.catalog.snapshot().generation
    rig.clock.advance(1)
    expect(rig.models()).toMatchObject([{ stale: true, availability_state: 'available_stale' }])
    expect(rig.status('provider_live:acme')).toMatchObject({ refresh_state: 'succeeded', stale: true })
    expect(rig.catalog.snapshot().generation).toBe(before + 1)
  })

  it('makes rows stale directly after a restart (CAT-183)', async () => {
    const source = exampleSource('models_dev', answers({ acme: ['a'] }))
    const rig = makeRig([source])
    await rig.refresh.refresh(FORCED)
    await rig.catalog.settled()
    rig.clock.advance(HOUR)
    expect(makeRig([source], { store: rig.store, clock: rig.clock }).models()).toMatchObject([{ stale: true }])
  })

  it('makes an extension’s row stale at its own time, and without one at the TTL (CAT-183, CAT-184)', async () => {
    const rows = [statedRow('own', {}, { expires_at: START + MINUTE }), statedRow('ttl')]
    const rig = makeRig([extensionExample('x', ['acme'], answers({ acme: rows }))])
    await rig.refresh.refresh(FORCED)
    const stale = () => rig.models().map((model) => model.stale)
    expect(stale()).toEqual([false, false])
    rig.clock.advance(MINUTE)
    expect(stale()).toEqual([true, false])
    rig.clock.advance(HOUR - MINUTE)
    expect(stale()).toEqual([true, true])
  })

  it('leaves built-in and configuration rows fresh for ever (CAT-184)', async () => {
    const config = exampleSource('config', answers({ acme: ['c'] }), { ttlMs: null, network: false })
    const rig = makeRig([builtinSource(), config], { staticLists: [builtin('acme', ['b'])] })
    await rig.refresh.refresh(FORCED)
    rig.clock.advance(100_000 * HOUR)
    expect(rig.models().map((model) => [model.model_id, model.stale])).toEqual([
      ['b', false],
      ['c', false],
    ])
  })
})

describe('why a model is unknown', () => {
  it('is that nobody asked, then what its live source last saw (CAT-159)', async () => {
    const live = liveExample('acme', down)
    const rig = makeRig([builtinSource(), live], {
      staticLists: [builtin('acme', ['a', 'b']), builtin('other', ['o'])],
    })
    expect(reasonOf(rig, 'a')).toBe('not_probed')
    await rig.refresh.refresh({ force: true, source_id: live.id })
    expect(reasonOf(rig, 'a')).toBe('provider_unreachable')
    live.does(answers({ acme: [statedRow('b', {}, { available: true })] }))
    await rig.refresh.refresh(FORCED)
    expect(reasonOf(rig, 'a')).toBe('not_listed')
    expect(reasonOf(rig, 'b')).toBe('proven')
    expect(reasonOf(rig, 'o')).toBe('not_probed')
  })

  it('is that its live source is disabled, as soon as it is (CAT-159)', async () => {
    const live = liveExample('acme', answers({ acme: [statedRow('b', {}, { available: true })] }))
    const rig = makeRig([builtinSource(), live], { staticLists: [builtin('acme', ['a', 'b'])] })
    await rig.refresh.refresh(FORCED)
    await rig.catalog.setSources([builtinSource(), { ...live, enabled: false }])
    expect(rig.models().map((model) => model.availability_reason)).toEqual(['source_disabled', 'source_disabled'])
    await rig.catalog.setSources([builtinSource(), live])
    expect(reasonOf(rig, 'a')).toBe('not_probed')
  })

  it('survives a restart (CAT-159)', async () => {
    const live = liveExample('acme', down)
    const staticLists = [builtin('acme', ['a'])]
    const rig = makeRig([builtinSource(), live], { staticLists })
    await rig.refresh.refresh(FORCED)
    expect(reasonOf(makeRig([builtinSource(), live], { staticLists, store: rig.store }), 'a')).toBe(
      'provider_unreachable',
    )
  })
})

describe('sources that change', () => {
  it('lose their rows, statuses and stored lists when they are disabled, and start anew (CAT-073)', async () => {
    const source = exampleSource('models_dev', answers({ acme: ['a'] }))
    const rig = makeRig([builtinSource(), source], { staticLists: [builtin('acme', ['b'])] })
    await rig.refresh.refresh(FORCED)
    await rig.catalog.setSources([builtinSource(), { ...source, enabled: false }])
    await rig.catalog.settled()
    expect(rig.ids()).toEqual(['acme/b'])
    expect(rig.status('models_dev')).toMatchObject({
      refresh_state: 'disabled',
      row_count: 0,
      stale: false,
      provider_id: null,
    })
    expect(rig.store.load()).toMatchObject({ lists: [], statuses: [], published: [] })
    await rig.catalog.setSources([builtinSource(), source])
    expect(rig.status('models_dev')).toMatchObject({ refresh_state: 'idle', last_refresh: null })
  })

  it('lose rows that were being published while they were disabled (CAT-073)', async () => {
    const source = exampleSource('models_dev', answers({ acme: ['a'], zeta: ['z'] }))
    const rig = makeRig([source])
    const run = rig.refresh.refresh(FORCED)
    await source.called(1)
    // By now the answer is on its way through the catalog.
    await new Promise((resolve) => setImmediate(resolve))
    await rig.catalog.setSources([{ ...source, enabled: false }])
    await run
    expect(rig.ids()).toEqual([])
    expect(rig.store.load().lists).toEqual([])
  })

  it('that did not change leave generation and store alone', async () => {
    const source = exampleSource('models_dev', answers({ acme: ['a'] }))
    const rig = makeRig([source])
    await rig.refresh.refresh(FORCED)
    await rig.catalog.settled()
    const [snapshot, stored] = [rig.catalog.snapshot(), JSON.stringify(rig.store.load())]
    await rig.catalog.setSources([source])
    await rig.catalog.settled()
    expect(rig.catalog.snapshot()).toBe(snapshot)
    expect(JSON.stringify(rig.store.load())).toBe(stored)
  })
})

describe('an enriched provider', () => {
  it('follows the rows of the one it is enriched from', async () => {
    const catalog = exampleSource('models_dev', answers({ openai: [statedRow('gpt', { context_window: 1 })] }))
    const config = exampleSource('config', answers({ codex: ['gpt'] }), { ttlMs: null, network: false })
    const rig = makeRig([catalog, config])
    await rig.refresh.refresh(FORCED)
    const window = () => rig.models().find((model) => model.provider_id === 'codex')?.context_window
    expect(window()).toBe(1)
    catalog.does(answers({ openai: [statedRow('gpt', { context_window: 2 })] }))
    await rig.refresh.refresh({ force: true, source_id: 'models_dev' })
    expect(window()).toBe(2)
  })
})

describe('a restart', () => {
  const setUp = async () => {
    const source = exampleSource('models_dev', answers({ acme: ['a'], zeta: ['z'] }), { ttlMs: 24 * HOUR })
    const sources = [builtinSource(), source]
    const staticLists = [builtin('acme', ['b']), builtin('only', ['o'])]
    const rig = makeRig(sources, { staticLists })
    await rig.refresh.refresh(FORCED)
    await rig.catalog.settled()
    const restart = (options: { staticLists?: RowList[]; builtinHash?: string } = {}) =>
      makeRig(sources, { staticLists, ...options, store: rig.store, clock: rig.clock })
    return { rig, restart, source }
  }
  const howPublished = (rig: Rig) =>
    rig.eventsOf('catalog.snapshot.published').map(({ verbatim, merged }) => ({ verbatim, merged }))

  it('lists every model and status that was there before (CAT-001, SEL-065)', async () => {
    const { rig, restart } = await setUp()
    const again = restart()
    expect(again.models()).toEqual(rig.models())
    const discovered = (one: Rig) => one.statuses().filter((status) => status.source_id === 'models_dev')
    expect(discovered(again)).toEqual(discovered(rig))
  })

  it('shows nothing as refreshing that nobody runs (CAT-158)', async () => {
    const { rig, restart, source } = await setUp()
    source.does(() => new Promise(() => {}))
    void rig.refresh.refresh(FORCED)
    await source.called(2)
    expect(rig.status('models_dev', 'acme').refresh_state).toBe('refreshing')
    expect(restart().status('models_dev', 'acme').refresh_state).toBe('succeeded')
  })

  it('publishes stored lists as they are, without a merge, when nothing is due or different (SEL-066)', async () => {
    const { rig, restart } = await setUp()
    const again = restart()
    expect(howPublished(again)).toEqual([{ verbatim: 2, merged: 1 }])
    const bodies = (one: Rig) => one.catalog.snapshot().shards.map((shard) => Buffer.from(shard.body).toString())
    expect(bodies(again)).toEqual(bodies(rig))
  })

  it('takes the stored bytes themselves (SEL-066)', async () => {
    const { rig, restart } = await setUp()
    const marked = rig.store.load().published.map((one) => ({ ...one, body: Buffer.from('{"marked":true}') }))
    rig.store.commit({ published: marked })
    const shard = restart()
      .catalog.snapshot()
      .shards.find(({ provider_id }) => provider_id === 'acme')
    expect(Buffer.from(shard?.body ?? []).toString()).toBe('{"marked":true}')
  })

  const differences: readonly (readonly [string, (one: Awaited<ReturnType<typeof setUp>>) => Rig])[] = [
    [
      'the built-in file is another',
      ({ restart }) => restart({ staticLists: [builtin('acme', ['b', 'new'])], builtinHash: 'newer' }),
    ],
    [
      'a configuration row is another',
      ({ restart }) => restart({ staticLists: [builtin('acme', ['b']), list('config', 'acme', [statedRow('c')])] }),
    ],
    [
      'a fetch is due',
      ({ rig, restart }) => {
        rig.clock.advance(23 * HOUR)
        rig.store.commit({
          statuses: rig.store.load().statuses.map((status) => ({ ...status, next_refresh: rig.clock.now() })),
        })
        return restart()
      },
    ],
    [
      'a row is no longer fresh',
      ({ rig, restart }) => {
        rig.store.commit({ statuses: rig.store.load().statuses.map((status) => ({ ...status, next_refresh: null })) })
        rig.clock.advance(24 * HOUR)
        return restart()
      },
    ],
    [
      'a stored list is another',
      ({ rig, restart }) => {
        rig.store.commit({
          lists: rig.store.load().lists.map((one) => ({ ...one, refreshed_at: one.refreshed_at + 1 })),
        })
        return restart()
      },
    ],
  ]
  it.each(differences)('merges anew when %s (SEL-066)', async (_, change) => {
    const again = change(await setUp())
    const [how] = howPublished(again)
    const acme = again.catalog.snapshot().shards.find(({ provider_id }) => provider_id === 'acme')
    const expected = modelsOf(again.catalog.snapshot()).filter((model) => model.provider_id === 'acme')
    expect(how?.verbatim).toBeLessThan(2)
    expect(JSON.parse(`[${Buffer.from(acme?.body ?? []).toString()}]`)).toEqual(expected)
  })

  it('computes the fingerprint of a static list at most once per process (SEL-067)', async () => {
    let reads = 0
    const rows = [statedRow('c')]
    const watched: RowList = Object.defineProperty({ ...list('config', 'acme'), rows }, 'rows', {
      get() {
        reads += 1
        return rows
      },
    })
    const stringified = () => {
      const before = reads
      return () => reads - before
    }
    const source = exampleSource('models_dev', answers({ acme: ['a'] }))
    const store = new MemoryStore()
    const rig = makeRig([source], { staticLists: [watched], store })
    await rig.refresh.refresh(FORCED)
    await rig.catalog.settled()
    // A restart in the same process that publishes verbatim reads rows only to hash them.
    const counted = stringified()
    const again = makeRig([source], { staticLists: [watched], store, clock: rig.clock })
    expect(howPublished(again)).toEqual([{ verbatim: 1, merged: 0 }])
    expect(counted()).toBe(0)
  })
})
