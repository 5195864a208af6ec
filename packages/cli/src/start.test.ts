import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type BuiltCli, buildCli, newHome } from './built-cli.cases.ts'

/**
 * A daemon as far as the CLI can see: it owns the home or says who does, tells on descriptor 3 how it went, answers,
 * and stops when asked. `FAIL` makes it fail the way the test needs.
 */
const DAEMON = `
import { createServer } from 'node:http'
import { appendFileSync, mkdirSync, rmSync, writeFileSync, writeSync } from 'node:fs'
export async function runDaemon(options) {
  const home = process.env.SIGNALBOX_HOME, run = home + '/run', socket = run + '/signalbox.sock'
  const tell = (word) => { if (!options.foreground) writeSync(3, JSON.stringify(word) + '\\n') }
  appendFileSync(home + '/runs', JSON.stringify({ ...options, cwd: process.cwd() }) + '\\n')
  if (process.env.FAIL === 'silent') return 1
  if (process.env.FAIL === 'said') { tell({ error: { code: 'bind_refused', message: 'port 1 is taken', hint: 'daemon.port' } }); return 1 }
  if (options.foreground) { process.stdout.write(JSON.stringify(options) + '\\n'); return 7 }
  mkdirSync(run, { recursive: true, mode: 0o700 })
  try { writeFileSync(home + '/lock', String(process.pid), { flag: 'wx' }) } catch { tell({ error: { code: 'already_running', message: 'taken' } }); return 1 }
  const gone = Promise.withResolvers()
  const status = { pid: process.pid, socket, url: 'http://127.0.0.1:7365' }
  const server = createServer((incoming, outgoing) => {
    if (incoming.url === '/api/daemon/stop') { outgoing.end('{}'); rmSync(home + '/lock'); server.close(gone.resolve); server.closeIdleConnections(); return }
    outgoing.end(incoming.url === '/api/daemon' ? JSON.stringify(status) + '\\n' : 'models by ' + process.pid + '\\n')
  })
  server.listen(socket, () => tell({ ready: true }))
  await gone.promise
  return 0
}
`

let cli: BuiltCli
let home: string
beforeAll(async () => {
  cli = await buildCli()
  writeFileSync(join(cli.dir, 'daemon.mjs'), DAEMON)
})
afterAll(() => cli[Symbol.dispose]())
beforeEach(() => {
  home = newHome()
})
afterEach(async () => {
  await cli.run(home, ['daemon', 'stop'])
  rmSync(home, { recursive: true, force: true })
})

const runs = () =>
  readFileSync(join(home, 'runs'), 'utf8')
    .trim()
    .split('\n')
    .map((line): unknown => JSON.parse(line))

describe('a command that finds no daemon', () => {
  it('starts one in the background, from a neutral directory, and is answered by it (CAT-194)', async () => {
    expect(await cli.run(home, ['models'])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^models by \d+\n$/),
      stderr: '',
    })
    expect(runs()).toEqual([{ foreground: false, json: false, cwd: '/' }])
  })

  it('uses the one that runs from then on', async () => {
    const first = await cli.run(home, ['models'])
    expect(await cli.run(home, ['models'])).toEqual(first)
    expect(runs()).toHaveLength(1)
  })

  it('shares one daemon with all that start at the same time (CAT-190)', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => cli.run(home, ['models'])))
    expect(new Set(answers.map(({ code, stderr }) => `${code}${stderr}`))).toEqual(new Set(['0']))
    expect(new Set(answers.map(({ stdout }) => stdout)).size).toBe(1)
  })

  it('finds the home it was told as a relative path', async () => {
    const run = await cli.run('/nowhere', ['--home', relative(process.cwd(), home), 'models'])
    expect(run).toMatchObject({ code: 0, stderr: '' })
    expect(runs()).toHaveLength(1)
  })

  it('says why when the daemon says why', async () => {
    const run = await cli.run(home, ['models'], { FAIL: 'said' })
    expect(run).toEqual({ code: 1, stdout: '', stderr: 'error: port 1 is taken\nhint: daemon.port\n' })
  })

  it('exits 3 when the daemon ends without a word', async () => {
    const run = await cli.run(home, ['models'], { FAIL: 'silent' })
    expect(run).toEqual({
      code: 3,
      stdout: '',
      stderr: 'error: the daemon ended while it started\nhint: signalbox daemon run\n',
    })
  })
})

describe('daemon', () => {
  it('run hands over to the daemon and exits as it does', async () => {
    expect(await cli.run(home, ['daemon', 'run', '-o', 'json'])).toEqual({
      code: 7,
      stdout: '{"foreground":true,"json":true}\n',
      stderr: '',
    })
  })

  it('start returns when it answers, and a second start names the first and fails (CAT-193)', async () => {
    const started = await cli.run(home, ['daemon', 'start', '-o', 'json'])
    const { pid, socket } = JSON.parse(started.stdout) as { pid: number; socket: string }
    expect(await cli.run(home, ['daemon', 'start'])).toEqual({
      code: 1,
      stdout: '',
      stderr: `error: a daemon already runs on this home: pid ${pid}, socket ${socket}, http://127.0.0.1:7365\nhint: signalbox daemon status\n`,
    })
  })

  it('stop returns when it is gone; status then exits 3', async () => {
    const started = await cli.run(home, ['daemon', 'start', '-o', 'json'])
    const { pid } = JSON.parse(started.stdout) as { pid: number }
    expect(await cli.run(home, ['daemon', 'stop'])).toEqual({
      code: 0,
      stdout: `the daemon (pid ${pid}) has stopped\n`,
      stderr: '',
    })
    expect((await cli.run(home, ['daemon', 'status'])).code).toBe(3)
    expect(await cli.run(home, ['daemon', 'stop'])).toEqual({
      code: 0,
      stdout: 'no daemon runs on this home\n',
      stderr: '',
    })
  })
})
