import { SignalboxError } from '@signalbox/contract/errors'
import { type Answer, exchange } from '../client.ts'
import { type Invocation, takesValue } from '../command.ts'
import type { Action, Context } from '../context.ts'
import { connectOrStart, expectSuccess } from '../daemon-call.ts'
import { copy, guard } from '../output.ts'
import { Progress } from '../progress.ts'
import { pathOf, representation } from './show.ts'

function bodyOf({ command, flags }: Invocation): Readonly<Record<string, string | boolean>> {
  const given = command.flags.flatMap((flag) => {
    const value = flags.get(flag.name)
    return flag.field === undefined || value === undefined
      ? []
      : [[flag.field, takesValue(flag) ? value : true] as const]
  })
  return Object.fromEntries(given)
}

async function ask(context: Context, requestId: string): Promise<Answer> {
  const { invocation } = context
  const body = { ...bodyOf(invocation), request_id: requestId }
  const request = {
    method: 'POST',
    path: pathOf(invocation),
    ...representation(context),
    body,
    patience: null,
  } as const
  const socket = await connectOrStart(context)
  if (invocation.flags.has('quiet')) return exchange(socket, request)
  await using progress = await Progress.open(socket, requestId, guard(process.stderr))
  const answer = await exchange(await connectOrStart(context), request)
  const tried = ['succeeded', 'failed'].includes(answer.headers.get('signalbox-outcome') ?? '')
  if (tried) await progress.caughtUp()
  return answer
}

export const refresh: Action = async (context) => {
  const { invocation, stdout } = context
  const answer = await ask(context, invocation.flags.get('request-id') ?? `rfsh-${crypto.randomUUID()}`)
  if (answer.headers.get('signalbox-error') !== 'all_sources_failed') await expectSuccess(answer)
  await copy(answer.body, stdout)
  if (answer.status >= 400) {
    throw new SignalboxError('all_sources_failed', 'every source that was tried failed', {
      hint: 'signalbox provider models status',
    })
  }
  return answer.headers.get('signalbox-outcome') === 'failed' ? 1 : 0
}
