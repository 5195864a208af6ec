import { readFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { DaemonStatus } from '@signalbox/contract/daemon'
import { SignalboxError } from '@signalbox/contract/errors'
import { exchange, textOf } from '../client.ts'
import { notRunning, reach } from '../connect.ts'
import { type Action, type Context, outputOf } from '../context.ts'
import { expectSuccess, READ_PATIENCE } from '../daemon-call.ts'
import { copy, print } from '../output.ts'
import { pathOf, representation, showPath } from './show.ts'

const STATUS_ROUTE = '/api/daemon'
const STOP_DEADLINE = 15_000
const LOOK_EVERY = 20

interface DaemonProgram {
  readonly runDaemon: (options: { readonly foreground: boolean; readonly json?: boolean }) => Promise<number>
}

const isDaemonProgram = (module: unknown): module is DaemonProgram =>
  typeof module === 'object' && module !== null && 'runDaemon' in module && typeof module.runDaemon === 'function'

export const daemonRun: Action = async ({ invocation, program }) => {
  // a variable, so that the bundler leaves the daemon in its own file
  const file = new URL('./daemon.mjs', program).href
  const module: unknown = await import(file)
  if (!isDaemonProgram(module)) throw new SignalboxError('internal', `${file} is not the daemon`)
  return module.runDaemon({ foreground: !invocation.flags.has('background'), json: outputOf(invocation) === 'json' })
}

async function statusOn(socket: Socket): Promise<DaemonStatus> {
  const answer = await exchange(socket, { method: 'GET', path: STATUS_ROUTE, patience: READ_PATIENCE })
  return JSON.parse(await textOf(await expectSuccess(answer))) as DaemonStatus
}

function alreadyRunning({ pid, socket, url }: DaemonStatus): SignalboxError {
  const where = [`pid ${pid}`, `socket ${socket}`, ...(url === null ? [] : [url])].join(', ')
  return new SignalboxError('already_running', `a daemon already runs on this home: ${where}`, {
    hint: 'signalbox daemon status',
  })
}

export const daemonStart: Action = async (context) => {
  const { env, start, stdout } = context
  const running = await reach(env)
  if (running !== null) throw alreadyRunning(await statusOn(running))
  const { socket, started } = await start()
  if (!started) throw alreadyRunning(await statusOn(socket))
  const answer = await exchange(socket, {
    method: 'GET',
    path: STATUS_ROUTE,
    ...representation(context),
    patience: READ_PATIENCE,
  })
  await copy((await expectSuccess(answer)).body, stdout)
  return 0
}

export const daemonStatus: Action = async (context) => {
  const { invocation } = context
  const flags = new Map([...invocation.flags, ['no-start', 'true']])
  return showPath({ ...context, invocation: { ...invocation, flags } }, pathOf(invocation), READ_PATIENCE)
}

/** A process that ended but whose parent has not asked for its exit code still takes signals; only Linux tells. */
function lives(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM' // ESRCH: gone
  }
  if (process.platform !== 'linux') return true
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))
  } catch {
    return false // it went between the two looks
  }
}

async function isGone({ env }: Context, pid: number): Promise<boolean> {
  const socket = await reach(env)
  socket?.destroy()
  return socket === null && !lives(pid)
}

export const daemonStop: Action = async (context) => {
  const { env, invocation, stdout } = context
  const socket = await reach(env)
  if (socket === null) {
    await print(stdout, `${notRunning().message}\n`)
    return 0
  }
  const { pid } = await statusOn(socket)
  const asking = await reach(env)
  if (asking !== null) {
    const answer = await exchange(asking, { method: 'POST', path: pathOf(invocation), patience: READ_PATIENCE })
    await textOf(await expectSuccess(answer))
  }
  const deadline = performance.now() + STOP_DEADLINE
  while (!(await isGone(context, pid))) {
    if (performance.now() > deadline)
      throw new SignalboxError('internal', `the daemon (pid ${pid}) is still stopping`, { hint: 'signalbox logs' })
    await delay(LOOK_EVERY)
  }
  await print(stdout, `the daemon (pid ${pid}) has stopped\n`)
  return 0
}
