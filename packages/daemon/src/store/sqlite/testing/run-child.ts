/** Programs that tests run in a process of their own, because they are killed or need a disk of their own. */
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'

export interface Ended {
  readonly lines: readonly string[]
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

/** Run to the end. `onLine` sees each line as it is printed and may kill the child. */
export async function runChild(
  command: readonly [string, ...string[]],
  onLine: (line: string, child: ChildProcessByStdio<null, Readable, null>) => void = () => {},
): Promise<Ended> {
  const [program, ...args] = command
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const lines: string[] = []
  const printed = createInterface({ input: child.stdout })
  printed.on('line', (line) => {
    lines.push(line)
    onLine(line, child)
  })
  const [[code, signal]] = await Promise.all([once(child, 'close'), once(printed, 'close')])
  return { lines, code, signal }
}
