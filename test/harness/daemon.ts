/** The real daemon, started as people start it: `await using daemon = await startDaemon({ home })`. */
import { DaemonStatus } from '../../packages/contract/src/daemon.ts'
import { overSocket, overTcp, type Received, type Sent } from './http.ts'
import { type Exit, run, SIGNALBOX } from './process.ts'
import type { TempHome } from './temp-home.ts'
import { within } from './until.ts'

export interface StartOptions {
  readonly home: TempHome
  /** Text of `config.toml`, written first. */
  readonly config?: string
  readonly env?: NodeJS.ProcessEnv
  /** After `daemon run`. */
  readonly args?: readonly string[]
  /** Another launcher, such as one from a packed install. */
  readonly program?: string
}

export interface RunningDaemon extends AsyncDisposable {
  readonly home: TempHome
  readonly pid: number
  /** What `GET /api/daemon` answered when it had started. */
  readonly status: DaemonStatus
  /** Its TCP address. Throws when it listens on the socket only. */
  readonly url: string
  readonly exited: Promise<Exit>
  stdout(): string
  stderr(): string
  overSocket(path: string, sent?: Sent): Promise<Received>
  overTcp(path: string, sent?: Sent): Promise<Received>
  /** SIGTERM by default; resolves when it has ended and its output is complete. */
  stop(signal?: NodeJS.Signals): Promise<Exit>
}

/** `Listening on …`, or the first JSON line with `--json`. */
const READY = /^(?:Listening on\b|\{)/

export async function startDaemon(options: StartOptions): Promise<RunningDaemon> {
  const { home, config, env, args = [], program = SIGNALBOX } = options
  if (config !== undefined) await home.configure(config)
  const daemon = await run(program, ['daemon', 'run', ...args], { env: { ...home.env, ...env } })

  const stop = async (signal: NodeJS.Signals = 'SIGTERM') => {
    if (daemon.child.exitCode === null && daemon.child.signalCode === null) daemon.child.kill(signal)
    try {
      return await within(`the daemon to end after ${signal}`, daemon.exited)
    } catch (error) {
      daemon.child.kill('SIGKILL') // it did not end in time: leave nothing behind, and fail the test
      throw error
    }
  }

  const askStatus = async () => {
    await within('the ready line of the daemon', daemon.line(READY))
    const answer = await overSocket(home, '/api/daemon')
    if (answer.status !== 200) throw new Error(`GET /api/daemon answered ${answer.status}: ${answer.text()}`)
    return DaemonStatus.parse(answer.json())
  }

  let status: DaemonStatus
  try {
    status = await askStatus()
  } catch (error) {
    await stop('SIGKILL') // a daemon that did not become ready has no owner but us
    throw new Error(`The daemon did not start:\n${daemon.stdout()}${daemon.stderr()}`, { cause: error })
  }
  const url = () => {
    if (status.url === null) throw new Error('This daemon does not listen on TCP')
    return status.url
  }
  return {
    home,
    pid: daemon.pid,
    status,
    get url() {
      return url()
    },
    exited: daemon.exited,
    stdout: daemon.stdout,
    stderr: daemon.stderr,
    overSocket: (path, sent) => overSocket(home, path, sent),
    overTcp: async (path, sent) => overTcp(home, url(), path, sent),
    stop,
    async [Symbol.asyncDispose]() {
      await stop()
    },
  }
}
