import { asBoolean, asText } from '../../models-dev/json-value.ts'
import { under } from '../envelopes.ts'
import { listDialect, REFUSED, USABLE } from '../list-dialect.ts'
import { purposeOfId } from '../purpose.ts'
import { at } from '../stated.ts'

/** `name` is the id that an alias stands for, and so no display name. Own fine-tunes can be archived. */
export const mistral = listDialect({
  name: 'mistral',
  listPath: '/v1/models',
  items: under('data'),
  columns: {
    context_window: ['max_context_length'],
    supports_tools: ['capabilities.function_calling'],
    supports_reasoning: ['capabilities.reasoning'],
  },
  purpose: (row) => {
    const chats = asBoolean(at(row, 'capabilities.completion_chat'))
    if (chats === null) return null
    return chats ? 'chat' : (purposeOfId(asText(row.id) ?? '') ?? 'other')
  },
  standing: (row) => (row.archived === true ? REFUSED : USABLE),
  facts: (row) => ({ lifecycle: asText(row.deprecation) === null ? null : 'deprecated' }),
})
