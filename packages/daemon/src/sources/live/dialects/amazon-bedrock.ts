import type { Lifecycle } from '@signalbox/contract/model'
import { asText, asTexts, type JsonObject } from '../../models-dev/json-value.ts'
import { under } from '../envelopes.ts'
import { listDialect, REFUSED, type Standing, UNPROVEN, USABLE } from '../list-dialect.ts'
import { purposeOfOutputs } from '../purpose.ts'
import { at } from '../stated.ts'

/**
 * Foundation models of the region, and inference profiles, which are ids of their own (`us.anthropic.…`) and for newer
 * models the only ones that can be called. A role may be allowed to read the first list and not the second.
 */
export const amazonBedrock = listDialect({
  name: 'amazon-bedrock',
  listPath: '/foundation-models',
  alsoPaths: ['/inference-profiles?maxResults=1000'],
  items: under('modelSummaries', 'inferenceProfileSummaries'),
  next: (document) => {
    const cursor = asText(document.nextToken)
    return cursor === null ? null : { cursor, query: { maxResults: '1000', nextToken: cursor } }
  },
  id: ['modelId', 'inferenceProfileId'],
  columns: {
    display_name: ['modelName', 'inferenceProfileName'],
    modalities: ['inputModalities', 'outputModalities'],
  },
  purpose: (row) => purposeOfOutputs(asTexts(row.outputModalities)),
  standing,
  facts: (row) => ({ lifecycle: LIFECYCLE_OF.get(asText(at(row, 'modelLifecycle.status')) ?? '') ?? null }),
})

const LIFECYCLE_OF: ReadonlyMap<string, Lifecycle> = new Map([
  ['ACTIVE', 'active'],
  ['LEGACY', 'deprecated'],
])

/** Without ON_DEMAND the id itself answers only to those who bought throughput, or through a profile. */
function standing(row: JsonObject): Standing {
  if (asText(row.inferenceProfileId) !== null) {
    return row.status === undefined || row.status === 'ACTIVE' ? USABLE : REFUSED
  }
  const types = asTexts(row.inferenceTypesSupported)
  return types === null || types.includes('ON_DEMAND') ? USABLE : UNPROVEN
}
