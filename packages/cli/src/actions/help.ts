import type { Action } from '../context.ts'
import { helpPage } from '../help.ts'
import { print } from '../output.ts'
import { wantsColor } from '../terminal.ts'

export const help: Action = async ({ invocation, stdout, env }) => {
  const bold = wantsColor(stdout, env) ? (text: string) => `\u001b[1m${text}\u001b[0m` : undefined
  await print(stdout, helpPage(invocation.args, bold))
  return 0
}
