/** The command line. What every run needs is imported here; the rest is loaded by the command that needs it. */
import { SignalboxError } from '@signalbox/contract/errors'
import { explain } from './actions/explain.ts'
import { show } from './actions/show.ts'
import type { ActionName } from './command.ts'
import type { Action } from './context.ts'
import { guard, print } from './output.ts'
import { parse } from './parse.ts'

const cold = () => import('./cold.ts')

const ACTIONS: { readonly [name in ActionName]: () => Action | Promise<Action> } = {
  show: () => show,
  explain: () => explain,
  refresh: async () => (await cold()).refresh,
  'auth-list': async () => (await cold()).authList,
  'auth-add': async () => (await cold()).authAdd,
  'auth-remove': async () => (await cold()).authRemove,
  'auth-test': async () => (await cold()).authTest,
  'daemon-run': async () => (await cold()).daemonRun,
  'daemon-start': async () => (await cold()).daemonStart,
  'daemon-stop': async () => (await cold()).daemonStop,
  'daemon-status': async () => (await cold()).daemonStatus,
  'config-path': async () => (await cold()).configPath,
  'config-check': async () => (await cold()).configCheck,
  logs: async () => (await cold()).logs,
  completion: async () => (await cold()).completion,
  complete: async () => (await cold()).complete,
  version: async () => (await cold()).version,
  help: async () => (await cold()).help,
}

async function main(argv: readonly string[]): Promise<number> {
  const { env, stdout } = process
  guard(stdout)
  let output: string | undefined
  try {
    const invocation = parse(argv)
    output = invocation.flags.get('output')
    const home = invocation.flags.get('home')
    // in the environment, because the daemon that we may start or become reads it there
    if (home !== undefined) env.SIGNALBOX_HOME = home
    if (invocation.flags.has('offline')) env.SIGNALBOX_OFFLINE = '1'
    const action = await ACTIONS[invocation.command.action]()
    const program = import.meta.url
    const start = async () => (await cold()).startDaemon(program, env)
    return await action({ invocation, program, start, env, stdout })
  } catch (error) {
    const { reportError, withoutQuotes } = await cold()
    const asJson =
      (output === 'json' || output === 'jsonl') && !(error instanceof SignalboxError && error.code === 'usage')
    const { text, exit } = reportError(withoutQuotes(error, argv), asJson)
    await print(guard(process.stderr), text)
    return exit
  }
}

// Not awaited at the top: the bundle is CommonJS. `main` reports everything itself, so it never rejects.
void main(process.argv.slice(2)).then((code) => {
  process.exitCode = code
})
