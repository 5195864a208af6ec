import type { Facts } from '@signalbox/contract/row'

/** Facts that state nothing: the base every source's statement is laid over, so that all have one shape. */
export const NO_FACTS: Facts = Object.freeze({
  display_name: null,
  context_window: null,
  max_input_tokens: null,
  max_output_tokens: null,
  supports_tools: null,
  supports_reasoning: null,
  reasoning_efforts: null,
  default_reasoning_effort: null,
  family: null,
  modalities: null,
  release_date: null,
  lifecycle: null,
  cost_input_per_million: null,
  cost_output_per_million: null,
  cost_cache_read_per_million: null,
  cost_cache_write_per_million: null,
  cost_tiers: null,
})

export type Field = keyof Facts

/** Every field, in the order in which explanations list them. */
export const FIELDS = Object.keys(NO_FACTS) as readonly Field[]

/** Null, the empty string and the empty list are missing, as are modalities that name none; `false` and `0` are values. */
export function isMissing(value: Facts[Field]): value is null {
  if (value === null || value === '') return true
  if (typeof value !== 'object') return false
  return 'input' in value ? value.input.length + value.output.length === 0 : value.length === 0
}
