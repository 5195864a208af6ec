import { under } from '../envelopes.ts'
import { listDialect } from '../list-dialect.ts'

/** Ids and nothing else that we keep: `created` is when the entry was made, not when the model was released. */
export const openai = listDialect({ name: 'openai', listPath: '/v1/models', items: under('data'), columns: {} })
