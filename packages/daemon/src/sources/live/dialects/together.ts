import { anyOf, topArray, under } from '../envelopes.ts'
import { listDialect } from '../list-dialect.ts'
import { purposeOfWord } from '../purpose.ts'

/** An array without an envelope. Prices are dollars per million. */
export const together = listDialect({
  name: 'together',
  listPath: '/v1/models',
  items: anyOf(topArray, under('data')),
  columns: {
    display_name: ['display_name'],
    context_window: ['context_length'],
    cost_input: [['pricing.input', 'per_million']],
    cost_output: [['pricing.output', 'per_million']],
    cost_cache_read: [['pricing.cached_input', 'per_million']],
  },
  purpose: (row) => purposeOfWord(row.type),
  // Models that run only on hardware of one's own have 0 for both, and so have the free ones: 0 does not say "free".
  facts: ({ pricing }) => (isAllZero(pricing) ? UNPRICED : {}),
})

const UNPRICED = { cost_input_per_million: null, cost_output_per_million: null, cost_cache_read_per_million: null }

function isAllZero(pricing: unknown): boolean {
  if (typeof pricing !== 'object' || pricing === null) return false
  return 'input' in pricing && 'output' in pricing && pricing.input === 0 && pricing.output === 0
}
