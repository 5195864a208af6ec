/** A program that is run for what it prints: without a shell, in a group of its own, with a deadline and a cap. */
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import { systemErrorCode } from '../platform/system-error.ts'
import { CommandError } from './command-error.ts'

export interface ProgramOptions {
  /** All of it: nothing is inherited. */
  readonly environment: Record<string, string>
  readonly directory: string
  readonly signal: AbortSignal
  readonly timeoutMs: number
  readonly maxBytes: number
}

/** What it printed, once it has ended well. Otherwise a `CommandError`, which holds neither its line nor its output. */
export async function programOutput(
  program: string,
  args: readonly string[],
  options: ProgramOptions,
): Promise<Buffer> {
  if (options.signal.aborted) throw new CommandError('stopped')
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const child = start(program, args, options)
  const chunks: Buffer[] = []
  let size = 0
  let ended: CommandError | null = null
  const end = (error: CommandError) => {
    ended ??= error
    killGroup(child.pid)
    // A program that left its group may hold the pipe open; we are done with it all the same.
    child.stdout.destroy()
  }
  const onAbort = () => end(new CommandError('stopped'))
  const timer = setTimeout(() => end(new CommandError('timed_out')), options.timeoutMs)
  options.signal.addEventListener('abort', onAbort, { once: true })
  child.stdout.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > options.maxBytes) end(new CommandError('too_much_output'))
    else chunks.push(chunk)
  })
  child.on('error', () => {
    ended ??= new CommandError('not_started')
    reject(ended)
  })
  child.on('close', (code) => {
    if (ended !== null) reject(ended)
    else if (code !== 0) reject(new CommandError('failed'))
    else resolve(Buffer.concat(chunks))
  })
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    options.signal.removeEventListener('abort', onAbort)
  }
}

/** In a group of its own, so that what it started ends with it. */
function start(
  program: string,
  args: readonly string[],
  options: ProgramOptions,
): ChildProcessByStdio<null, Readable, null> {
  return spawn(program, [...args], {
    shell: false,
    detached: true,
    cwd: options.directory,
    env: options.environment,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    // Expected: it ended by itself in this moment.
    if (systemErrorCode(error) !== 'ESRCH') throw error
  }
}
