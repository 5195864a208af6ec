import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ConfigService } from '../config/config-service.ts'
import { configSource } from './config.ts'

let dir: string
let file: string
let service: ConfigService
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'signalbox-config-source-'))
  file = join(dir, 'config.toml')
  service = new ConfigService({
    file,
    telemetry: { emit() {} },
    clock: { now: () => 1_000 },
    notes: { get: () => null, set() {} },
  })
  await service.start()
})
afterEach(async () => {
  await service[Symbol.asyncDispose]()
  rmSync(dir, { recursive: true, force: true })
})

const call = (signal = new AbortController().signal) => ({ provider_id: null, signal, now: 9_000, validators: {} })

describe('the config source', () => {
  it('reads the file anew at each refresh (CAT-188)', async () => {
    const source = configSource(service)
    expect(await source.list(call())).toMatchObject({ kind: 'rows', lists: [] })
    writeFileSync(file, '[providers.codex.models]\ndefault = "gpt-5"')
    const answer = await source.list(call())
    expect(answer).toMatchObject({
      kind: 'rows',
      lists: [{ provider_id: 'codex', rows: [{ model_id: 'gpt-5', refreshed_at: 1_000 }] }],
      rejected: [],
    })
  })

  it('fails on an invalid file with the place of the first problem and the number of others (CAT-189)', async () => {
    writeFileSync(file, '[daemon]\nport = "x"\nhots = 1\nwat = 1')
    const failed = configSource(service).list(call())
    await expect(failed).rejects.toMatchObject({
      code: 'invalid_config',
      message: expect.stringMatching(/config\.toml:2:8 daemon\.port must be .* \(and 2 more\)$/),
      details: { field: 'daemon.port', expected: 'a port from 0 to 65535' },
    })
  })

  it('never ages, needs no network and may be empty (CAT-184)', () => {
    expect(configSource(service)).toMatchObject({
      id: 'config',
      kind: 'config',
      scope: { kind: 'global' },
      ttlMs: null,
      network: false,
      mayBeEmpty: true,
      enabled: true,
    })
  })

  it('does nothing once its call is over', async () => {
    await expect(configSource(service).list(call(AbortSignal.abort()))).rejects.toThrow(/abort/i)
  })
})
