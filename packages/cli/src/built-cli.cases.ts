/** For end-to-end tests: the CLI bundled as it is shipped, run as a process of its own on a home of its own. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildAll } from '../../../scripts/build.ts'

export interface Run {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface BuiltCli extends Disposable {
  readonly dir: string
  readonly program: string
  run(home: string, args: readonly string[], env?: NodeJS.ProcessEnv): Promise<Run>
  spawn(home: string, args: readonly string[]): ChildProcess
}

const ROOT = join(import.meta.dirname, '..', '..', '..')
const QUIET = { NO_COLOR: undefined, FORCE_COLOR: undefined, NODE_OPTIONS: undefined }

export async function buildCli(): Promise<BuiltCli> {
  const dir = mkdtempSync(join(tmpdir(), 'signalbox-cli-'))
  await buildAll(ROOT, dir, [{ name: 'cli', entry: 'packages/cli/src/main.ts', format: 'cjs' }])
  const program = join(dir, 'cli.cjs')
  const start = (home: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
    spawn(process.execPath, [program, ...args], {
      env: { ...process.env, ...QUIET, SIGNALBOX_HOME: home, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  return {
    dir,
    program,
    spawn: start,
    run: (home, args, env) => finish(start(home, args, env)),
    [Symbol.dispose]: () => rmSync(dir, { recursive: true, force: true }),
  }
}

export function finish(child: ChildProcess): Promise<Run> {
  const { promise, resolve, reject } = Promise.withResolvers<Run>()
  const said = { stdout: '', stderr: '' }
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (said.stdout += text))
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (said.stderr += text))
  child.once('error', reject)
  child.once('close', (code) => resolve({ code, ...said }))
  return promise
}

/** Short, because a socket's path may hold 103 bytes only. */
export const newHome = (): string => mkdtempSync(join(tmpdir(), 'sbx-'))
