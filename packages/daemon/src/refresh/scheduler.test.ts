import { SignalboxError } from '@signalbox/contract/errors'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { answers, exampleSource, extensionExample, fails, hangs, liveExample } from '../sources/source.examples.ts'
import type { Source } from '../sources/source.ts'
import type { RefreshScope } from './refresh-service.ts'
import { Scheduler } from './scheduler.ts'
import { HOUR, MINUTE, makeRig, SECOND } from './testing/rig.ts'

// Only timers: the clock is the rig's, and the catalog's own turns must be real ones.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

/** Small steps, so that what a timer starts happens before the next one. */
const STEP = 10 * SECOND

function scheduled(sources: readonly Source[], chance = 0) {
  const rig = makeRig(sources)
  rig.clock.chance = chance
  const asked: RefreshScope[] = []
  const refresh = (scope: RefreshScope) => {
    asked.push(scope)
    return rig.refresh.refresh(scope)
  }
  const scheduler = new Scheduler(rig.catalog, { refresh }, rig.clock)
  const settle = async () => {
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve))
  }
  const pass = async (ms: number) => {
    for (let left = ms; left > 0; left -= STEP) {
      const step = Math.min(left, STEP)
      rig.clock.advance(step)
      vi.advanceTimersByTime(step)
      await settle()
    }
  }
  return { rig, scheduler, pass, asked }
}

const catalog = (traits: Partial<Source> = {}) =>
  exampleSource('models_dev', answers({ acme: ['a'] }), { ttlMs: 24 * HOUR, ...traits })

describe('the scheduler', () => {
  it('asks a source that was never asked soon after the start, and then at its TTL (CAT-185)', async () => {
    const source = catalog()
    const { scheduler, pass } = scheduled([source])
    scheduler.plan()
    await pass(STEP)
    expect(source.calls).toHaveLength(1)
    await pass(24 * HOUR - MINUTE)
    expect(source.calls).toHaveLength(1)
    await pass(2 * MINUTE)
    expect(source.calls).toHaveLength(2)
    await scheduler.stop()
  })

  it('asks up to a tenth of the TTL earlier, by chance (CAT-185)', async () => {
    const source = catalog()
    const { scheduler, pass } = scheduled([source], 0.5)
    scheduler.plan()
    await pass(STEP)
    await pass(22.8 * HOUR - MINUTE)
    expect(source.calls).toHaveLength(1)
    await pass(2 * MINUTE)
    expect(source.calls).toHaveLength(2)
    await scheduler.stop()
  })

  it('keeps a TTL that is shorter than it looks at the clock anyway (CAT-185)', async () => {
    const source = catalog({ ttlMs: 2 * STEP })
    const { scheduler, pass } = scheduled([source])
    scheduler.plan()
    await pass(MINUTE + STEP)
    expect(source.calls).toHaveLength(4)
    await scheduler.stop()
  })

  it('tries a source that fails again after its pause, not before (CAT-185, CAT-186)', async () => {
    const source = catalog()
    source.does(fails(new SignalboxError('source_failed', 'down')))
    const { scheduler, pass } = scheduled([source])
    scheduler.plan()
    await pass(STEP)
    await pass(MINUTE - STEP)
    expect(source.calls).toHaveLength(1)
    await pass(STEP + STEP)
    expect(source.calls).toHaveLength(2)
    await scheduler.stop()
  })

  it('asks each provider of a source, and every network source, by itself (CAT-185)', async () => {
    const extension = extensionExample('x', ['acme', 'zeta'], hangs, { timeoutMs: HOUR })
    const live = liveExample('beta', answers({ beta: ['b'] }))
    const { rig, scheduler, pass } = scheduled([extension, live])
    scheduler.plan()
    await pass(STEP)
    expect(extension.calls.map((call) => call.provider_id)).toEqual(['acme', 'zeta'])
    await pass(HOUR)
    // Those that hang are asked once and delay no other.
    expect(live.calls).toHaveLength(2)
    expect(extension.calls).toHaveLength(2)
    const stopped = scheduler.stop()
    await rig.refresh.close()
    await stopped
  })

  it('leaves disabled sources and files alone (CAT-073, CAT-185)', async () => {
    const off = catalog({ enabled: false })
    const file = exampleSource('config', answers({}), { ttlMs: null, network: false, mayBeEmpty: true })
    const { scheduler, pass, asked } = scheduled([off, file])
    scheduler.plan()
    await pass(HOUR)
    expect(asked).toEqual([])
    await scheduler.stop()
  })

  it('takes up sources that changed, those pointed elsewhere at once (CAT-185)', async () => {
    const source = catalog()
    const { rig, scheduler, pass } = scheduled([source])
    scheduler.plan()
    await pass(STEP)
    const elsewhere = catalog({ identity: 'https://other.test/' })
    await rig.catalog.setSources([elsewhere])
    scheduler.plan()
    await pass(STEP)
    expect(elsewhere.calls).toHaveLength(1)
    await pass(HOUR)
    expect(elsewhere.calls).toHaveLength(1)
    await scheduler.stop()
  })

  it('asks nobody once it is stopped (CAT-185)', async () => {
    const source = catalog()
    const { scheduler, pass } = scheduled([source])
    scheduler.plan()
    await scheduler.stop()
    scheduler.plan()
    await pass(48 * HOUR)
    expect(source.calls).toEqual([])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('notices after a sleep that a source is overdue (CAT-185)', async () => {
    const source = catalog()
    const { rig, scheduler, pass } = scheduled([source])
    scheduler.plan()
    await pass(STEP)
    rig.clock.advance(100 * HOUR) // the machine slept: the clock went on, the timers did not
    await pass(MINUTE + STEP)
    expect(source.calls).toHaveLength(2)
    await scheduler.stop()
  })
})
