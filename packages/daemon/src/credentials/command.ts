/**
 * Command references: `!cmd …` stands for the first line that a program prints. Run without a shell, with a deadline, a
 * cap on its output, and an environment without secrets. Neither its line nor its output is ever in an error.
 */
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import { systemErrorCode } from '../platform/system-error.ts'
import { childEnvironment } from './child-environment.ts'
import { CommandError } from './command-error.ts'
import type { MakeSecret, Secret } from './secret.ts'
import { type Environment, readValue } from './value.ts'
import { splitWords } from './words.ts'

export const isCommandReference = (text: string): boolean => text.startsWith('!')

export interface CommandOptions {
  readonly environment: Environment
  /** Names that look secret and are passed on all the same, such as a password manager's own. */
  readonly keep?: readonly string[]
  /** Never a project's directory: a relative name in the line must not mean what a repository wants. */
  readonly directory: string
  readonly secret: MakeSecret
  readonly signal: AbortSignal
  readonly timeoutMs?: number
}

const TIMEOUT_MS = 10_000
const OUTPUT_MAX = 65_536
const LINE_FEED = 0x0a

export async function runCommand(reference: string, options: CommandOptions): Promise<Secret> {
  const [program, ...args] = splitWords(reference.slice(1))
  if (program === undefined || program === '') throw new CommandError('no_command')
  const read = readValue(decode(firstLine(await outputOf(program, args, options))))
  if (read.kind === 'value') return options.secret(read.value)
  throw new CommandError(read.kind === 'malformed' ? 'malformed_output' : 'no_output')
}

async function outputOf(program: string, args: readonly string[], options: CommandOptions): Promise<Buffer> {
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
  const timer = setTimeout(() => end(new CommandError('timed_out')), options.timeoutMs ?? TIMEOUT_MS)
  options.signal.addEventListener('abort', onAbort, { once: true })
  child.stdout.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > OUTPUT_MAX) end(new CommandError('too_much_output'))
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
  options: CommandOptions,
): ChildProcessByStdio<null, Readable, null> {
  return spawn(program, [...args], {
    shell: false,
    detached: true,
    cwd: options.directory,
    env: childEnvironment(options.environment, options.keep),
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

function firstLine(output: Buffer): Buffer {
  const end = output.indexOf(LINE_FEED)
  return end < 0 ? output : output.subarray(0, end)
}

/** Bytes that are not UTF-8 become U+FFFD, which no key may hold. */
const decode = (bytes: Buffer): string => bytes.toString('utf8')
