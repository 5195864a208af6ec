/** A `config.toml` with errors changes nothing but what is said about it: file, line and column, everywhere. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DaemonStatus } from '../../packages/contract/src/daemon.ts'
import { runCli } from '../harness/cli.ts'
import { type RunningDaemon, startDaemon } from '../harness/daemon.ts'
import { QUIET_CONFIG, type TempHome, tempHome } from '../harness/temp-home.ts'
import { until } from '../harness/until.ts'

const GOOD = `${QUIET_CONFIG}
[providers.mine.models]
default = "kept"
`
/** Line 9, column 1. */
const UNKNOWN_KEY = `${GOOD}colour = "red"\n`
/** Line 9, after the `=`. */
const NOT_TOML = `${GOOD}broken = = 1\n`

let home: TempHome
let daemon: RunningDaemon
beforeAll(async () => {
  home = await tempHome()
  daemon = await startDaemon({ home, config: GOOD })
})
afterAll(async () => {
  await daemon.stop()
  await home[Symbol.asyncDispose]()
})

const statusOf = async () => (await daemon.overSocket('/api/daemon')).json() as DaemonStatus
const problemsAre = (wanted: boolean) =>
  until(`problems to be ${wanted}`, async () => (await statusOf()).config_problems.length > 0 === wanted)
const configStatus = async () => {
  const answer = await daemon.overSocket('/api/providers/mine/models/status?source_id=config')
  return (answer.json() as { readonly sources: readonly unknown[] }).sources[0]
}
const cli = (...args: readonly string[]) => runCli(home, [...args, '--no-start'])

async function expectKept(): Promise<void> {
  const { models } = (await daemon.overSocket('/api/providers/mine/models')).json() as { readonly models: unknown }
  expect(models).toMatchObject([{ model_id: 'kept', stale: false, sources: [{ source_id: 'config', stale: false }] }])
}

describe.each([
  ['an unknown key', UNKNOWN_KEY, '12:1'],
  ['text that is not TOML', NOT_TOML, '12:10'],
])('%s in a saved config.toml', (_, text, place) => {
  it('leaves the rows in force and fresh, and is named with line and column everywhere, until it is repaired (CAT-189)', async () => {
    const where = `${home.paths.configFile}:${place}`
    const before = await configStatus()
    expect(before).toMatchObject({ refresh_state: 'succeeded', last_error: null, stale: false })
    await home.configure(text)
    await problemsAre(true)
    await expectKept()

    const [line, column] = place.split(':').map(Number)
    expect((await statusOf()).config_problems).toMatchObject([{ file: home.paths.configFile, line, column }])
    for (const format of ['table', 'json']) {
      const { stdout } = await cli('daemon', 'status', '-o', format)
      for (const part of [home.paths.configFile, String(line), String(column)]) expect(stdout).toContain(part)
    }
    const failed = await until('the status of the source to tell', async () => {
      const status = (await configStatus()) as { readonly last_error: string | null }
      return status.last_error === null ? null : status
    })
    expect(failed).toMatchObject({ last_error: expect.stringContaining(where), row_count: 1, stale: false })
    const { stdout } = await cli('logs', '-n', '20')
    expect(stdout).toContain('config.rejected')
    expect(stdout).toContain(where)
    await expectKept()

    await home.configure(GOOD)
    await problemsAre(false)
    await until('the status of the source to recover', async () => {
      const { last_error } = (await configStatus()) as { readonly last_error: string | null }
      return last_error === null
    })
    await expectKept()
  })
})

describe('a start with a broken config.toml', () => {
  it('runs on the last good one and says so (CAT-189)', async () => {
    await using own = await tempHome()
    const first = await startDaemon({ home: own, config: GOOD })
    const before = (await first.overSocket('/api/providers/mine/models')).text()
    await first.stop()

    await using second = await startDaemon({ home: own, config: UNKNOWN_KEY })
    const where = `${own.paths.configFile}:12:1`
    expect((await second.overSocket('/api/providers/mine/models')).text()).toBe(before)
    expect(second.status.config_problems).toMatchObject([{ file: own.paths.configFile, line: 12, column: 1 }])
    expect(second.stdout()).toContain(`warning: ${where}`)
    const status = await second.overSocket('/api/providers/mine/models/status?source_id=config')
    expect(status.json()).toMatchObject({
      sources: [{ row_count: 1, stale: false, last_error: expect.stringContaining(where) }],
    })
  })

  it('runs on defaults without a network where there has never been a good one (CAT-189)', async () => {
    await using own = await tempHome()
    await using second = await startDaemon({ home: own, config: '[daemon]\nport = "x"\n' })
    expect(second.status).toMatchObject({ config_problems: [{ line: 2, column: 8 }] })
    expect(second.status.models).toBeGreaterThan(8_000)
    const status = await second.overSocket('/api/providers/models/status?source_id=models_dev')
    expect(status.json()).toMatchObject({ sources: [{ refresh_state: 'disabled', last_refresh: null }] })
  })
})
