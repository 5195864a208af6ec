/** Who runs when: scopes, what is due, ids, failures. */
import { SignalboxError } from '@signalbox/contract/errors'
import { describe, expect, it } from 'vitest'
import { answers, exampleSource, extensionExample, fails, liveExample, provider } from '../sources/source.examples.ts'
import { MINUTE, makeRig } from './testing/rig.ts'

const down = fails(new SignalboxError('source_failed', 'down'))

const acme = () => liveExample('acme', answers({ acme: ['a'] }))
const zeta = () => liveExample('zeta', answers({ zeta: ['z'] }))
const catalog = () => exampleSource('models_dev', answers({ acme: ['a'], zeta: ['z'] }))

describe('the scope of a refresh', () => {
  it('is every source of every provider when none is named (CAT-041, CAT-066)', async () => {
    const sources = [
      zeta(),
      catalog(),
      acme(),
      exampleSource('config', answers({}), { ttlMs: null, network: false, mayBeEmpty: true }),
    ]
    const rig = makeRig(sources)
    const { sources: statuses, outcome } = await rig.refresh.refresh({ force: true })
    expect(statuses.map((status) => [status.provider_id, status.source_id])).toEqual([
      [null, 'config'],
      ['acme', 'models_dev'],
      ['acme', 'provider_live:acme'],
      ['zeta', 'models_dev'],
      ['zeta', 'provider_live:zeta'],
    ])
    expect(outcome).toBe('succeeded')
    expect(statuses).toEqual(rig.statuses())
  })

  it('is the sources that can state its models when a provider is named (CAT-042, CAT-075)', async () => {
    const [mine, other, shared] = [acme(), zeta(), catalog()]
    const both = extensionExample('both', ['acme', 'zeta'], ({ provider_id }) =>
      Promise.resolve({
        kind: 'rows',
        lists: [{ provider_id: provider_id ?? provider('x'), rows: [] }],
        rejected: [],
        validators: {},
      }),
    )
    const rig = makeRig([mine, other, shared, both])
    const { sources } = await rig.refresh.refresh({ provider_id: provider('acme'), force: true })
    expect(other.calls).toHaveLength(0)
    expect([mine, shared].map((source) => source.calls.length)).toEqual([1, 1])
    expect(both.calls.map((call) => call.provider_id)).toEqual(['acme'])
    expect(sources.map((status) => [status.provider_id, status.source_id])).toEqual([
      ['acme', 'extension:both'],
      ['acme', 'models_dev'],
      ['acme', 'provider_live:acme'],
    ])
  })

  it('is one source when it is named (CAT-078)', async () => {
    const [mine, other, shared] = [acme(), zeta(), catalog()]
    const rig = makeRig([mine, other, shared])
    const { sources } = await rig.refresh.refresh({ source_id: 'models_dev', force: true })
    expect([mine, other, shared].map((source) => source.calls.length)).toEqual([0, 0, 1])
    expect(sources.map((status) => status.source_id)).toEqual(['models_dev', 'models_dev'])
  })

  it('shows an enriched provider the catalogs of the one it is enriched from (CAT-042, CAT-044)', async () => {
    const shared = exampleSource('models_dev', answers({ openai: ['gpt-5'], zeta: ['z'] }))
    const live = liveExample('openai', answers({ openai: ['gpt-5'] }))
    const rig = makeRig([shared, live, liveExample('codex', answers({ codex: ['gpt-5'] }))])
    await rig.refresh.refresh({ force: true })
    const { sources } = await rig.refresh.refresh({ provider_id: provider('codex'), force: true })
    expect(sources.map((status) => [status.provider_id, status.source_id])).toEqual([
      ['codex', 'provider_live:codex'],
      ['openai', 'models_dev'],
    ])
    expect(rig.catalog.statuses.statuses({ provider_id: provider('codex') }, rig.clock.now())).toEqual(sources)
  })

  it('leaves a disabled source alone, forced or not, and fails nothing for it (CAT-073, CAT-080)', async () => {
    const off = exampleSource('models_dev', answers({ acme: ['a'] }), { enabled: false })
    const rig = makeRig([off])
    for (const force of [true, false]) {
      const result = await rig.refresh.refresh({ force })
      expect(result).toMatchObject({ outcome: 'none', nothingLeft: false })
      expect(result.sources).toMatchObject([
        { refresh_state: 'disabled', row_count: 0, stale: false, next_refresh: null, provider_id: null },
      ])
    }
    expect(off.calls).toHaveLength(0)
  })
})

