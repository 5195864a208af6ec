/** How a daemon ends: asked once, asked twice, as a terminal asks it. */
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { describe, expect, it } from 'vitest'
import { run, SIGNALBOX } from '../harness/process.ts'
import { QUIET_CONFIG, tempHome } from '../harness/temp-home.ts'
import { within } from '../harness/until.ts'

const ROOT = dirname(dirname(SIGNALBOX))

describe('npm start', () => {
  it('ends with 0 at Ctrl-C in its terminal, with the socket gone', async () => {
    await using home = await tempHome(QUIET_CONFIG)
    // without `prestart`: `npm test` has done the same set-up, and nothing may be built while tests run
    const terminal = await run('script', ['-qec', 'exec npm start --ignore-scripts', '/dev/null'], {
      env: home.env,
      cwd: ROOT,
    })
    await within('the daemon to be ready', terminal.line(/Press Ctrl-C to stop/))
    const socket = await home.socket()
    terminal.child.stdin?.write('\u0003')
    const exit = await within('npm start to end', terminal.exited)
    expect({ exit, output: terminal.stdout() }).toMatchObject({ exit: { code: 0, signal: null } })
    expect(terminal.stdout()).toContain('Stopping: SIGINT.')
    expect(existsSync(socket)).toBe(false)
  })
})
