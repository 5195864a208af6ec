/** Refreshes that overlap: with each other, with readers, with the end of the daemon. */
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
} from '../sources/source.examples.ts'
import { makeRig, someIds } from './testing/rig.ts'

const down = fails(new SignalboxError('source_failed', 'down'))

/** Answers when it is opened. */
function gate(stated: Parameters<typeof answers>[0]) {
  const { promise, resolve } = Promise.withResolvers<void>()
  const behaviour: Behaviour = async (call) => {
    await promise
    return answers(stated)(call)
  }
  return { behaviour, open: resolve }
}

const acme = () => liveExample('acme', answers({ acme: ['a'] }))
const catalog = () => exampleSource('models_dev', answers({ acme: ['a'], zeta: ['z'] }))

describe('refreshes at the same time', () => {
  it('run once for equal scopes, and all callers get equal bytes (CAT-085)', async () => {
    const { behaviour, open } = gate({ acme: ['a'] })
    const source = liveExample('acme', behaviour)
    const rig = makeRig([source])
    const scope = { provider_id: provider('acme'), source_id: source.id, force: true }
    const callers = [
      rig.refresh.refresh({ ...scope, request_id: 'first' }),
      ...someIds(9).map(() => rig.refresh.refresh(scope)),
    ]
    await source.called(1)
    open()
    const results = await Promise.all(callers)
    expect(source.calls).toHaveLength(1)
    const bodies = new Set(results.map((result) => JSON.stringify(result.sources)))
    expect(bodies.size).toBe(1)
    expect(results[0]?.sources).toMatchObject([{ refresh_state: 'succeeded' }])
    expect(rig.eventsOf('catalog.refresh.started')).toHaveLength(1)
  })

  it('tell once that all failed (CAT-129)', async () => {
    const source = liveExample('acme', down)
    const rig = makeRig([source])
    const results = await Promise.all(someIds(3).map(() => rig.refresh.refresh({ force: true })))
    expect(results.map((result) => result.outcome)).toEqual(['failed', 'failed', 'failed'])
    expect(source.calls).toHaveLength(1)
    expect(rig.eventsOf('catalog.refresh.all_failed')).toMatchObject([{ failed: 1 }])
  })

  it('wait for each other, and run by themselves, when their scopes differ (CAT-084, CAT-086)', async () => {
    let running = 0
    let overlapping = 0
    const watched =
      (stated: Parameters<typeof answers>[0]): Behaviour =>
      async (call) => {
        running += 1
        overlapping = Math.max(overlapping, running)
        await new Promise((resolve) => setImmediate(resolve))
        running -= 1
        return answers(stated)(call)
      }
    const live = liveExample('acme', watched({ acme: ['a'] }))
    const extension = extensionExample('x', ['acme'], watched({ acme: ['x'] }))
    const rig = makeRig([live, extension])
    const id = provider('acme')
    await Promise.all([
      rig.refresh.refresh({ provider_id: id, force: true }),
      rig.refresh.refresh({ provider_id: id, source_id: live.id, force: true }),
      rig.refresh.refresh({ provider_id: id, source_id: extension.id, force: true }),
      rig.refresh.refresh({ force: true }),
      rig.refresh.refresh({ force: false }),
    ])
    expect(overlapping).toBe(1)
    // The first and the fourth are one run; the last finds nothing due.
    expect([live, extension].map((source) => source.calls.length)).toEqual([2, 2])
  })

  it('share one call of a global source, whatever providers they are for (CAT-175)', async () => {
    const { behaviour, open } = gate({ acme: ['a'], zeta: ['z'] })
    const source = exampleSource('models_dev', behaviour)
    const rig = makeRig([source])
    const scopes = [
      {},
      { provider_id: provider('acme') },
      { provider_id: provider('zeta') },
      { source_id: 'models_dev' },
    ]
    const runs = scopes.map((scope) => rig.refresh.refresh({ ...scope, force: true }))
    await source.called(1)
    open()
    await Promise.all(runs)
    expect(source.calls).toHaveLength(1)
  })

  it('run in parallel for different providers, 32 at most (CAT-087)', async () => {
    const { promise, resolve: release } = Promise.withResolvers<void>()
    const full = Promise.withResolvers<void>()
    let running = 0
    let most = 0
    const sources = someIds(50, 'p').map((id) =>
      liveExample(id, async (call) => {
        running += 1
        most = Math.max(most, running)
        if (running === 32) full.resolve()
        await promise
        running -= 1
        return answers({ [id]: ['m'] })(call)
      }),
    )
    const rig = makeRig(sources)
    const run = rig.refresh.refresh({ force: true })
    await full.promise
    release()
    expect((await run).sources).toHaveLength(50)
    expect(most).toBe(32)
    expect(rig.ids()).toHaveLength(50)
  })

  it('go on and publish although their caller stopped waiting (CAT-082)', async () => {
    const { behaviour, open } = gate({ acme: ['a'] })
    const source = liveExample('acme', behaviour)
    const rig = makeRig([source])
    void rig.refresh.refresh({ force: true })
    await source.called(1)
    const other = rig.refresh.refresh({ force: true })
    open()
    expect((await other).sources).toMatchObject([{ refresh_state: 'succeeded' }])
    expect(rig.ids()).toEqual(['acme/a'])
  })
})

