import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EventFields, EventName } from '@signalbox/contract/events'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ConfigService, type ConfigServiceOptions, type ConfigState } from './config-service.ts'

let dir: string
let file: string
let notes: Map<string, string>
let events: [EventName, unknown][]
let now: number
let running: ConfigService[]

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'signalbox-config-'))
  file = join(dir, 'config.toml')
  notes = new Map()
  events = []
  now = 1_000
  running = []
})
afterEach(async () => {
  for (const service of running) await service[Symbol.asyncDispose]()
  rmSync(dir, { recursive: true, force: true })
})

const telemetry = {
  emit<E extends EventName>(event: E, fields: EventFields[E]) {
    events.push([event, fields])
  },
}

function makeService(changed: Partial<ConfigServiceOptions> = {}) {
  const kept = {
    get: (name: string) => notes.get(name) ?? null,
    set: (name: string, text: string) => void notes.set(name, text),
  }
  const service = new ConfigService({ file, telemetry, clock: { now: () => now }, notes: kept, ...changed })
  running.push(service)
  return service
}

async function started() {
  const service = makeService()
  await service.start()
  return service
}

/** Stop the running one and start another on the same notes. */
async function restarted(service: ConfigService) {
  await service[Symbol.asyncDispose]()
  events = []
  return started()
}

const write = (text: string) => writeFileSync(file, text)
const nextState = (service: ConfigService) =>
  new Promise<ConfigState>((resolve) => {
    const stop = service.subscribe((state) => {
      stop()
      resolve(state)
    })
  })

const defaultModel = (model: string) => `[providers.codex.models]\ndefault = "${model}"\n`
const BROKEN = '[daemon]\nport = "x"\nhots = 1\n'

describe('a start', () => {
  it('without a file runs on defaults', async () => {
    const service = await started()
    expect(service.current.model_catalog.sources.models_dev.enabled).toBe(true)
    expect(service.problems).toEqual([])
    expect(events).toEqual([['config.loaded', { file }]])
  })

  it('with a broken file runs on the last good configuration (CAT-189)', async () => {
    write(defaultModel('gpt-5'))
    const first = await started()
    write(BROKEN)
    now = 9_000
    const second = await restarted(first)
    expect(second.current.providers.codex?.models.default).toBe('gpt-5')
    expect(second.current.model_catalog.sources.models_dev.enabled).toBe(true)
    expect(second.problems.map(({ path }) => path)).toEqual(['daemon.port', 'daemon.hots'])
    expect(second.changedAt).toBe(1_000)
  })

  it('with a broken file and nothing kept asks nothing of the network until the file is right (CAT-189)', async () => {
    write(BROKEN)
    const service = await started()
    expect(service.current.model_catalog.sources.models_dev.enabled).toBe(false)
    expect(service.current.providers).toEqual({})
    write('')
    await service.reload()
    expect(service.current.model_catalog.sources.models_dev.enabled).toBe(true)
    expect(service.problems).toEqual([])
  })

  it.each(['not json', '{}', '{"values":{"nonsense":1},"rows":"x","changed_at":1}', 'null'])(
    'with a broken file and a spoilt note runs as if nothing was kept: %s',
    async (note) => {
      write(defaultModel('gpt-5'))
      await started()
      for (const name of notes.keys()) notes.set(name, note)
      write(BROKEN)
      const service = await started()
      expect(service.current.model_catalog.sources.models_dev.enabled).toBe(false)
    },
  )

  it('keeps no comments, where people leave keys', async () => {
    write(`# sk-canary\n${defaultModel('gpt-5')}`)
    await started()
    expect([...notes.values()].join()).toContain('gpt-5')
    expect([...notes.values()].join()).not.toContain('canary')
  })
})

