/** One child process, with its output collected and its end awaited. */
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'

/** The launcher that people run: tests start the product the same way. */
export const SIGNALBOX = join(import.meta.dirname, '..', '..', 'bin', 'signalbox')

export interface Exit {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

export interface Running {
  readonly child: ChildProcess
  readonly pid: number
  /** Everything written so far. */
  stdout(): string
  stderr(): string
  /** The first complete line of stdout that matches, also one already written. Rejects when the output ends without. */
  line(wanted: RegExp): Promise<string>
  readonly exited: Promise<Exit>
}

export interface RunOptions {
  readonly env: NodeJS.ProcessEnv
  readonly cwd?: string | undefined
}

/** Starts a program and waits until it runs. Rejects when it cannot be started. */
export async function run(program: string, args: readonly string[], options: RunOptions): Promise<Running> {
  const child = spawn(program, args, { env: options.env, cwd: options.cwd, stdio: 'pipe' })
  const exited = new Promise<Exit>((resolve) => child.once('close', (code, signal) => resolve({ code, signal })))
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    stdout += chunk
  })
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    stderr += chunk
  })
  // A child that exits before it has read its input closes the pipe; its exit code is what tells.
  child.stdin.on('error', () => {})
  await new Promise<void>((resolve, reject) => child.once('spawn', resolve).once('error', reject))
  if (child.pid === undefined) throw new Error(`${program} started without a process id`)

  const line = (wanted: RegExp) =>
    new Promise<string>((resolve, reject) => {
      const look = () => {
        const found = stdout
          .split('\n')
          .slice(0, -1)
          .find((text) => wanted.test(text))
        if (found === undefined) return
        child.stdout.off('data', look)
        resolve(found)
      }
      child.stdout.on('data', look)
      look()
      void exited.then(({ code, signal }) =>
        reject(new Error(`${program} ended (${signal ?? code}) without a line like ${wanted}:\n${stdout}${stderr}`)),
      )
    })
  return { child, pid: child.pid, stdout: () => stdout, stderr: () => stderr, line, exited }
}
