import { describe, expect, it } from 'vitest'
import { StatusBoard } from '../catalog/status-board.ts'
import type { Source } from '../sources/source.ts'
import { createTelemetry } from '../telemetry/event-bus.ts'
import { CredentialChanges } from './credential-changes.ts'

const correlation = { refresh_request_id: 'r', provider_id: null, source_kind: 'config' as const }
const done = (source_id: string) => ({ ...correlation, source_id, row_count: 0, duration_ms: 0 })

function rig() {
  const statuses = new StatusBoard([], () => new Map())
  const telemetry = createTelemetry({
    log: { append: () => undefined },
    level: 'error',
    now: () => 0,
    secrets: { redact: (text) => text },
  })
  const changes = new CredentialChanges({ statuses }, telemetry)
  const remade: readonly Source[] = []
  return { changes, telemetry, register: () => statuses.register([...remade]) }
}

/** Whether it has ended once everything that could end it by now has run. */
async function hasEnded(promise: Promise<unknown>): Promise<boolean> {
  const pending = Symbol('pending')
  const turn = new Promise((resolve) => setImmediate(() => resolve(pending)))
  return (await Promise.race([promise, turn])) !== pending
}

describe('a change of what is stored', () => {
  it('ends when the sources have been made anew, and not with a refresh before that', async () => {
    const { changes, telemetry, register } = rig()
    const change = changes.run(async () => true)
    expect(await hasEnded(change)).toBe(false)
    telemetry.emit('catalog.refresh.succeeded', done('config'))
    expect(await hasEnded(change)).toBe(false)
    register()
    telemetry.emit('catalog.refresh.succeeded', done('models_dev'))
    expect(await hasEnded(change)).toBe(false)
    telemetry.emit('catalog.refresh.succeeded', done('config'))
    expect(await change).toBe(true)
  })

  it('ends at once when nothing was changed, and with its own failure', async () => {
    const { changes } = rig()
    expect(await changes.run(async () => false)).toBe(false)
    await expect(changes.run(() => Promise.reject(new Error('full')))).rejects.toThrow('full')
    expect(await changes.run(async () => false)).toBe(false)
  })

  it('waits for the one before it', async () => {
    const { changes, telemetry, register } = rig()
    const order: string[] = []
    const first = changes.run(async () => order.push('first') > 0)
    const second = changes.run(async () => order.push('second') > 9)
    expect(await hasEnded(second)).toBe(false)
    expect(order).toEqual(['first'])
    register()
    telemetry.emit('catalog.refresh.succeeded', done('config'))
    await Promise.all([first, second])
    expect(order).toEqual(['first', 'second'])
  })

  it('ends when the daemon stops', async () => {
    const { changes, telemetry } = rig()
    const change = changes.run(async () => true)
    expect(await hasEnded(change)).toBe(false)
    telemetry.emit('daemon.stopping', { reason: 'test' })
    expect(await change).toBe(true)
  })
})
