/** The harness against a stand-in daemon, so that a failure of the product is told from a failure of the harness. */
import { chmod, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runCli } from './cli.ts'
import { startDaemon } from './daemon.ts'
import { overTcpWithoutToken, rawBytes } from './http.ts'
import { QUIET_CONFIG, type TempHome, tempHome } from './temp-home.ts'

const STAND_IN = `#!${process.execPath}
const { createServer } = require('node:http')
const { mkdirSync, writeFileSync } = require('node:fs')
const home = process.env.SIGNALBOX_HOME
if (process.env.FAILS) { console.error('no way'); process.exit(4) }
if (process.argv[2] !== 'daemon') {
  let input = ''
  process.stdin.on('data', (chunk) => { input += chunk }).on('end', () => {
    console.log(JSON.stringify({ args: process.argv.slice(2), input, terminal: process.stdout.isTTY === true, key: process.env.SECRET_KEY ?? null }))
    process.exit(process.stdout.isTTY ? 0 : 5)
  })
  if (process.stdin.isTTY) process.stdin.emit('end')
} else {
  const serve = (url) => createServer((request, response) => {
    if (request.url !== '/api/daemon') return response.end(request.method + ' ' + (request.headers.authorization ?? 'no token') + ' ' + (request.headers['content-type'] ?? 'no type'))
    response.end(JSON.stringify({ pid: process.pid, version: '1', home, socket: 's', url: url(), token_file: 't', generation: 1,
      started_at: '2026-01-01T00:00:00Z', models: 0, providers: 0, providers_ready: 0, offline: false, persisted: true, persistence_problem: null,
      config_file: 'c', config_problems: [], log_file: 'l' }))
  })
  const tcp = serve(() => null).listen(0, '127.0.0.1', () => {
    const url = 'http://127.0.0.1:' + tcp.address().port
    mkdirSync(home + '/run')
    writeFileSync(home + '/token', 'T0KEN\\n')
    serve(() => url).listen(home + '/run/signalbox.sock', () => console.log('Listening on ' + url))
  })
  process.on('SIGTERM', () => { console.log('bye'); process.exit(0) })
}
`

async function putStandIn(home: TempHome): Promise<string> {
  const program = join(home.dir, 'stand-in')
  await writeFile(program, STAND_IN)
  await chmod(program, 0o755)
  return program
}

describe('a temporary home', () => {
  it('has a quiet configuration and is gone afterwards', async () => {
    const home = await tempHome()
    expect(await stat(home.paths.configFile)).toMatchObject({ size: QUIET_CONFIG.length })
    expect(home.paths.dir).toBe(home.dir)
    await home[Symbol.asyncDispose]()
    await expect(stat(home.dir)).rejects.toThrow('ENOENT')
  })

  it('can have no configuration', async () => {
    await using home = await tempHome(null)
    await expect(stat(home.paths.configFile)).rejects.toThrow('ENOENT')
    await expect(home.socket()).rejects.toThrow('no daemon')
  })
})

describe('a started daemon', () => {
  it('is ready, answers on socket and TCP, and stops', async () => {
    await using home = await tempHome()
    const daemon = await startDaemon({ home, program: await putStandIn(home), config: '# mine\n' })
    expect(daemon.status.pid).toBe(daemon.pid)
    expect((await daemon.overSocket('/x')).text()).toBe('GET no token no type')
    expect((await daemon.overTcp('/x', { method: 'POST', body: {} })).text()).toBe('POST Bearer T0KEN application/json')
    expect((await overTcpWithoutToken(daemon.url, '/x')).text()).toBe('GET no token no type')
    const raw = await rawBytes({ url: daemon.url }, 'nonsense\r\n\r\n')
    expect(raw.toString()).toMatch(/^HTTP\/1\.1 400 /)
    expect(await daemon.stop()).toEqual({ code: 0, signal: null })
    expect(daemon.stdout()).toMatch(/bye\n$/)
  })

  it('can be killed, and disposing of it then is fine', async () => {
    await using home = await tempHome()
    await using daemon = await startDaemon({ home, program: await putStandIn(home) })
    expect(await daemon.stop('SIGKILL')).toEqual({ code: null, signal: 'SIGKILL' })
  })

  it('fails with its output when it does not become ready', async () => {
    await using home = await tempHome()
    const program = await putStandIn(home)
    await expect(startDaemon({ home, program, env: { FAILS: '1' } })).rejects.toThrow('no way')
  })
})

describe('a CLI run', () => {
  it('gets arguments and input, none of the secrets of the machine, and returns code and output', async () => {
    await using home = await tempHome()
    process.env.SECRET_KEY = 'sk'
    const result = await runCli(home, ['a b', '--c'], { program: await putStandIn(home), input: 'in' })
    delete process.env.SECRET_KEY
    expect(JSON.parse(result.stdout)).toEqual({ args: ['a b', '--c'], input: 'in', terminal: false, key: null })
    expect(result).toMatchObject({ code: 5, signal: null, stderr: '' })
  })

  it('can be on a terminal', async () => {
    await using home = await tempHome()
    const result = await runCli(home, ["it's"], { program: await putStandIn(home), tty: true })
    expect(result.code).toBe(0)
    expect(result.stdout).toContain('"terminal":true')
    expect(result.stdout).toContain(`"args":["it's"]`)
  })
})
