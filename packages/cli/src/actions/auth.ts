import type { Answer } from '../client.ts'
import type { Invocation } from '../command.ts'
import type { Action, Context } from '../context.ts'
import { ask, expectSuccess, READ_PATIENCE } from '../daemon-call.ts'
import { copy, guard, print } from '../output.ts'
import { readKey } from './auth-key.ts'
import { notAsArgument } from './auth-usage.ts'
import { pathOf, representation, showPath } from './show.ts'

/** Longer than any provider's id, shorter than most keys; and how keys begin. */
const PROVIDER_MAX = 40
const LOOKS_LIKE_KEY = /^[a-z]{2,4}[-_].{16,}$/

export const authList: Action = (context) => {
  const { args, flags } = context.invocation
  const [provider] = args
  const pairs = [
    ...(provider === undefined ? [] : [`provider_id=${encodeURIComponent(provider)}`]),
    ...(flags.has('all') ? ['all=true'] : []),
  ]
  const path = pathOf({ ...context.invocation, args: [] })
  return showPath(context, pairs.length === 0 ? path : `${path}?${pairs.join('&')}`, READ_PATIENCE)
}

const nameIn = ({ flags }: Invocation): Readonly<Record<string, string>> => {
  const name = flags.get('name')
  return name === undefined ? {} : { name }
}

/** Prints what the daemon answers. */
async function post(
  context: Context,
  body: Readonly<Record<string, string>>,
  patience: number | null,
): Promise<Answer> {
  const request = {
    method: 'POST',
    path: pathOf(context.invocation),
    ...representation(context),
    body,
    patience,
  } as const
  const answer = await expectSuccess(await ask(context, request))
  await copy(answer.body, context.stdout)
  return answer
}

const exitOf = (answer: Answer): number => (answer.headers.get('signalbox-outcome') === 'succeeded' ? 0 : 1)

export const authAdd: Action = async (context) => {
  const [provider = ''] = context.invocation.args
  if (provider.length > PROVIDER_MAX || LOOKS_LIKE_KEY.test(provider)) throw notAsArgument()
  const api_key = await readKey(provider, process.stdin, guard(process.stderr))
  // The answer says whether the provider took it. It is stored either way, which is what was asked for.
  await post(context, { api_key, ...nameIn(context.invocation) }, READ_PATIENCE)
  return 0
}

export const authRemove: Action = async (context) => {
  const exit = exitOf(await post(context, nameIn(context.invocation), READ_PATIENCE))
  if (exit !== 0) await print(guard(process.stderr), 'error: nothing is stored under this name\n')
  return exit
}

/** As long as the provider takes. */
export const authTest: Action = async (context) => exitOf(await post(context, {}, null))
