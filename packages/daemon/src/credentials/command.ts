/**
 * Command references: `!cmd …` stands for the first line that a program prints. Run without a shell, with a deadline, a
 * cap on its output, and an environment without secrets. Neither its line nor its output is ever in an error.
 */
import { CommandError } from '../processes/command-error.ts'
import { programOutput } from '../processes/program-output.ts'
import { splitWords } from '../processes/words.ts'
import { childEnvironment } from './child-environment.ts'
import type { MakeSecret, Secret } from './secret.ts'
import { type Environment, readValue } from './value.ts'

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
  const output = await programOutput(program, args, {
    environment: childEnvironment(options.environment, options.keep),
    directory: options.directory,
    signal: options.signal,
    timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
    maxBytes: OUTPUT_MAX,
  })
  const read = readValue(decode(firstLine(output)))
  if (read.kind === 'value') return options.secret(read.value)
  throw new CommandError(read.kind === 'malformed' ? 'malformed_output' : 'no_output')
}

function firstLine(output: Buffer): Buffer {
  const end = output.indexOf(LINE_FEED)
  return end < 0 ? output : output.subarray(0, end)
}

/** Bytes that are not UTF-8 become U+FFFD, which no key may hold. */
const decode = (bytes: Buffer): string => bytes.toString('utf8')
