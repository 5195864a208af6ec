/** Providers whose list is OpenAI's with some columns of their own, or with none. */

import { under } from '../envelopes.ts'
import { type ListSpec, listDialect, REFUSED, USABLE } from '../list-dialect.ts'
import { purposeOfWord } from '../purpose.ts'

const openAiShaped = (spec: Omit<ListSpec, 'items' | 'listPath'> & Partial<ListSpec>) =>
  listDialect({ listPath: '/v1/models', items: under('data'), ...spec })

export const deepseek = openAiShaped({ name: 'deepseek', listPath: '/models', columns: {} })

export const cerebras = openAiShaped({
  name: 'cerebras',
  columns: { context_window: ['context_length'], max_output_tokens: ['max_completion_tokens'] },
})

/** The version is in the base URL: `/api/paas/v4`. */
export const zai = openAiShaped({ name: 'zai', listPath: '/models', columns: {} })

export const minimax = openAiShaped({ name: 'minimax', columns: {} })

export const moonshot = openAiShaped({
  name: 'moonshot',
  columns: {
    display_name: ['display_name'],
    context_window: ['context_length'],
    supports_reasoning: ['supports_reasoning'],
  },
})

/** A model that is switched off for everyone stays in the list with `active: false`. */
export const groq = openAiShaped({
  name: 'groq',
  columns: { context_window: ['context_window'], max_output_tokens: ['max_completion_tokens'] },
  standing: (row) => (row.active === false ? REFUSED : USABLE),
})

export const fireworks = openAiShaped({
  name: 'fireworks',
  columns: { context_window: ['context_length'], supports_tools: ['supports_tools'] },
  purpose: (row) => (row.supports_chat === true ? 'chat' : row.supports_chat === false ? 'other' : null),
})

export const vercel = openAiShaped({
  name: 'vercel',
  columns: {
    display_name: ['name'],
    context_window: ['context_window'],
    max_output_tokens: ['max_tokens'],
    release_date: ['released'],
    cost_input: [['pricing.input', 'per_token']],
    cost_output: [['pricing.output', 'per_token']],
    cost_cache_read: [['pricing.input_cache_read', 'per_token']],
    cost_cache_write: [['pricing.input_cache_write', 'per_token']],
  },
  purpose: (row) => purposeOfWord(row.type),
  // A tag that is there says yes; one that is not there says nothing.
  facts: ({ tags }) => {
    const has = (tag: string) => (Array.isArray(tags) && tags.includes(tag) ? true : null)
    return { supports_tools: has('tool-use'), supports_reasoning: has('reasoning') }
  },
})
