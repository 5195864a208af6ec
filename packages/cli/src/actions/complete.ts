import { exchange, textOf } from '../client.ts'
import { type Candidate, candidatesFor, type Ids } from '../complete.ts'
import { reach } from '../connect.ts'
import type { Action } from '../context.ts'
import { expectSuccess } from '../daemon-call.ts'
import { print } from '../output.ts'
import { printable } from '../sanitize.ts'

/** Somebody waits with a finger on Tab. */
const TAB_PATIENCE = 1_000

/** The values of one key in the records of a route; none when no daemon runs, which is never started for this. */
async function valuesIn(env: NodeJS.ProcessEnv, path: string, key: string): Promise<readonly string[]> {
  const socket = await reach(env)
  if (socket === null) return []
  const answer = await exchange(socket, { method: 'GET', path, accept: 'application/x-ndjson', patience: TAB_PATIENCE })
  const lines = (await textOf(await expectSuccess(answer))).split('\n').filter((line) => line !== '')
  const values = lines.map((line) => (JSON.parse(line) as Readonly<Record<string, unknown>>)[key])
  return [...new Set(values.filter((value) => typeof value === 'string'))].sort()
}

function idsFrom(env: NodeJS.ProcessEnv): Ids {
  const status = '/api/providers/models/status'
  return {
    providers: () => valuesIn(env, status, 'provider_id'),
    sources: () => valuesIn(env, status, 'source_id'),
    models: (provider) => valuesIn(env, `/api/providers/${encodeURIComponent(provider)}/models`, 'model_id'),
  }
}

const lineOf = ({ value, description }: Candidate) => `${printable(value)}\t${printable(description)}\n`

export const complete: Action = async ({ invocation, env, stdout }) => {
  const words = invocation.args
  const home = words[words.indexOf('--home') + 1]
  const where = words.includes('--home') && home ? { ...env, SIGNALBOX_HOME: home } : env
  const found = await candidatesFor(words, idsFrom(where))
  await print(stdout, found.map(lineOf).join(''))
  return 0
}
