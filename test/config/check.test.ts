/** What may stand in `config.toml`, as the real daemon and `signalbox config` see it. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { runCli } from '../harness/cli.ts'
import { type RunningDaemon, startDaemon } from '../harness/daemon.ts'
import { QUIET_CONFIG, type TempHome, tempHome } from '../harness/temp-home.ts'
import { until } from '../harness/until.ts'

let home: TempHome
let daemon: RunningDaemon
beforeAll(async () => {
  home = await tempHome()
  daemon = await startDaemon({ home })
})
beforeEach(() => home.configure(QUIET_CONFIG))
afterAll(async () => {
  await daemon.stop()
  await home[Symbol.asyncDispose]()
})
const cli = (...args: readonly string[]) => runCli(home, args)
const lines = (text: string) => text.trimEnd().split('\n')

describe('[providers.<id>.models]', () => {
  it('default becomes a row of config, of any form and uncurated (CAT-135)', async () => {
    await home.configure(`${QUIET_CONFIG}[providers.openai.models]\ndefault = "Anything/at all:x"\n`)
    await until(
      'the row',
      async () => (await cli('models', 'openai', '--source', 'config', '-o', 'jsonl')).stdout !== '',
    )
    const { stdout } = await cli('models', 'openai', '--source', 'config', '-o', 'jsonl')
    expect(JSON.parse(stdout)).toMatchObject({
      model_id: 'Anything/at all:x',
      display_name: null,
      context_window: null,
      sources: [{ source_id: 'config' }],
    })
  })

  it('curated takes every documented key, and each shows in the list (CAT-136)', async () => {
    await home.configure(`${QUIET_CONFIG}
[[providers.mine.models.curated]]
id = "full"
display_name = "Full"
context_window = 200000
max_input_tokens = 150000
max_output_tokens = 50000
supports_tools = true
supports_reasoning = true
reasoning_efforts = ["low", "high"]
default_reasoning_effort = "high"
cost_input_per_million = 0
cost_output_per_million = 2.5
[[providers.mine.models.curated]]
id = "bare"
`)
    await until('the rows', async () => (await daemon.overSocket('/api/providers/mine/models')).status === 200)
    const { stdout } = await cli('models', 'mine', '-o', 'jsonl')
    const [bare, full] = lines(stdout).map((line) => JSON.parse(line))
    expect(full).toMatchObject({
      model_id: 'full',
      display_name: 'Full',
      context_window: 200000,
      max_input_tokens: 150000,
      max_output_tokens: 50000,
      supports_tools: true,
      supports_reasoning: true,
      reasoning_efforts: ['low', 'high'],
      default_reasoning_effort: 'high',
      cost: { input_per_million: 0, output_per_million: 2.5 },
    })
    expect(bare).toMatchObject({ model_id: 'bare', display_name: null, context_window: null, cost: null })
  })
})

/** Each line that is wrong, and what its problem names. */
const WRONG = `[daemon]
port = 0
colour = "red"
[model_catalog.sources.models_dev]
enabled = false
[providers.codex]
default_model = "x"
supported_models = []
[providers.codex.models]
default = " "
[[providers.codex.models.curated]]
id = "one"
supports_reasoning_effort = true
[[providers.codex.models.curated]]
id = "one"
reasoning_efforts = ["low", "low", "huge"]
default_reasoning_effort = "max"
[[providers.codex.models.curated]]
id = "  "
`
const PROBLEMS = [
  ['3:1', 'daemon.colour'],
  ['7:1', 'providers.codex.default_model'],
  ['8:1', 'providers.codex.supported_models'],
  ['10:11', 'providers.codex.models.default'],
  ['13:1', 'providers.codex.models.curated[0].supports_reasoning_effort'],
  ['15:6', 'providers.codex.models.curated[1].id'],
  ['16:29', 'providers.codex.models.curated[1].reasoning_efforts[1]'],
  ['16:36', 'providers.codex.models.curated[1].reasoning_efforts[2]'],
  ['17:28', 'providers.codex.models.curated[1].default_reasoning_effort'],
  ['19:6', 'providers.codex.models.curated[2].id'],
] as const

describe('signalbox config check', () => {
  it('says that a good file is fine, and exits 0', async () => {
    expect(await cli('config', 'check')).toMatchObject({ code: 0, stdout: `${home.paths.configFile} is fine\n` })
  })

  it('prints every problem at once with file, line, column and path, and exits 1 (CAT-138 CAT-139)', async () => {
    await home.configure(WRONG)
    const { code, stdout, stderr } = await cli('config', 'check')
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
    const told = lines(stdout).map((line) => line.slice(home.paths.configFile.length + 1))
    expect(told).toEqual(PROBLEMS.map(([place, path]) => expect.stringContaining(`${place}: ${path}`)))
    // what to write instead of a retired key
    expect(stdout).toContain('models.default')
    expect(stdout).toContain('models.curated')
    expect(stdout).toContain('reasoning_efforts')
  })

  it('prints the HTTP body with -o json (CAT-139)', async () => {
    await home.configure(WRONG)
    const { code, stdout } = await cli('config', 'check', '-o', 'json')
    expect(code).toBe(1)
    expect(stdout).toBe((await daemon.overSocket('/api/config/check')).text())
    expect(JSON.parse(stdout).problems).toHaveLength(PROBLEMS.length)
  })

  it('takes nothing over, and never prints a value of the file', async () => {
    await home.configure(`${QUIET_CONFIG}[providers.mine]\napi_keys = "sk-secret-value"\n`)
    const { code, stdout } = await cli('config', 'check')
    expect(code).toBe(1)
    expect(stdout).toContain('api_keys')
    expect(stdout).not.toContain('sk-secret-value')
  })
})

describe('signalbox config path and show', () => {
  it('path prints where the file is, without a daemon', async () => {
    await using fresh = await tempHome(null)
    expect(await runCli(fresh, ['config', 'path'])).toMatchObject({
      code: 0,
      stdout: `${fresh.paths.configFile}\n`,
      stderr: '',
    })
    expect((await runCli(fresh, ['daemon', 'status'])).code).toBe(3)
  })

  it('path follows --home', async () => {
    const { stdout } = await cli('config', 'path', '--home', '/nowhere/at all')
    expect(stdout).toBe('/nowhere/at all/config.toml\n')
  })

  it('show prints what is in force, defaults included, as the HTTP body with -o json', async () => {
    const { code, stdout } = await cli('config', 'show', '-o', 'json')
    expect(code).toBe(0)
    expect(stdout).toBe((await daemon.overTcp('/api/config')).text())
    expect(JSON.parse(stdout)).toMatchObject({
      file: home.paths.configFile,
      config: {
        daemon: { port: 0, log_level: 'info' },
        model_catalog: { sources: { models_dev: { enabled: false, ttl: '24h' } } },
      },
    })
  })
})
