/** Answers that are compared with the last good one: fewer rows, none, or the news that nothing changed. */
import { SignalboxError } from '@signalbox/contract/errors'
import { describe, expect, it } from 'vitest'
import { answers, exampleSource, fails, liveExample, statedRow } from '../sources/source.examples.ts'
import { list } from '../store/store.samples.ts'
import { HOUR, makeRig, START, someIds } from './testing/rig.ts'

const FORCED = { force: true }
const failure = (message = 'models.dev answered HTTP 503') => fails(new SignalboxError('source_failed', message))
const time = (ms: number) => new Date(ms).toISOString().replace('.000', '')

describe('an answer worse than the last good one', () => {
  const THIRTY = someIds(30)
  const shrunkenRig = async () => {
    const source = exampleSource('models_dev', answers({ acme: THIRTY }))
    const rig = makeRig([source])
    await rig.refresh.refresh(FORCED)
    return { source, rig, outcome: () => rig.status('models_dev').refresh_state }
  }

  it('fails with both counts when it has fewer than half of the rows, forced or not (CAT-181)', async () => {
    const { source, rig } = await shrunkenRig()
    source.does(answers({ acme: THIRTY.slice(0, 14) }))
    await rig.refresh.refresh(FORCED)
    const { last_error, row_count } = rig.status('models_dev')
    expect(last_error).toMatch(/\b14\b.*\b30\b/)
    expect(row_count).toBe(30)
    rig.clock.advance(2 * HOUR)
    await rig.refresh.refresh({ force: false })
    expect(source.calls).toHaveLength(3)
    expect(rig.status('models_dev').refresh_state).toBe('failed')
  })

  it('is taken with half of the rows (CAT-181)', async () => {
    const { source, rig, outcome } = await shrunkenRig()
    source.does(answers({ acme: THIRTY.slice(0, 15) }))
    await rig.refresh.refresh(FORCED)
    expect(outcome()).toBe('succeeded')
  })

  it('is believed once three refreshes over an hour returned the same set, across a restart (CAT-181)', async () => {
    const { source, rig, outcome } = await shrunkenRig()
    source.does(answers({ acme: ['m1', 'm2'] }))
    await rig.refresh.refresh(FORCED)
    rig.clock.advance(HOUR - 1)
    await rig.refresh.refresh(FORCED)
    await rig.refresh.refresh(FORCED)
    expect(outcome()).toBe('failed')
    const again = makeRig([source], { store: rig.store, clock: rig.clock })
    again.clock.advance(1)
    await again.refresh.refresh(FORCED)
    expect(again.status('models_dev')).toMatchObject({ refresh_state: 'succeeded', row_count: 2 })
    expect(again.ids()).toEqual(['acme/m1', 'acme/m2'])
  })

  it('is counted from one when the set is another (CAT-181)', async () => {
    const { source, rig, outcome } = await shrunkenRig()
    for (const ids of [['m1'], ['m2'], ['m1'], ['m2']]) {
      source.does(answers({ acme: ids }))
      await rig.refresh.refresh(FORCED)
      rig.clock.advance(HOUR)
    }
    expect(outcome()).toBe('failed')
  })

  it('is compared only with answers from the same endpoint and credential (CAT-181)', async () => {
    const { rig } = await shrunkenRig()
    const elsewhere = exampleSource('models_dev', answers({ acme: ['m1'] }), { identity: 'https://other.test/' })
    await rig.catalog.setSources([elsewhere])
    await rig.refresh.refresh(FORCED)
    expect(rig.status('models_dev')).toMatchObject({ refresh_state: 'succeeded', row_count: 1 })
  })

  it('fails when it is empty, and is fine where there was nothing (CAT-182)', async () => {
    const source = liveExample('acme', answers({ acme: [] }))
    const rig = makeRig([source])
    await rig.refresh.refresh(FORCED)
    expect(rig.status('provider_live:acme')).toMatchObject({ refresh_state: 'succeeded', row_count: 0, stale: false })
    source.does(answers({ acme: ['a'] }))
    await rig.refresh.refresh(FORCED)
    source.does(answers({ acme: [] }))
    await rig.refresh.refresh(FORCED)
    expect(rig.status('provider_live:acme')).toMatchObject({ refresh_state: 'failed', row_count: 1, stale: true })
    expect(rig.status('provider_live:acme').last_error).toMatch(/empty/)
  })

  it('may be empty from a server that can truly hold nothing (CAT-182)', async () => {
    const source = liveExample('ollama', answers({ ollama: ['a'] }), { mayBeEmpty: true })
    const rig = makeRig([source])
    await rig.refresh.refresh(FORCED)
    source.does(answers({ ollama: [] }))
    await rig.refresh.refresh(FORCED)
    expect(rig.status('provider_live:ollama')).toMatchObject({ refresh_state: 'succeeded', row_count: 0 })
    expect(rig.ids()).toEqual([])
  })

  it('has nothing to be worse than when the source was disabled in between (CAT-073, CAT-181)', async () => {
    const { source, rig } = await shrunkenRig()
    await rig.catalog.setSources([{ ...source, enabled: false }])
    await rig.catalog.setSources([source])
    source.does(answers({ acme: ['m1'] }))
    await rig.refresh.refresh(FORCED)
    expect(rig.status('models_dev')).toMatchObject({ refresh_state: 'succeeded', row_count: 1 })
  })
})