describe('what is due', () => {
  it('is nothing within the TTL, and everything when forced (CAT-047, CAT-079, CAT-080)', async () => {
    const source = catalog()
    const rig = makeRig([source])
    await rig.refresh.refresh({ force: false })
    rig.clock.advance(59 * MINUTE)
    const second = await rig.refresh.refresh({ force: false })
    expect(source.calls).toHaveLength(1)
    expect(second).toMatchObject({ outcome: 'none', sources: rig.statuses() })
    await rig.refresh.refresh({ force: true })
    expect(source.calls).toHaveLength(2)
    rig.clock.advance(60 * MINUTE)
    await rig.refresh.refresh({ force: false })
    expect(source.calls).toHaveLength(3)
  })

  it('is nothing within the back-off unless forced (CAT-079, CAT-186)', async () => {
    const source = exampleSource('models_dev', down)
    const rig = makeRig([source])
    await rig.refresh.refresh({ force: false })
    rig.clock.advance(MINUTE - 1)
    const result = await rig.refresh.refresh({ force: false })
    expect(source.calls).toHaveLength(1)
    expect(result.sources).toMatchObject([{ refresh_state: 'failed', last_error: 'down' }])
    await rig.refresh.refresh({ force: true })
    expect(source.calls).toHaveLength(2)
    rig.clock.advance(2 * MINUTE)
    await rig.refresh.refresh({ force: false })
    expect(source.calls).toHaveLength(3)
  })

  it.each([
    ['within its TTL', answers({ acme: ['a'] })],
    ['within its back-off', down],
  ])('is a source that was pointed elsewhere %s, once, across a restart (CAT-079)', async (_, first) => {
    const rig = makeRig([exampleSource('models_dev', first, { identity: 'https://one.test/' })])
    await rig.refresh.refresh({ force: false })
    const elsewhere = exampleSource('models_dev', down, { identity: 'https://two.test/' })
    const again = makeRig([elsewhere], { store: rig.store, clock: rig.clock })
    await again.refresh.refresh({ force: false })
    await again.refresh.refresh({ force: false })
    expect(elsewhere.calls).toHaveLength(1)
  })

  it('is a source whose clock jumped back (CAT-079)', async () => {
    const source = catalog()
    const rig = makeRig([source])
    await rig.refresh.refresh({ force: false })
    rig.clock.advance(-1_000_000 * MINUTE)
    await rig.refresh.refresh({ force: false })
    expect(source.calls).toHaveLength(2)
  })
})

describe('the request id', () => {
  it('is the caller’s in the answer and in every event of the run (CAT-081, CAT-132)', async () => {
    const failing = liveExample('zeta', down)
    const rig = makeRig([acme(), failing])
    const { refresh_request_id } = await rig.refresh.refresh({ force: true, request_id: 'my.id:1' })
    expect(refresh_request_id).toBe('my.id:1')
    const ofRun = rig.events.filter(
      (record) => record.event.startsWith('catalog.refresh') || record.event.startsWith('catalog.source'),
    )
    expect(ofRun.length).toBeGreaterThanOrEqual(5)
    for (const record of ofRun) expect(record).toMatchObject({ refresh_request_id: 'my.id:1' })
  })

  it('is generated and unique when the caller has none (CAT-081)', async () => {
    const rig = makeRig([acme()])
    const ids = [await rig.refresh.refresh({ force: true }), await rig.refresh.refresh({ force: true })].map(
      (result) => result.refresh_request_id,
    )
    for (const id of ids) expect(id).toMatch(/^rfsh-./)
    expect(new Set(ids).size).toBe(2)
  })
})

describe('failures in a refresh', () => {
  it('leave the other sources published as usual (CAT-088, CAT-089)', async () => {
    const rig = makeRig([liveExample('zeta', down), acme(), catalog()])
    const result = await rig.refresh.refresh({ force: true })
    expect(result).toMatchObject({ outcome: 'succeeded', nothingLeft: false })
    expect(rig.ids()).toEqual(['acme/a', 'zeta/z'])
    expect(rig.status('provider_live:zeta').refresh_state).toBe('failed')
    expect(rig.eventsOf('catalog.refresh.all_failed')).toEqual([])
  })

  it('leave nothing when all failed and none holds a row (CAT-090, CAT-129)', async () => {
    const rig = makeRig([liveExample('zeta', down), liveExample('acme', down)])
    const result = await rig.refresh.refresh({ force: true })
    expect(result).toMatchObject({ outcome: 'failed', nothingLeft: true })
    expect(result.sources).toHaveLength(2)
    expect(rig.eventsOf('catalog.refresh.all_failed')).toMatchObject([
      { failed: 2, refresh_request_id: result.refresh_request_id },
    ])
  })

  it('leave something when one that failed keeps rows (CAT-089)', async () => {
    const kept = acme()
    const rig = makeRig([kept, liveExample('zeta', down)])
    await rig.refresh.refresh({ force: true })
    kept.does(down)
    const result = await rig.refresh.refresh({ force: true })
    expect(result).toMatchObject({ outcome: 'failed', nothingLeft: false })
  })

  it('count rows of other providers that the source keeps (CAT-089)', async () => {
    const source = catalog()
    const rig = makeRig([source])
    await rig.refresh.refresh({ force: true })
    source.does(down)
    const result = await rig.refresh.refresh({ provider_id: provider('unlisted'), force: true })
    expect(result).toMatchObject({ outcome: 'failed', nothingLeft: false, sources: [] })
  })

  it('do not count rows of a source that was not tried (CAT-090)', async () => {
    const resting = acme()
    const rig = makeRig([resting, extensionExample('x', ['acme'], down)])
    await rig.refresh.refresh({ force: true, source_id: resting.id })
    const result = await rig.refresh.refresh({ force: false, provider_id: provider('acme') })
    expect(resting.calls).toHaveLength(1)
    expect(result).toMatchObject({ outcome: 'failed', nothingLeft: true })
  })
})
