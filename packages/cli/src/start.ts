/** Starting the daemon in the background, and waiting until it answers. */
import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { ERRORS, type ErrorCode, SignalboxError } from '@signalbox/contract/errors'
import { locateHome } from '@signalbox/daemon/platform/home'
import { AnsweredError } from './answered-error.ts'
import { reach } from './connect.ts'
import type { Started } from './context.ts'

const START_DEADLINE = 15_000
/** How long to look for the socket of a daemon that another process started, before trying to start one again. */
const PEER_PATIENCE = 1_000
const RETRY_EVERY = 25
const WORD_MAX = 64 * 1024

const hint = 'signalbox daemon run'
/** As in bin/signalbox. */
const NODE_OPTIONS = ['--max-semi-space-size=2']

/** The first line on the pipe; empty when it closes without one. */
async function firstLine(pipe: Readable): Promise<string> {
  let text = ''
  for await (const chunk of pipe.setEncoding('utf8') as AsyncIterable<string>) {
    text += chunk
    const end = text.indexOf('\n')
    if (end >= 0) return text.slice(0, end)
    if (text.length > WORD_MAX) break
  }
  return text
}

/** What the child said on file descriptor 3: `ready`, or why not. */
async function spawnDaemon(
  program: string,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<SignalboxError | 'ready'> {
  const { spawn } = await import('node:child_process') // slow to load, and most commands find a daemon
  const child = spawn(process.execPath, [...NODE_OPTIONS, fileURLToPath(program), 'daemon', 'run', '--background'], {
    // not ours: it must outlive this terminal, hold no directory of the user's, and find the home from anywhere
    cwd: '/',
    detached: true,
    env: { ...env, SIGNALBOX_HOME: locateHome(env).dir },
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  child.unref()
  const { promise: failed, reject } = Promise.withResolvers<never>()
  child.once('error', (error) =>
    reject(
      new SignalboxError(
        'daemon_unavailable',
        `the daemon cannot be started: ${error.message}`,
        { hint },
        { cause: error },
      ),
    ),
  )
  const late = () =>
    reject(
      new SignalboxError('daemon_unavailable', `the daemon was not ready within ${START_DEADLINE / 1000} s`, {
        hint: 'signalbox logs',
      }),
    )
  signal.addEventListener('abort', late, { once: true })
  const pipe = child.stdio[3] as Readable
  try {
    return wordOf(await Promise.race([firstLine(pipe), failed]))
  } catch (error) {
    // Nobody waits for it any more, and one that hangs would do so for ever.
    child.kill('SIGKILL')
    throw error
  } finally {
    signal.removeEventListener('abort', late)
    pipe.destroy()
  }
}

function wordOf(line: string): SignalboxError | 'ready' {
  if (line === '') return new SignalboxError('daemon_unavailable', 'the daemon ended while it started', { hint })
  if (line.startsWith('{"ready":true')) return 'ready'
  const { error } = AnsweredError.parse(500, line).body
  const code = Object.keys(ERRORS).find((name): name is ErrorCode => name === error.code) ?? 'internal'
  return new SignalboxError(code, error.message, error)
}

async function reachUntil(env: NodeJS.ProcessEnv, deadline: number): Promise<Socket | null> {
  for (;;) {
    const socket = await reach(env)
    if (socket !== null || performance.now() >= deadline) return socket
    await delay(RETRY_EVERY)
  }
}

/**
 * Starts a daemon; says `started` when it was ours that came up. When another one holds the home, which is how fifty
 * commands at once end with one daemon, waits for that one instead; should it be on its way out, tries again.
 */
export async function startDaemon(program: string, env: NodeJS.ProcessEnv): Promise<Started> {
  const end = performance.now() + START_DEADLINE
  const signal = AbortSignal.timeout(START_DEADLINE)
  for (;;) {
    const word = await spawnDaemon(program, env, signal)
    if (word !== 'ready' && word.code !== 'already_running') throw word
    const socket = await reachUntil(env, Math.min(end, performance.now() + PEER_PATIENCE))
    if (socket !== null) return { socket, started: word === 'ready' }
    if (performance.now() >= end) {
      const who = word === 'ready' ? 'the daemon says that it is ready' : 'another daemon holds this home'
      throw new SignalboxError('daemon_unavailable', `${who}, but nothing answers on its socket`, {
        hint: 'signalbox logs',
      })
    }
  }
}
