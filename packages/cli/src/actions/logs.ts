import { locateHome } from '@signalbox/daemon/platform/home'
import { type Action, outputOf } from '../context.ts'
import { followLines, lastLines } from '../log-file.ts'
import { renderRecord } from '../log-record.ts'
import { copy, guard, print } from '../output.ts'
import { wantsColor } from '../terminal.ts'

async function* rendered(
  lines: AsyncIterable<string> | Iterable<string>,
  render: (line: string) => string,
): AsyncGenerator<string> {
  for await (const line of lines) if (line !== '') yield `${render(line)}\n`
}

export const logs: Action = async ({ invocation, env, stdout }) => {
  const { logFile } = locateHome(env)
  const count = Number(invocation.flags.get('lines'))
  const color = wantsColor(stdout, env)
  const render = outputOf(invocation) === 'json' ? (line: string) => line : (line: string) => renderRecord(line, color)
  if (invocation.flags.has('follow')) {
    await copy(rendered(followLines(logFile, count), render), stdout)
    return 0
  }
  const lines = await lastLines(logFile, count)
  if (lines === null)
    await print(guard(process.stderr), `no log yet: the daemon has not run on this home (${logFile})\n`)
  else await copy(rendered(lines, render), stdout)
  return 0
}
