import { SignalboxError } from '@signalbox/contract/errors'
import type { Action } from '../context.ts'
import { READ_PATIENCE } from '../daemon-call.ts'
import { splitModel, VALUES } from '../values.ts'
import { pathOf, showPath } from './show.ts'

export const explain: Action = (context) => {
  const named = splitModel(context.invocation.args[0] ?? '')
  if (named === null)
    throw new SignalboxError('usage', '<provider/model> is not understood', { expected: VALUES.model.expected })
  const query = `provider_id=${encodeURIComponent(named.provider)}&model_id=${encodeURIComponent(named.model)}`
  return showPath(context, `${pathOf({ ...context.invocation, args: [] })}?${query}`, READ_PATIENCE)
}
