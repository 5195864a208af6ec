import { EFFORTS } from '@signalbox/contract/effort'
import { asBoolean, asText, type JsonObject } from '../../models-dev/json-value.ts'
import type { NextPage } from '../dialect.ts'
import { under } from '../envelopes.ts'
import { listDialect } from '../list-dialect.ts'
import { asEfforts, at } from '../stated.ts'

const PAGE = '1000'

/** Newest first, by pages: `has_more` and the last id. `created_at` is the release. */
export const anthropic = listDialect({
  name: 'anthropic',
  listPath: `/v1/models?limit=${PAGE}`,
  extraHeaders: { 'anthropic-version': '2023-06-01' },
  items: under('data'),
  next: nextPage,
  columns: {
    display_name: ['display_name'],
    max_input_tokens: ['max_input_tokens'],
    max_output_tokens: ['max_tokens'],
    supports_reasoning: ['capabilities.thinking.supported'],
    release_date: ['created_at'],
  },
  facts: (row) => ({ reasoning_efforts: statedEfforts(row) }),
})

/** Some gateways say `has_more` and no id: going on from nowhere would publish half a list. */
function nextPage(document: JsonObject): NextPage {
  if (document.has_more !== true) return null
  const cursor = asText(document.last_id)
  return cursor === null ? 'lost' : { cursor, query: { limit: PAGE, after_id: cursor } }
}

/** `capabilities.effort` has an object for each level. */
function statedEfforts(row: JsonObject) {
  return asEfforts(EFFORTS.filter((effort) => asBoolean(at(row, `capabilities.effort.${effort}.supported`)) === true))
}
