/** Runs one CLI command to its end. */
import { run, SIGNALBOX } from './process.ts'
import type { TempHome } from './temp-home.ts'
import { within } from './until.ts'

export interface CliOptions {
  readonly env?: NodeJS.ProcessEnv
  readonly cwd?: string
  /** Standard input; empty and closed when not given. */
  readonly input?: string
  /** On a terminal, through `script`: stdout then holds both outputs, with CR LF, and stderr is empty. */
  readonly tty?: boolean
  readonly program?: string
}

export interface CliResult {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

/** `script` gives a command a terminal; Linux and macOS take its arguments differently. */
function onTerminal(command: readonly string[]): readonly [string, readonly string[]] {
  if (process.platform === 'darwin') return ['script', ['-q', '/dev/null', ...command]]
  return ['script', ['-qec', command.map(quote).join(' '), '/dev/null']]
}

export async function runCli(home: TempHome, args: readonly string[], options: CliOptions = {}): Promise<CliResult> {
  const { env, cwd, input = '', tty = false, program = SIGNALBOX } = options
  const [file, all] = tty ? onTerminal([program, ...args]) : [program, args]
  const command = await run(file, all, { env: { ...home.env, ...env }, cwd })
  command.child.stdin?.end(input)
  try {
    const exit = await within(`signalbox ${args.join(' ')}`, command.exited)
    return { ...exit, stdout: command.stdout(), stderr: command.stderr() }
  } catch (error) {
    command.child.kill('SIGKILL') // it hangs: leave nothing behind, and fail the test
    throw error
  }
}