describe('a saved file', () => {
  it('that is valid is in force and told without a restart (CAT-188)', { timeout: 2_000 }, async () => {
    write(defaultModel('gpt-5'))
    const service = await started()
    const next = nextState(service)
    write(defaultModel('gpt-6'))
    const state = await next
    expect(state.config.providers.codex?.models.default).toBe('gpt-6')
    expect(service.current).toBe(state.config)
    expect(events.map(([event]) => event)).toEqual(['config.loaded', 'config.loaded'])
  })

  it('that is invalid leaves the previous one in force and names file, line and column (CAT-189)', {
    timeout: 2_000,
  }, async () => {
    write(defaultModel('gpt-5'))
    const service = await started()
    const before = service.current
    const next = nextState(service)
    write(BROKEN)
    const state = await next
    expect(service.current).toBe(before)
    expect(state.config).toBe(before)
    expect(state.changedAt).toBe(1_000)
    expect(state.problems).toHaveLength(2)
    const told = {
      file,
      problems: [
        expect.stringContaining(`${file}:2:8 daemon.port`),
        expect.stringContaining(`${file}:3:1 daemon.hots`),
      ],
    }
    expect(events.at(-1)).toEqual(['config.rejected', told])
  })

  it('that is put right again has no problems, although its content was in force all the time (CAT-189)', async () => {
    write(defaultModel('gpt-5'))
    const service = await started()
    write(BROKEN)
    await service.reload()
    expect(service.problems).toHaveLength(2)
    write(defaultModel('gpt-5'))
    await service.reload()
    expect(service.problems).toEqual([])
    expect(service.changedAt).toBe(1_000)
  })

  it('with thousands of problems tells the first ones and how many more', async () => {
    write(Array.from({ length: 3_000 }, (_, i) => `key${i} = 1`).join('\n'))
    const service = await started()
    expect(service.problems).toHaveLength(3_000)
    const [, fields] = events.at(-1) ?? []
    expect(fields).toMatchObject({ problems: { length: 51, 50: `${file} has 2950 more problems` } })
  })

  it.each([
    ['empty', () => write('')],
    ['away', () => rmSync(file)],
  ])('that is %s for a moment only is not believed', async (_, save) => {
    write(defaultModel('gpt-5'))
    const service = makeService({ settle: async () => write(defaultModel('gpt-6')) })
    await service.start()
    const models: unknown[] = []
    service.subscribe(({ config }) => models.push(config.providers.codex?.models.default))
    save()
    await service.reload()
    expect(models).toEqual(['gpt-6'])
  })

  it('that stays away means defaults', async () => {
    write(defaultModel('gpt-5'))
    const service = await started()
    rmSync(file)
    expect((await service.reload()).config.providers).toEqual({})
  })
})

describe('the time of the last change', () => {
  it('moves when the rows do, and not with other keys, comments or order (CAT-174)', async () => {
    write(`${defaultModel('gpt-5')}[providers.a.models]\ndefault = "x"\n`)
    const service = await started()
    now = 2_000
    write(`# new\n[providers.a.models]\ndefault = "x"\n${defaultModel('gpt-5')}[daemon]\nport = 1\n`)
    expect((await service.reload()).config.daemon.port).toBe(1)
    expect(service.changedAt).toBe(1_000)
    write(defaultModel('gpt-5'))
    await service.reload()
    expect(service.changedAt).toBe(2_000)
  })

  it('outlives a restart (CAT-174)', async () => {
    write(defaultModel('gpt-5'))
    const first = await started()
    now = 5_000
    const second = await restarted(first)
    expect(second.changedAt).toBe(1_000)
  })

  it('is that of the start when the file changed while nothing ran (CAT-174)', async () => {
    write(defaultModel('gpt-5'))
    const first = await started()
    await first[Symbol.asyncDispose]()
    now = 5_000
    write(defaultModel('gpt-6'))
    expect((await started()).changedAt).toBe(5_000)
  })
})

describe('a reload', () => {
  it('of unchanged content tells nobody and changes nothing', async () => {
    write(defaultModel('gpt-5'))
    const service = await started()
    const before = service.state
    let told = 0
    service.subscribe(() => told++)
    expect(await service.reload()).toBe(before)
    expect(told).toBe(0)
    expect(events).toHaveLength(1)
  })

  it('asked for many times at once judges the content once', async () => {
    const service = await started()
    write(defaultModel('gpt-5'))
    const states = await Promise.all(Array.from({ length: 20 }, () => service.reload()))
    expect(new Set(states).size).toBe(1)
    expect(events).toHaveLength(2)
  })

  it('is in force although it cannot be kept', async () => {
    write(defaultModel('gpt-5'))
    const set = () => {
      throw new Error('disk full')
    }
    const service = makeService({ notes: { get: () => null, set } })
    await service.start()
    expect(service.current.providers.codex?.models.default).toBe('gpt-5')
    expect(events.at(-1)).toEqual(['store.degraded', { problem: expect.stringContaining('disk full') }])
  })
})