describe('while a source runs', () => {
  it('shows refreshing with what the runs before it left (CAT-069, CAT-070)', async () => {
    const source = catalog()
    const rig = makeRig([source])
    expect(rig.status('models_dev')).toMatchObject({
      refresh_state: 'idle',
      last_refresh: null,
      next_refresh: null,
      last_success: null,
    })
    await rig.refresh.refresh({ force: true })
    source.does(down)
    await rig.refresh.refresh({ force: true })
    const before = rig.statuses()
    source.does(hangs)
    const run = rig.refresh.refresh({ force: true })
    await source.called(3)
    expect(rig.statuses()).toEqual(before.map((status) => ({ ...status, refresh_state: 'refreshing' })))
    expect(before).toMatchObject([
      { row_count: 1, last_error: 'down' },
      { row_count: 1, last_error: 'down' },
    ])
    await Promise.all([rig.refresh.close(), expect(run).rejects.toMatchObject({ code: 'shutting_down' })])
  })

  it('shows only that provider of a source with several (CAT-070)', async () => {
    const source = extensionExample('x', ['acme', 'zeta'], hangs)
    const rig = makeRig([source])
    const run = rig.refresh.refresh({ provider_id: provider('acme'), force: true })
    await source.called(1)
    expect(rig.statuses().map((status) => [status.provider_id, status.refresh_state])).toEqual([
      ['acme', 'refreshing'],
      ['zeta', 'idle'],
    ])
    await Promise.all([rig.refresh.close(), expect(run).rejects.toMatchObject({ code: 'shutting_down' })])
  })
})

describe('shutdown', () => {
  it('refuses new refreshes (CAT-092)', async () => {
    const source = acme()
    const rig = makeRig([source])
    await rig.refresh.close()
    await expect(rig.refresh.refresh({ force: true })).rejects.toMatchObject({ code: 'shutting_down', status: 503 })
    // Also where there would have been nothing to do.
    const nothing = rig.refresh.refresh({ source_id: 'config', force: false })
    await expect(nothing).rejects.toMatchObject({ code: 'shutting_down' })
    expect(source.calls).toHaveLength(0)
  })

  it('aborts what runs, starts nothing that waits, and joins all of it (CAT-092)', async () => {
    const sources = someIds(40, 'p').map((id) => liveExample(id, hangs))
    const rig = makeRig(sources)
    const run = rig.refresh.refresh({ force: true })
    const refused = expect(run).rejects.toMatchObject({ code: 'shutting_down' })
    await Promise.all(sources.slice(0, 32).map((source) => source.called(1)))
    const before = JSON.stringify(rig.store.load())
    await rig.refresh.close()
    await refused
    expect(sources.flatMap((source) => source.calls).filter((call) => !call.signal.aborted)).toEqual([])
    expect(sources.slice(32).flatMap((source) => source.calls)).toEqual([])
    expect(JSON.stringify(rig.store.load())).toBe(before)
    expect(rig.eventsOf('catalog.refresh.started')).toHaveLength(40)
    expect(rig.eventsOf('catalog.refresh.failed')).toHaveLength(40)
  })

  it('leaves rows fresh and their source due: an interrupted run proves nothing (CAT-092)', async () => {
    const source = acme()
    const rig = makeRig([source])
    await rig.refresh.refresh({ force: true })
    source.does(hangs)
    const run = rig.refresh.refresh({ force: true })
    const refused = expect(run).rejects.toMatchObject({ code: 'shutting_down' })
    await source.called(2)
    await rig.refresh.close()
    await refused
    expect(rig.status('provider_live:acme')).toMatchObject({
      refresh_state: 'succeeded',
      stale: false,
      last_error: null,
    })
    expect(makeRig([source], { store: rig.store }).models()[0]?.stale).toBe(false)
  })

  it('ends although a source ignores its signal, and lets nothing be written later (CAT-092)', async () => {
    const { behaviour, open } = gate({ acme: ['late'] })
    const deaf = liveExample('acme', behaviour)
    const rig = makeRig([deaf])
    const run = rig.refresh.refresh({ force: true })
    const refused = expect(run).rejects.toMatchObject({ code: 'shutting_down' })
    await deaf.called(1)
    await rig.refresh.close()
    await refused
    rig.persistence.close()
    open()
    await rig.catalog.settled()
    expect(rig.persistence.problem).toBeNull()
    expect(rig.ids()).toEqual([])
  })

  it('waits for rows that are being published', async () => {
    const rig = makeRig([acme()])
    const run = rig.refresh.refresh({ force: true })
    const settled = run.then(
      () => 'answered',
      () => 'refused',
    )
    await rig.refresh.close()
    expect(['answered', 'refused']).toContain(await settled)
    rig.persistence.close()
    await rig.catalog.settled()
    expect(rig.persistence.problem).toBeNull()
  })
})
