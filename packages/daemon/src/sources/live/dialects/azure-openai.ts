import type { Lifecycle } from '@signalbox/contract/model'
import { asBoolean, asText, type JsonObject } from '../../models-dev/json-value.ts'
import { under } from '../envelopes.ts'
import { listDialect, REFUSED, type Standing, UNPROVEN, USABLE } from '../list-dialect.ts'
import { type Purpose, purposeOfId } from '../purpose.ts'
import { at } from '../stated.ts'

/**
 * What can be called is a deployment, by the name that its owner gave it. Where the resource does not list its
 * deployments, its models are listed, which proves nothing: they may not be deployed.
 */
export const azureOpenai = listDialect({
  name: 'azure-openai',
  listPath: '/openai/deployments?api-version=2023-03-15-preview',
  otherPaths: ['/openai/models?api-version=2024-10-21'],
  strip: ['/openai/v1', '/openai'],
  items: under('data'),
  columns: {},
  purpose,
  standing,
  facts: (row) => ({ lifecycle: LIFECYCLE_OF.get(asText(row.lifecycle_status) ?? '') ?? null }),
})

const LIFECYCLE_OF: ReadonlyMap<string, Lifecycle> = new Map([
  ['generally-available', 'active'],
  ['preview', 'preview'],
  ['legacy', 'deprecated'],
  ['deprecating', 'deprecated'],
  ['deprecated', 'deprecated'],
])

/** A deployment names the model behind it; its own name may be anything. */
const deployedModel = (row: JsonObject) => asText(row.model)

function purpose(row: JsonObject): Purpose | null {
  const model = deployedModel(row)
  if (model !== null) return purposeOfId(model) ?? 'chat'
  const chats = asBoolean(at(row, 'capabilities.chat_completion'))
  if (at(row, 'capabilities.embeddings') === true) return 'embedding'
  return chats === null ? null : chats ? 'chat' : 'other'
}

function standing(row: JsonObject): Standing {
  if (deployedModel(row) === null) return UNPROVEN
  return row.status === 'succeeded' ? USABLE : row.status === undefined ? UNPROVEN : REFUSED
}