describe('an answer that nothing changed', () => {
  const conditional = (stated: Record<string, string[]>) =>
    exampleSource('models_dev', (call) =>
      call.validators.etag === 'v1'
        ? Promise.resolve({ kind: 'unchanged' })
        : answers(stated, { validators: { etag: 'v1' } })(call),
    )

  it('renews the TTL and keeps the rows (CAT-176)', async () => {
    const source = conditional({ acme: ['a'] })
    const rig = makeRig([source])
    await rig.refresh.refresh(FORCED)
    rig.clock.advance(HOUR)
    expect(rig.models()[0]?.stale).toBe(true)
    await rig.refresh.refresh({ force: false })
    expect(source.calls[1]?.validators).toEqual({ etag: 'v1' })
    expect(rig.status('models_dev')).toMatchObject({ refresh_state: 'succeeded', row_count: 1, stale: false })
    expect(rig.status('models_dev').next_refresh).toBe(time(START + 2 * HOUR))
    expect(rig.models()).toMatchObject([{ stale: false, refreshed_at: time(START + HOUR) }])
  })

  it('is asked for with the validators of the last good answer after a failure and a restart (CAT-176)', async () => {
    const source = conditional({ acme: ['a'] })
    const rig = makeRig([source])
    await rig.refresh.refresh(FORCED)
    const down = exampleSource('models_dev', failure(), { identity: source.identity })
    await rig.catalog.setSources([down])
    await rig.refresh.refresh(FORCED)
    const again = makeRig([source], { store: rig.store })
    await again.refresh.refresh(FORCED)
    expect(source.calls.at(-1)?.validators).toEqual({ etag: 'v1' })
    expect(again.status('models_dev')).toMatchObject({ refresh_state: 'succeeded', stale: false })
  })

  it('is not asked for elsewhere, nor for rows that are gone (CAT-176)', async () => {
    const source = conditional({ acme: ['a'] })
    const rig = makeRig([source])
    await rig.refresh.refresh(FORCED)
    const elsewhere = { ...conditional({ acme: ['b'] }), identity: 'https://other.test/' }
    await rig.catalog.setSources([elsewhere])
    await rig.refresh.refresh(FORCED)
    expect(elsewhere.calls[0]?.validators).toEqual({})
    await rig.catalog.setSources([{ ...elsewhere, enabled: false }])
    await rig.catalog.setSources([elsewhere])
    await rig.refresh.refresh(FORCED)
    expect(elsewhere.calls[1]?.validators).toEqual({})
    expect(rig.ids()).toEqual(['acme/b'])
  })

  it('is a failure from a source that was not asked whether (CAT-176)', async () => {
    const rig = makeRig([exampleSource('models_dev', () => Promise.resolve({ kind: 'unchanged' }))])
    await rig.refresh.refresh(FORCED)
    expect(rig.status('models_dev')).toMatchObject({ refresh_state: 'failed', provider_id: null })
  })

  it('leaves built-in rows and their date as they are (CAT-174)', async () => {
    const builtin = exampleSource('builtin', () => Promise.resolve({ kind: 'unchanged' }), {
      ttlMs: null,
      network: false,
    })
    const date = START - 1_000 * HOUR
    const staticLists = [list('builtin', 'acme', [statedRow('a')], { refreshed_at: date, fresh_until: null })]
    const rig = makeRig([builtin], { staticLists })
    const before = rig.catalog.snapshot()
    await rig.refresh.refresh(FORCED)
    expect(rig.catalog.snapshot()).toBe(before)
    expect(rig.models()[0]?.refreshed_at).toBe(time(date))
    expect(rig.status('builtin')).toMatchObject({ refresh_state: 'succeeded', row_count: 1, next_refresh: null })
  })
})
