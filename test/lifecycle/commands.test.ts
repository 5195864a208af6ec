/** `signalbox daemon …` in every order, and the daemon that other commands start. */
import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { runCli } from '../harness/cli.ts'
import { startDaemon } from '../harness/daemon.ts'
import { run, SIGNALBOX } from '../harness/process.ts'
import { QUIET_CONFIG, tempHome } from '../harness/temp-home.ts'
import { within } from '../harness/until.ts'
import { backgroundHome, backgroundHomeAt } from './background-home.ts'

describe('daemon start, stop and status', () => {
  it('do what they say in every order', async () => {
    await using box = await backgroundHome()
    const { cli, home } = box

    expect(await cli(['daemon', 'status'])).toMatchObject({ code: 3, stdout: '' })
    expect(await cli(['daemon', 'stop'])).toMatchObject({
      code: 0,
      stdout: 'no daemon runs on this home\n',
      stderr: '',
    })

    const started = await cli(['daemon', 'start', '-o', 'json'])
    expect(started).toMatchObject({ code: 0, stderr: '' })
    const { pid, socket, url } = JSON.parse(started.stdout)

    for (const command of ['start', 'run']) {
      const again = await cli(['daemon', command])
      expect(again).toMatchObject({ code: 1, stdout: '' })
      expect(again.stderr).toContain(`pid ${pid}, socket ${socket}, ${url}`)
    }
    expect(await box.status()).toMatchObject({ pid })

    expect(await cli(['daemon', 'stop'])).toMatchObject({ code: 0, stdout: `the daemon (pid ${pid}) has stopped\n` })
    expect(existsSync(socket)).toBe(false)
    expect(await cli(['daemon', 'stop'])).toMatchObject({ code: 0 })
    expect(await cli(['daemon', 'status'])).toMatchObject({ code: 3 })

    expect(await cli(['daemon', 'start'])).toMatchObject({ code: 0 })
    expect((await box.status())?.pid).not.toBe(pid)
    expect(home.paths.runDirs).toContain(socket.replace(/\/signalbox\.sock$/, ''))
  })

  it('say what is wrong as JSON when JSON is asked for', async () => {
    await using box = await backgroundHome()
    const status = await box.cli(['daemon', 'status', '-o', 'json'])
    expect(status).toMatchObject({ code: 3, stdout: '' })
    expect(JSON.parse(status.stderr)).toMatchObject({
      error: { code: 'daemon_unavailable', hint: 'signalbox daemon start' },
    })
  })

  it('a daemon in the foreground is stopped by daemon stop, and ends with 0', async () => {
    await using home = await tempHome()
    await using daemon = await startDaemon({ home })
    const cli = (args: readonly string[]) => runCli(home, args)
    expect(await cli(['daemon', 'stop'])).toMatchObject({ code: 0 })
    expect(await daemon.exited).toEqual({ code: 0, signal: null })
    expect(daemon.stdout()).toContain('Stopping: asked to stop.')
  })

  it('status -o json says where the daemon is, and is what the daemon answers (CAT-195)', async () => {
    await using home = await tempHome()
    await using daemon = await startDaemon({ home })
    const cli = (args: readonly string[]) => runCli(home, args)
    const { code, stdout } = await cli(['daemon', 'status', '-o', 'json'])
    expect(code).toBe(0)
    expect(stdout).toBe((await daemon.overTcp('/api/daemon')).text())
    expect(JSON.parse(stdout)).toMatchObject({
      pid: daemon.pid,
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      home: home.dir,
      socket: await home.socket(),
      url: daemon.url,
      token_file: home.paths.tokenFile,
      generation: expect.any(Number),
    })
    const table = await cli(['daemon', 'status'])
    for (const value of [String(daemon.pid), home.dir, daemon.url, home.paths.tokenFile])
      expect(table.stdout).toContain(value)
  })
})

describe('a command that needs the daemon', () => {
  it('starts it in the background and finds it again (CAT-194)', async () => {
    await using box = await backgroundHome()
    const first = await box.cli(['models', 'openai', '-o', 'json'])
    expect(first).toMatchObject({ code: 0, stderr: '' })
    expect(JSON.parse(first.stdout).models.length).toBeGreaterThan(10)
    const status = await box.status()
    expect(status).not.toBeNull()
    expect((await box.cli(['models', 'openai', '-o', 'json'])).stdout).toBe(first.stdout)
    expect(await box.status()).toMatchObject({ pid: status?.pid })
  })

  it('fails with a hint under --no-start, and starts nothing (CAT-194)', async () => {
    await using box = await backgroundHome()
    for (const args of [['models'], ['explain', 'openai/o3'], ['provider', 'models', 'refresh'], ['config', 'show']]) {
      const { code, stdout, stderr } = await box.cli([...args, '--no-start'])
      expect({ args, code, stdout }).toEqual({ args, code: 3, stdout: '' })
      expect(stderr).toContain('hint: signalbox daemon start')
    }
    expect(existsSync(box.home.paths.logFile)).toBe(false)
  })

  it('says why when the daemon cannot start', async () => {
    await using holder = await tempHome()
    await using daemon = await startDaemon({ home: holder })
    const taken = new URL(daemon.url).port
    await using box = await backgroundHome(QUIET_CONFIG.replace('port = 0', `port = ${taken}`))
    const { code, stdout, stderr } = await box.cli(['models'])
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain(`port ${taken} of 127.0.0.1 cannot be used: it is taken`)
    expect(stderr).toContain('hint: set another daemon.port')
    expect(await box.status()).toBeNull()
  })

  it('leaves a daemon that outlives the terminal it was typed in', async () => {
    await using box = await backgroundHome()
    const shell = await run(
      'setsid',
      ['sh', '-c', '"$0" models openai -o jsonl && echo listed && exec cat', SIGNALBOX],
      {
        env: box.home.env,
      },
    )
    await within('the list', shell.line(/^listed$/))
    const before = await box.status()
    process.kill(-shell.pid, 'SIGHUP')
    expect(await within('the shell to end', shell.exited)).toEqual({ code: null, signal: 'SIGHUP' })
    expect(await box.status()).toMatchObject({ pid: before?.pid })
  })
})

describe('a home with a path too long for a socket', () => {
  it('has its socket in the fallback run directory, and everything works', async () => {
    await using box = await backgroundHomeAt('long-'.repeat(30), QUIET_CONFIG)
    const { dir, env } = box.home
    expect(Buffer.byteLength(dir)).toBeGreaterThan(108)
    await using daemon = await startDaemon({ home: box.home })
    expect(daemon.status.socket.startsWith(dir)).toBe(false)
    expect(daemon.status.home).toBe(dir)
    expect(await box.cli(['models', 'openai', '--no-start'])).toMatchObject({ code: 0, stderr: '' })
    expect((await box.status())?.pid).toBe(daemon.pid)
    expect(await box.cli(['daemon', 'run'])).toMatchObject({ code: 1 })
    const other = await box.cli(['daemon', 'status'], { env: { ...env, SIGNALBOX_HOME: `${dir}x` } })
    expect(other.code).toBe(3)
    expect(await box.cli(['daemon', 'stop'])).toMatchObject({ code: 0 })
    expect(await daemon.exited).toEqual({ code: 0, signal: null })
    expect(existsSync(daemon.status.socket)).toBe(false)
  })
})
