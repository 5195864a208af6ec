/** How a daemon ends: asked once, asked twice, as a terminal asks it. */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type RunningDaemon, startDaemon } from '../harness/daemon.ts'
import { overSocket } from '../harness/http.ts'
import { run, SIGNALBOX } from '../harness/process.ts'
import { tempHome } from '../harness/temp-home.ts'
import { until, within } from '../harness/until.ts'

const ROOT = dirname(dirname(SIGNALBOX))

/** Half a request: the daemon waits a moment for the rest of it before it stops. */
async function halfARequest(daemon: RunningDaemon): Promise<Disposable> {
  const socket = connect(daemon.status.socket)
  socket.on('error', () => {}) // it will be cut
  await new Promise<void>((resolve) => socket.once('connect', resolve))
  socket.write('GET /api/daemon HTTP/1.1\r\nHost: localhost\r\nX-Half')
  return { [Symbol.dispose]: () => socket.destroy() }
}

describe('a daemon in the foreground', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'ends with 0 at %s and leaves no socket and no lock',
    async (signal) => {
      await using home = await tempHome()
      const daemon = await startDaemon({ home })
      expect(await daemon.stop(signal)).toEqual({ code: 0, signal: null })
      expect(daemon.stdout()).toContain(`Stopping: ${signal}.`)
      expect(daemon.stderr()).toBe('')
      expect(existsSync(daemon.status.socket)).toBe(false)
      await using next = await startDaemon({ home })
      expect(next.pid).not.toBe(daemon.pid)
    },
  )

  it('ends at once at the second SIGINT, although a client keeps it waiting, and the next one starts', async () => {
    await using home = await tempHome()
    const daemon = await startDaemon({ home })
    using _client = await halfARequest(daemon)
    process.kill(daemon.pid, 'SIGINT')
    await until('the daemon to say that it stops', () => daemon.stdout().includes('Stopping: SIGINT.'))
    let ended = false
    const exited = daemon.exited.finally(() => {
      ended = true
    })
    // an impatient person presses again and again; without that it would wait for the client, and end with 0
    await until('the daemon to end', () => ended || (process.kill(daemon.pid, 'SIGINT') && false))
    expect(await exited).toEqual({ code: 130, signal: null })
    await using next = await startDaemon({ home })
    expect((await next.overSocket('/api/daemon')).status).toBe(200)
  })

  it('does not wait for long for a client that never finishes its request', async () => {
    await using home = await tempHome()
    const daemon = await startDaemon({ home })
    using _client = await halfARequest(daemon)
    expect(await daemon.stop()).toEqual({ code: 0, signal: null })
    expect(existsSync(daemon.status.socket)).toBe(false)
  })

  it('says its whereabouts as one line of JSON with -o json', async () => {
    await using home = await tempHome()
    const daemon = await startDaemon({ home, args: ['-o', 'json'] })
    await daemon.stop()
    const lines = daemon.stdout().trimEnd().split('\n')
    expect(lines).toHaveLength(1)
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ pid: daemon.pid, url: daemon.url })
  })

  it('goes on when whoever read its output is gone', async () => {
    await using home = await tempHome()
    const daemon = await run(SIGNALBOX, ['daemon', 'run'], { env: home.env })
    await within('the daemon to be ready', daemon.line(/Press Ctrl-C to stop/))
    const socket = await home.socket()
    daemon.child.stdout?.destroy()
    daemon.child.stderr?.destroy()
    expect((await overSocket(home, '/api/daemon')).status).toBe(200)
    daemon.child.kill('SIGINT')
    expect(await within('the daemon to end', daemon.exited)).toEqual({ code: 0, signal: null })
    expect(existsSync(socket)).toBe(false)
  })
})

describe('a daemon in a terminal, by the command of npm start', () => {
  it('ends with 0 at Ctrl-C, with the socket gone', async () => {
    await using home = await tempHome()
    const { scripts }: { readonly scripts: { readonly start: string } } = JSON.parse(
      await readFile(join(ROOT, 'package.json'), 'utf8'),
    )
    const terminal = await run('script', ['-qec', scripts.start, '/dev/null'], { env: home.env, cwd: ROOT })
    await within('the daemon to be ready', terminal.line(/Press Ctrl-C to stop/))
    const socket = await home.socket()
    terminal.child.stdin?.write('\u0003')
    expect(await within('it to end', terminal.exited)).toEqual({ code: 0, signal: null })
    expect(terminal.stdout()).toContain('Stopping: SIGINT.')
    expect(existsSync(socket)).toBe(false)
  })
})
