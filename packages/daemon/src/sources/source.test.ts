/** Every source runs the shared cases. The last two stand for those that later issues implement. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json, startFakeServer } from '../../../../test/harness/fake-server.ts'
import { ConfigService } from '../config/config-service.ts'
import { createOutboundClient } from '../http/client.ts'
import { type BuiltinCatalog, builtinSource } from './builtin.ts'
import { configSource } from './config.ts'
import { modelsDevSource } from './models-dev.ts'
import { type OpenedSource, sourceCases } from './source.cases.ts'
import {
  answers,
  type ExampleSource,
  extensionExample,
  fails,
  hangs,
  liveExample,
  statedRow,
} from './source.examples.ts'

sourceCases('config', ['fail'], async () => {
  const dir = mkdtempSync(join(tmpdir(), 'signalbox-source-'))
  const file = join(dir, 'config.toml')
  writeFileSync(
    file,
    `[providers.codex.models]
default = "gpt-5"
[[providers.codex.models.curated]]
id = "vendor/Model:free"
context_window = 1000
reasoning_efforts = ["low", "high"]
[providers."llama.cpp".models]
default = "q"
`,
  )
  const telemetry = { emit() {} }
  const service = new ConfigService({
    file,
    telemetry,
    clock: { now: () => 1_000 },
    notes: { get: () => null, set() {} },
  })
  await service.start()
  return {
    source: configSource(service),
    world: { fail: (canary) => writeFileSync(file, `[daemon]\nport = "${canary}"\n${canary} = 1\n`) },
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]()
      rmSync(dir, { recursive: true, force: true })
    },
  }
})

sourceCases('builtin', [], async () => {
  const catalog: BuiltinCatalog = { date: '2026-01-01', hash: 'h', refreshedAt: 0, providers: new Map(), lists: [] }
  return { source: builtinSource(catalog), world: {}, async [Symbol.asyncDispose]() {} }
})

sourceCases('models_dev', ['slow', 'fail'], async () => {
  const catalog = {
    acme: {
      models: { 'a/1': { id: 'a/1', name: 'One', cost: { input: 0 }, limit: { context: 1000, output: 10 } }, b: {} },
    },
    zeta: { models: { Z: { id: 'Z', reasoning: true, tool_call: false } } },
  }
  const server = await startFakeServer(json(catalog, { headers: { etag: '"1"' } }))
  const client = createOutboundClient({ version: '1', env: {} })
  const options = { endpoint: `${server.url}/api.json`, ttlMs: 86_400_000, timeoutMs: 10_000, enabled: true }
  return {
    source: modelsDevSource(options, client),
    world: {
      slow: { hang: () => server.answer({ kind: 'hang' }), waiting: () => server.waitForRequests(1) },
      fail: (canary) =>
        server.answer({ kind: 'reply', status: 500, headers: { 'x-error': canary }, body: `{"${canary}` }),
    },
    async [Symbol.asyncDispose]() {
      await client.close()
      await server.close()
    },
  }
})

function openExample(source: ExampleSource): OpenedSource {
  return {
    source,
    world: {
      slow: { hang: () => source.does(hangs), waiting: () => source.called(1) },
      fail: (canary) => source.does(fails(new SyntaxError(`Unexpected token in ${canary}`))),
    },
    async [Symbol.asyncDispose]() {},
  }
}

const PROVEN = statedRow('vendor/M', { context_window: 10 }, { available: true, expires_at: 1_900_000_000_000 })
const DENIED = statedRow('old', {}, { available: false, denial: 'retired' })

sourceCases('provider_live (example)', ['slow', 'fail'], async () =>
  openExample(liveExample('llama.cpp', answers({ 'llama.cpp': [PROVEN, DENIED] }))),
)

sourceCases('extension (example)', ['slow', 'fail'], async () =>
  openExample(
    extensionExample('my-models', ['acme', 'zeta'], ({ provider_id }) =>
      answers({ [provider_id ?? '']: [PROVEN, DENIED] })(never),
    ),
  ),
)

/** The answer does not depend on it. */
const never = { provider_id: null, signal: new AbortController().signal, now: 0, validators: {} }
