import type { ConfigCheck, ConfigProblem } from '@signalbox/contract/daemon'
import { locateHome } from '@signalbox/daemon/platform/home'
import { textOf } from '../client.ts'
import { type Action, outputOf } from '../context.ts'
import { ask, expectSuccess, READ_PATIENCE } from '../daemon-call.ts'
import { print } from '../output.ts'
import { printable } from '../sanitize.ts'
import { pathOf } from './show.ts'

export const configPath: Action = async ({ env, stdout }) => {
  await print(stdout, `${locateHome(env).configFile}\n`)
  return 0
}

/** `file:line:column`, which editors and terminals turn into a link. */
function describe({ file, line, column, message }: ConfigProblem): string {
  const place = [file, line, column].filter((part) => part !== null).join(':')
  return printable(`${place}: ${message}`)
}

/** The exit code depends on the body, so this one is read here whatever form is asked for. */
export const configCheck: Action = async (context) => {
  const { invocation, stdout } = context
  const answer = await ask(context, { method: 'GET', path: pathOf(invocation), patience: READ_PATIENCE })
  const text = await textOf(await expectSuccess(answer))
  const check = JSON.parse(text) as ConfigCheck
  const lines = check.ok ? [`${printable(check.file)} is fine`] : check.problems.map(describe)
  await print(stdout, outputOf(invocation) === 'json' ? text : `${lines.join('\n')}\n`)
  return check.ok ? 0 : 1
}
