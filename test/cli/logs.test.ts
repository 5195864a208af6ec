/** `signalbox logs` on the log of the real daemon. */
import { readFile, rename } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CliOptions, runCli } from '../harness/cli.ts'
import { type RunningDaemon, startDaemon } from '../harness/daemon.ts'
import { run, SIGNALBOX } from '../harness/process.ts'
import { type TempHome, tempHome } from '../harness/temp-home.ts'
import { within } from '../harness/until.ts'

let home: TempHome
let daemon: RunningDaemon
beforeAll(async () => {
  home = await tempHome()
  daemon = await startDaemon({ home })
})
afterAll(async () => {
  await daemon.stop()
  await home[Symbol.asyncDispose]()
})
const cli = (args: readonly string[], options?: CliOptions) => runCli(home, args, options)
const lines = (text: string) => text.trimEnd().split('\n')

/** A refresh that leaves its id in the log. */
async function leaveTrace(request_id: string): Promise<void> {
  const body = { source_id: 'config', force: true, request_id }
  expect((await daemon.overSocket('/api/providers/models/refresh', { method: 'POST', body })).status).toBe(200)
}

describe('signalbox logs', () => {
  it('prints the records for people, or as they are', async () => {
    const text = await cli(['logs'])
    expect(text.code).toBe(0)
    expect(text.stdout).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} {2}info {3}daemon\.started {2}pid=\d+/m)
    const json = await cli(['logs', '-o', 'json'])
    expect(json.stdout).toBe(await readFile(home.paths.logFile, 'utf8'))
  })

  it('prints the last -n lines only', async () => {
    await leaveTrace('trace-last')
    const all = lines(await readFile(home.paths.logFile, 'utf8'))
    const { stdout } = await cli(['logs', '-n', '2', '-o', 'json'])
    expect(lines(stdout)).toEqual(all.slice(-2))
  })

  it('needs no daemon, starts none, and says when there is no log yet', async () => {
    await using fresh = await tempHome()
    const { code, stdout, stderr } = await runCli(fresh, ['logs'])
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
    expect(stderr).toContain('no log yet')
    expect((await runCli(fresh, ['daemon', 'status'])).code).toBe(3)
  })

  it('-f goes on with what is added, also after the file was rotated', async () => {
    const follow = await run(SIGNALBOX, ['logs', '-f', '-n', '1'], { env: home.env })
    try {
      await within('the last line', follow.line(/./))
      await leaveTrace('trace-before')
      await within('a line that was added', follow.line(/trace-before.*row_count/))
      await rename(home.paths.logFile, `${home.paths.logFile}.1`)
      await leaveTrace('trace-after')
      await within('a line of the new file', follow.line(/trace-after.*row_count/))
      await leaveTrace('trace-later')
      await within('a later line of the new file', follow.line(/trace-later.*row_count/))
    } finally {
      follow.child.kill('SIGINT')
    }
    await within('logs -f to end', follow.exited)
    const told = lines(follow.stdout())
    expect(new Set(told).size).toBe(told.length)
    expect(told.filter((line) => /trace-(before|after|later)/.test(line))).toHaveLength(6)
  })
})
