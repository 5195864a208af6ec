import { COMPLETION_SCRIPTS } from '../completion-scripts.ts'
import type { Action } from '../context.ts'
import { print } from '../output.ts'

export const completion: Action = async ({ invocation, stdout }) => {
  await print(stdout, COMPLETION_SCRIPTS[invocation.args[0] ?? ''] ?? '')
  return 0
}
