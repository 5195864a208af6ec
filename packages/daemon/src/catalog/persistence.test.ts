import { describe, expect, it } from 'vitest'
import { MemoryStore } from '../store/memory/memory-store.ts'
import { list, provider, published, source, status } from '../store/store.samples.ts'
import type { StoreChange } from '../store/store.ts'
import { createTelemetry } from '../telemetry/event-bus.ts'
import { createSecrets } from '../telemetry/redact.ts'
import { Persistence } from './persistence.ts'

/** A disk that is full when it is told to be. */
class FullableStore extends MemoryStore {
  full = false

  override commit(change: StoreChange): void {
    if (this.full) throw new Error('the disk is full; rows are not persisted')
    super.commit(change)
  }
}

function open(problem: string | null = null) {
  const store = new FullableStore()
  const telemetry = createTelemetry({ log: { append() {} }, level: 'debug', now: () => 0, secrets: createSecrets() })
  const events: string[] = []
  telemetry.subscribe((record) => events.push(record.event))
  return { store, events, persistence: new Persistence(store, telemetry, problem) }
}
const nothing = () => ({})

describe('persistence', () => {
  it('says why rows are not kept, once, and goes on (CAT-157)', () => {
    const { store, events, persistence } = open()
    store.full = true
    persistence.commit({ lists: [list('models_dev', 'acme')] }, nothing)
    persistence.commit({ lists: [list('models_dev', 'acme')] }, nothing)
    expect(persistence.problem).toMatch(/full/)
    expect(events).toEqual(['store.degraded'])
  })

  it('writes everything that was missed with the first commit that works (CAT-157)', () => {
    const { store, events, persistence } = open()
    store.full = true
    persistence.commit({ lists: [list('models_dev', 'acme')] }, nothing)
    store.full = false
    const everything = {
      lists: [list('models_dev', 'acme'), list('models_dev', 'zeta')],
      statuses: [status('models_dev', 'acme')],
    }
    persistence.commit({ lists: [list('models_dev', 'zeta')] }, () => everything)
    expect(persistence.problem).toBeNull()
    expect(store.load().lists.map((stored) => stored.provider_id)).toEqual(['acme', 'zeta'])
    expect(events).toEqual(['store.degraded', 'store.recovered'])
  })

  it('also removes what should have been removed meanwhile (CAT-157)', () => {
    const { store, persistence } = open()
    persistence.commit(
      {
        lists: [list('models_dev', 'acme'), list('models_dev', 'gone'), list('extension:x', 'back')],
        statuses: [status('models_dev', 'acme'), status('models_dev', 'gone')],
        published: [published('gone', '{}'), published('acme', '{}')],
      },
      nothing,
    )
    store.full = true
    const gone = { source_id: source('models_dev'), provider_id: provider('gone') }
    const back = { source_id: source('extension:x'), provider_id: provider('back') }
    persistence.commit(
      { removeLists: [gone], removeStatusesOf: [source('models_dev')], removePublished: [provider('gone')] },
      nothing,
    )
    persistence.commit({ removeLists: [back] }, nothing)
    store.full = false
    const everything = {
      lists: [list('models_dev', 'acme'), list('extension:x', 'back')],
      statuses: [status('models_dev', 'acme')],
    }
    persistence.commit({}, () => everything)
    const stored = store.load()
    expect(stored.lists.map((one) => one.provider_id)).toEqual(['back', 'acme'])
    expect(stored.statuses.map((one) => one.provider_id)).toEqual(['acme'])
    expect(stored.published.map((one) => one.provider_id)).toEqual(['acme'])
  })

  it('starts degraded when the store says so, and recovers like any other time (CAT-157)', () => {
    const { store, events, persistence } = open('the disk is read-only; rows are not persisted')
    expect(persistence.problem).toMatch(/read-only/)
    persistence.commit({}, () => ({ lists: [list('models_dev', 'acme')] }))
    expect(store.load().lists).toHaveLength(1)
    expect(persistence.problem).toBeNull()
    expect(events).toEqual(['store.degraded', 'store.recovered'])
  })
})
