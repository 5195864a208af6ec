/** A saved `config.toml` is in force within two seconds, however it was saved, and disturbs no other source. */
import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCli } from '../harness/cli.ts'
import { type RunningDaemon, startDaemon } from '../harness/daemon.ts'
import { type FakeServer, json, startFakeServer } from '../harness/fake-server.ts'
import { type TempHome, tempHome } from '../harness/temp-home.ts'
import { until } from '../harness/until.ts'

const PROMISED_MS = 2_000

let home: TempHome
let server: FakeServer
let daemon: RunningDaemon
const config = (model: string) => `[daemon]
port = 0
[model_catalog.sources.models_dev]
endpoint = "${server.url}/api.json"
[providers.mine.models]
default = "${model}"
`
beforeAll(async () => {
  server = await startFakeServer(json({ acme: { models: { a: { id: 'a' } } } }))
  home = await tempHome()
  daemon = await startDaemon({ home, config: config('first') })
  await until(
    'the rows of models_dev',
    async () => (await daemon.overSocket('/api/providers/acme/models')).status === 200,
  )
})
afterAll(async () => {
  await daemon.stop()
  await home[Symbol.asyncDispose]()
  await server.close()
})

async function listed(provider = 'mine'): Promise<readonly string[]> {
  const { models = [] } = (await daemon.overSocket(`/api/providers/${provider}/models`)).json() as {
    readonly models?: readonly { readonly model_id: string }[]
  }
  return models.map(({ model_id }) => model_id)
}

/** Waits until exactly this model is listed, for no longer than what is promised. */
const shows = (model: string) =>
  until(`the list to show ${model}`, async () => (await listed()).join() === model, PROMISED_MS)

const otherStatuses = async () => {
  const { sources } = (await daemon.overSocket('/api/providers/models/status')).json() as {
    readonly sources: readonly { readonly source_id: string }[]
  }
  return sources.filter(({ source_id }) => source_id !== 'config')
}

const WAYS: readonly (readonly [string, (text: string) => Promise<void>])[] = [
  ['in place', (text) => writeFile(home.paths.configFile, text)],
  [
    'by rename',
    async (text) => {
      await writeFile(`${home.paths.configFile}.new`, text)
      await rename(`${home.paths.configFile}.new`, home.paths.configFile)
    },
  ],
  [
    'by becoming a symbolic link',
    async (text) => {
      await mkdir(join(home.dir, 'dotfiles'))
      await writeFile(target(), text)
      await rm(home.paths.configFile)
      await symlink(target(), home.paths.configFile)
    },
  ],
  ['through a symbolic link, in place', (text) => writeFile(target(), text)],
  [
    'through a symbolic link, by rename',
    async (text) => {
      await writeFile(`${target()}.new`, text)
      await rename(`${target()}.new`, target())
    },
  ],
  [
    'by pointing the symbolic link elsewhere',
    async (text) => {
      await writeFile(join(home.dir, 'other.toml'), text)
      await symlink(join(home.dir, 'other.toml'), `${home.paths.configFile}.link`)
      await rename(`${home.paths.configFile}.link`, home.paths.configFile)
    },
  ],
]
const target = () => join(home.dir, 'dotfiles', 'mine.toml')

describe('a configuration that was saved', () => {
  it.each(WAYS)('%s shows in the lists within 2 s, and nothing else is refreshed (CAT-188)', async (way, save) => {
    const before = await otherStatuses()
    const model = `model ${way}`
    await save(config(model))
    await shows(model)
    const { stdout } = await runCli(home, ['models', 'mine', '-o', 'jsonl', '--no-start'])
    expect(JSON.parse(stdout)).toMatchObject({ model_id: model, stale: false })
    expect(await otherStatuses()).toEqual(before)
    expect(server.requests).toHaveLength(1)
    expect((await daemon.overSocket('/api/daemon')).json()).toMatchObject({ pid: daemon.pid, config_problems: [] })
  })

  it('by rename, a hundred times in a row, ends with the last one (CAT-188)', async () => {
    for (let n = 0; n < 100; n++) {
      await writeFile(`${home.paths.configFile}.new`, config(`quick-${n}`))
      await rename(`${home.paths.configFile}.new`, home.paths.configFile)
    }
    await shows('quick-99')
    expect(server.requests).toHaveLength(1)
  })

  it('without a provider takes its models away, and config show says so (CAT-188)', async () => {
    await writeFile(home.paths.configFile, config('gone-soon').split('[providers')[0] ?? '')
    await until('the provider to go', async () => (await listed()).length === 0, PROMISED_MS)
    const { code, stdout } = await runCli(home, ['config', 'show', '-o', 'json', '--no-start'])
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ config: { providers: {} } })
    expect(server.requests).toHaveLength(1)
  })

  it('can change the log level while the daemon runs (CAT-188)', async () => {
    await writeFile(home.paths.configFile, config('quiet').replace('port = 0', 'port = 0\nlog_level = "error"'))
    await shows('quiet')
    const before = (await runCli(home, ['logs', '-n', '1', '-o', 'json'])).stdout
    await daemon.overSocket('/api/providers/models/refresh', {
      method: 'POST',
      body: { source_id: 'config', force: true },
    })
    expect((await runCli(home, ['logs', '-n', '1', '-o', 'json'])).stdout).toBe(before)
  })
})
