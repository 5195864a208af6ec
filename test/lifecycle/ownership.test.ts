/** One daemon per home: the kernel's lock, the socket file, and what a second start says. */
import { once } from 'node:events'
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { prepareHome } from '../../packages/daemon/src/platform/home.ts'
import { acquireLock } from '../../packages/daemon/src/platform/instance-lock.ts'
import { runCli } from '../harness/cli.ts'
import { startDaemon } from '../harness/daemon.ts'
import { run, SIGNALBOX } from '../harness/process.ts'
import { type TempHome, tempHome } from '../harness/temp-home.ts'
import { within } from '../harness/until.ts'
import { backgroundHome } from './background-home.ts'

const daemonRun = (home: TempHome) => runCli(home, ['daemon', 'run'])

describe('the lock of a home', () => {
  it('comes before the database: a start without it opens none (CAT-191)', async () => {
    await using home = await tempHome()
    const paths = prepareHome(home.paths)
    using lock = acquireLock(paths.lockFile)
    expect(lock).not.toBeNull()
    const { code, stdout, stderr } = await daemonRun(home)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain(`it has not answered on ${paths.socket}`)
    expect((await readdir(home.dir)).sort()).toEqual(['config.toml', 'run'])
  })

  it('is free at once after kill -9, although its file and the socket stay (CAT-191)', async () => {
    await using home = await tempHome()
    const daemon = await startDaemon({ home })
    await daemon.stop('SIGKILL')
    const left = await readdir(join(daemon.status.socket, '..'))
    expect(left).toEqual(expect.arrayContaining(['daemon.lock', 'signalbox.sock']))
    await using next = await startDaemon({ home })
    expect((await next.overSocket('/api/daemon')).status).toBe(200)
    expect((await daemonRun(home)).stderr).toContain(`pid ${next.pid}`)
  })

  it('lets a command start a daemon after kill -9 of the last one (CAT-191)', async () => {
    await using box = await backgroundHome()
    await box.cli(['daemon', 'start'])
    const killed = await box.status()
    process.kill(killed?.pid ?? 0, 'SIGKILL')
    expect(await box.cli(['models', 'openai'])).toMatchObject({ code: 0, stderr: '' })
    expect((await box.status())?.pid).not.toBe(killed?.pid)
  })
})

describe('the path of the socket', () => {
  it('is taken over when connecting to what is there is refused (CAT-192)', async () => {
    await using home = await tempHome()
    const { socket } = prepareHome(home.paths)
    // a listener that is killed leaves its file behind
    const script = `require('node:net').createServer().listen(${JSON.stringify(socket)}, () => console.log('up'))`
    const dead = await run(process.execPath, ['-e', script], { env: home.env })
    await within('the listener', dead.line(/up/))
    dead.child.kill('SIGKILL')
    await dead.exited
    expect((await stat(socket)).isSocket()).toBe(true)
    await using daemon = await startDaemon({ home })
    expect(daemon.status.socket).toBe(socket)
    expect((await readdir(join(socket, '..'))).filter((name) => !name.startsWith('daemon.lock'))).toEqual([
      'signalbox.sock',
    ])
  })

  it('stays untouched, and the start fails, when a file is there (CAT-192)', async () => {
    await using home = await tempHome()
    const { socket } = prepareHome(home.paths)
    await writeFile(socket, 'precious')
    const { code, stderr } = await daemonRun(home)
    expect(code).toBe(1)
    expect(stderr).toContain(socket)
    expect(await readFile(socket, 'utf8')).toBe('precious')
  })

  it('stays untouched, and the start fails, when a directory is there (CAT-192)', async () => {
    await using home = await tempHome()
    const { socket } = prepareHome(home.paths)
    await mkdir(socket)
    expect(await daemonRun(home)).toMatchObject({ code: 1, stderr: expect.stringContaining(socket) })
    expect((await stat(socket)).isDirectory()).toBe(true)
  })

  it('stays untouched, and the start fails, when somebody answers there (CAT-192)', async () => {
    await using home = await tempHome()
    const { socket } = prepareHome(home.paths)
    const other = createServer((connection) => connection.on('error', () => {}).end('mine')).listen(socket) // they hang up
    await once(other, 'listening')
    try {
      const before = await stat(socket)
      expect(await daemonRun(home)).toMatchObject({ code: 1, stderr: expect.stringContaining(socket) })
      expect((await stat(socket)).ino).toBe(before.ino)
    } finally {
      other.close()
    }
  })
})

describe('a second start', () => {
  it('names pid, socket and URL of the first and ends with 1, in the foreground and in the background (CAT-193)', async () => {
    await using home = await tempHome()
    await using daemon = await startDaemon({ home })
    for (const command of ['run', 'start']) {
      const { code, stdout, stderr } = await runCli(home, ['daemon', command])
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
      for (const part of [`pid ${daemon.pid}`, daemon.status.socket, daemon.url]) expect(stderr).toContain(part)
    }
    const json = await runCli(home, ['daemon', 'run', '-o', 'json'])
    expect(JSON.parse(json.stderr)).toMatchObject({ error: { code: 'already_running' } })
    expect((await daemon.overSocket('/api/daemon')).status).toBe(200)
  })

  it('names them also when the first is still starting (CAT-193)', async () => {
    await using home = await tempHome()
    const starts = await Promise.all(
      Array.from({ length: 4 }, () => run(SIGNALBOX, ['daemon', 'run'], { env: home.env })),
    )
    try {
      const ready = starts.map(async (start) => [start, await start.line(/^Listening on/)] as const)
      const [winner] = await within('one to be ready', Promise.any(ready))
      for (const { exited, stderr } of starts.filter((start) => start !== winner)) {
        expect(await within('the others to end', exited)).toEqual({ code: 1, signal: null })
        expect(stderr()).toContain(`pid ${winner.pid}, socket ${await home.socket()}, http://127.0.0.1:`)
      }
    } finally {
      for (const { child } of starts) child.kill()
      await Promise.all(starts.map(({ exited }) => exited))
    }
  })
})
