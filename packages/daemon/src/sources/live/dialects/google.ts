import { asText, asTexts, type JsonObject } from '../../models-dev/json-value.ts'
import { under } from '../envelopes.ts'
import { listDialect } from '../list-dialect.ts'
import type { Purpose } from '../purpose.ts'

const PAGE = '1000'

/** `inputTokenLimit` counts input alone, so the context window stays unknown here. */
export const google = listDialect({
  name: 'google',
  listPath: `/v1beta/models?pageSize=${PAGE}`,
  // An invalid key is an invalid argument to Google, and nothing else about this call can be one.
  credentialRejectedBy: [400],
  items: under('models'),
  next: (document) => {
    const cursor = asText(document.nextPageToken)
    return cursor === null ? null : { cursor, query: { pageSize: PAGE, pageToken: cursor } }
  },
  id: ['name'],
  idPrefix: 'models/',
  columns: {
    display_name: ['displayName'],
    max_input_tokens: ['inputTokenLimit'],
    max_output_tokens: ['outputTokenLimit'],
    supports_reasoning: ['thinking'],
  },
  purpose: purposeOfMethods,
})

function purposeOfMethods(row: JsonObject): Purpose | null {
  const methods = asTexts(row.supportedGenerationMethods)
  if (methods === null || methods.includes('generateContent')) return null
  return methods.some((method) => /^(?:batch)?embed|Embed/.test(method)) ? 'embedding' : 'other'
}
