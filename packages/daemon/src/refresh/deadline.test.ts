import { SignalboxError } from '@signalbox/contract/errors'
import { describe, expect, it } from 'vitest'
import { withDeadline } from './deadline.ts'

const never = () => new Promise<never>(() => {})
const LONG = 60_000

describe('work under a deadline', () => {
  it('gives its result', async () => {
    expect(await withDeadline(LONG, new AbortController().signal, async () => 'done')).toBe('done')
  })

  it('gives its own error', async () => {
    const work = () => Promise.reject(new RangeError('mine'))
    await expect(withDeadline(LONG, new AbortController().signal, work)).rejects.toThrow(new RangeError('mine'))
  })

  it('ends at the deadline although it ignores its signal (CAT-153)', async () => {
    const ended = withDeadline(5, new AbortController().signal, never)
    await expect(ended).rejects.toMatchObject({ code: 'source_failed', message: 'no complete answer within 0.005 s' })
  })

  it('is told the deadline in our words, whatever it says itself (CAT-153)', async () => {
    const ended = withDeadline(
      5,
      new AbortController().signal,
      (signal) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('its own words')))),
    )
    await expect(ended).rejects.toMatchObject({ message: 'no complete answer within 0.005 s' })
  })

  it('ends at shutdown, for the reason of the shutdown (CAT-092)', async () => {
    const shutdown = new AbortController()
    const ended = withDeadline(LONG, shutdown.signal, never)
    shutdown.abort(new SignalboxError('shutting_down', 'bye'))
    await expect(ended).rejects.toMatchObject({ code: 'shutting_down' })
  })

  it('is not started after shutdown (CAT-092)', async () => {
    let started = false
    const work = async () => {
      started = true
    }
    await expect(withDeadline(LONG, AbortSignal.abort(new Error('bye')), work)).rejects.toThrow('bye')
    expect(started).toBe(false)
  })

  it('leaves nothing on the shutdown signal, also when it throws synchronously', async () => {
    const shutdown = new AbortController()
    let listeners = 0
    const { addEventListener, removeEventListener } = shutdown.signal
    shutdown.signal.addEventListener = function (...args: Parameters<typeof addEventListener>) {
      listeners += 1
      return addEventListener.apply(this, args)
    }
    shutdown.signal.removeEventListener = function (...args: Parameters<typeof removeEventListener>) {
      listeners -= 1
      return removeEventListener.apply(this, args)
    }
    await withDeadline(LONG, shutdown.signal, async () => {})
    const thrown = withDeadline(LONG, shutdown.signal, () => {
      throw new TypeError('sync')
    })
    await expect(thrown).rejects.toThrow('sync')
    expect(listeners).toBe(0)
    shutdown.abort() // an unhandled rejection would fail the run
  })
})
