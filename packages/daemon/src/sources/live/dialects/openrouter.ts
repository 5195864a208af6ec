import { asText, asTexts } from '../../models-dev/json-value.ts'
import { under } from '../envelopes.ts'
import { listDialect } from '../list-dialect.ts'
import { purposeOfOutputs } from '../purpose.ts'
import { at } from '../stated.ts'
import { fromParameters } from '../supported-parameters.ts'

/** Prices are texts per token; `-1` is a router's "it depends". */
export const openrouter = listDialect({
  name: 'openrouter',
  listPath: '/api/v1/models',
  items: under('data'),
  columns: {
    display_name: ['name'],
    context_window: ['context_length', 'top_provider.context_length'],
    max_output_tokens: ['top_provider.max_completion_tokens'],
    modalities: ['architecture.input_modalities', 'architecture.output_modalities'],
    cost_input: [
      ['pricing.prompt', 'per_token'],
      ['cost.input', 'per_million'],
    ],
    cost_output: [
      ['pricing.completion', 'per_token'],
      ['cost.output', 'per_million'],
    ],
    cost_cache_read: [['pricing.input_cache_read', 'per_token']],
    cost_cache_write: [['pricing.input_cache_write', 'per_token']],
  },
  purpose: (row) => purposeOfOutputs(asTexts(at(row, 'architecture.output_modalities'))),
  facts: (row) => ({
    ...fromParameters(row),
    lifecycle: asText(row.expiration_date) === null ? null : 'deprecated',
  }),
})
