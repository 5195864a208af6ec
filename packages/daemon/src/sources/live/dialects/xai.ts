import { anyOf, under } from '../envelopes.ts'
import { listDialect } from '../list-dialect.ts'

/** The list of language models has prices and modalities; `/v1/models` only ids, for keys and gateways without it. */
export const xai = listDialect({
  name: 'xai',
  listPath: '/v1/language-models',
  otherPaths: ['/v1/models'],
  // Its answer to a key that it does not know.
  credentialRejectedBy: [400],
  items: anyOf(under('models'), under('data')),
  columns: {
    context_window: ['context_length'],
    modalities: ['input_modalities', 'output_modalities'],
    cost_input: [['prompt_text_token_price', 'cents_per_100_million']],
    cost_output: [['completion_text_token_price', 'cents_per_100_million']],
    cost_cache_read: [['cached_prompt_text_token_price', 'cents_per_100_million']],
  },
})
