import type { EventName, EventRecord, Level } from '@signalbox/contract/events'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createTelemetry } from './event-bus.ts'
import { createSecrets } from './redact.ts'

function setUp(level: Level = 'debug') {
  const lines: string[] = []
  const secrets = createSecrets()
  const now = () => Date.UTC(2026, 0, 2, 3, 4, 5, 678)
  const telemetry = createTelemetry({ log: { append: (line) => lines.push(line) }, level, now, secrets })
  return { lines, secrets, telemetry }
}

describe('an emitted event', () => {
  it('is one JSON record with time, level and event first, in the log and for every listener (CAT-133)', () => {
    const { lines, telemetry } = setUp()
    const heard: [EventRecord, string][] = []
    telemetry.subscribe((record, line) => heard.push([record, line]))
    telemetry.emit('config.loaded', { file: 'config.toml' })
    const line = '{"time":"2026-01-02T03:04:05.678Z","level":"info","event":"config.loaded","file":"config.toml"}'
    expect(lines).toEqual([line])
    expect(heard).toEqual([[JSON.parse(line), line]])
  })

  it('carries its correlation keys (CAT-132)', () => {
    const { lines, telemetry } = setUp()
    const keys = {
      refresh_request_id: 'rfsh-1',
      provider_id: null,
      source_id: 'models_dev',
      source_kind: 'models_dev',
    } as const
    telemetry.emit('catalog.refresh.started', keys)
    expect(JSON.parse(lines[0] ?? '')).toMatchObject(keys)
  })

  it('is logged from the level upwards, while listeners get everything', () => {
    const { lines, telemetry } = setUp('warn')
    const heard: EventName[] = []
    telemetry.subscribe(({ event }) => heard.push(event))
    telemetry.emit('config.loaded', { file: 'a' })
    telemetry.emit('daemon.fault', { error: 'b' })
    expect(lines.map((line) => JSON.parse(line).event)).toEqual(['daemon.fault'])
    telemetry.setLevel('info')
    telemetry.emit('config.loaded', { file: 'c' })
    expect(lines.map((line) => JSON.parse(line).event)).toEqual(['daemon.fault', 'config.loaded'])
    expect(heard).toEqual(['config.loaded', 'daemon.fault', 'config.loaded'])
  })

  it('holds no secret, neither in the line nor in the record that listeners get (CAT-076)', () => {
    const { lines, secrets, telemetry } = setUp()
    secrets.add('canary-"quoted"-1')
    const heard: EventRecord[] = []
    telemetry.subscribe((record) => heard.push(record))
    telemetry.emit('daemon.fault', { error: 'upstream said canary-"quoted"-1 and Bearer abc123' })
    const shown = 'upstream said [redacted] and Bearer [redacted]'
    expect(JSON.parse(lines[0] ?? '').error).toBe(shown)
    expect(heard).toMatchObject([{ error: shown }])
  })

  it('stays JSON when a secret takes quotes or numbers along', () => {
    const { lines, secrets, telemetry } = setUp()
    secrets.add('canary-end\\')
    secrets.add('123456789')
    telemetry.emit('daemon.fault', { error: 'canary-end\\"quoted' })
    telemetry.emit('catalog.refresh.all_failed', { refresh_request_id: 'rfsh-1', failed: 123456789 })
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { error: '[redacted]"quoted' },
      { failed: '[redacted]' },
    ])
  })

  it('stays JSON with all its fields, whatever half-written secrets its texts hold', () => {
    const scraps = [
      'password=',
      '"token":"',
      "api_key: '",
      'Bearer ',
      '://',
      '@',
      '\\',
      '"',
      "'",
      'x',
      ' ',
      '\n',
      'cookie: ',
      '?key=',
      ',',
      '{',
    ]
    const text = fc.array(fc.constantFrom(...scraps), { maxLength: 30 }).map((parts) => parts.join(''))
    fc.assert(
      fc.property(text, fc.array(text), (file, problems) => {
        const { lines, telemetry } = setUp()
        telemetry.emit('config.rejected', { file, problems })
        const record = JSON.parse(lines[0] ?? '')
        expect(Object.keys(record)).toEqual(['time', 'level', 'event', 'file', 'problems'])
        expect(record.problems).toHaveLength(problems.length)
      }),
      { numRuns: 1000 },
    )
  })
})

describe('a listener', () => {
  it('that throws is removed and reported, and the others are unaffected', () => {
    const { lines, telemetry } = setUp()
    const heard: EventName[] = []
    let calls = 0
    telemetry.subscribe(() => {
      calls += 1
      throw new TypeError('socket gone')
    })
    telemetry.subscribe(({ event }) => heard.push(event))
    telemetry.emit('daemon.stopped', {})
    telemetry.emit('store.recovered', {})
    expect(calls).toBe(1)
    expect(heard).toEqual(['daemon.stopped', 'daemon.fault', 'store.recovered'])
    expect(JSON.parse(lines[1] ?? '').error).toBe(
      'An event listener failed at daemon.stopped and was removed: TypeError: socket gone',
    )
  })

  it('that fails at the report of another is removed too, without end', () => {
    const { lines, telemetry } = setUp()
    for (let i = 0; i < 3; i += 1) {
      telemetry.subscribe(({ event }) => {
        if (event === 'daemon.fault' || i === 0) throw new Error(`listener ${i}`)
      })
    }
    telemetry.emit('daemon.stopped', {})
    expect(lines).toHaveLength(4)
  })

  it('hears nothing after it left, and leaving twice is harmless', () => {
    const { telemetry } = setUp()
    const heard: string[] = []
    const listen = () => heard.push('x')
    const leave = telemetry.subscribe(listen)
    telemetry.subscribe(listen)
    leave()
    leave()
    telemetry.emit('daemon.stopped', {})
    expect(heard).toEqual(['x'])
  })

  it('that emits is heard after the event that it hears, in the order of the log', () => {
    const { lines, telemetry } = setUp()
    const heard: EventName[] = []
    telemetry.subscribe(({ event }) => {
      if (event === 'daemon.stopping') telemetry.emit('daemon.stopped', {})
    })
    telemetry.subscribe(({ event }) => heard.push(event))
    telemetry.emit('daemon.stopping', { reason: 'SIGTERM' })
    expect(heard).toEqual(['daemon.stopping', 'daemon.stopped'])
    expect(lines.map((line) => JSON.parse(line).event)).toEqual(heard)
  })
})
