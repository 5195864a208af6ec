/** Any endpoint that says it speaks OpenAI's API: gateways, vLLM, and whatever comes next (CAT-217). */
import { asTexts, type JsonObject } from '../../models-dev/json-value.ts'
import { anyOf, byId, topArray, under } from '../envelopes.ts'
import { listDialect } from '../list-dialect.ts'
import { type Purpose, purposeOfOutputs, purposeOfWord } from '../purpose.ts'
import { at } from '../stated.ts'
import { fromParameters } from '../supported-parameters.ts'

/** Only names whose meaning is the same wherever they are used: `max_tokens` and `pricing.input` are not. */
const columns = {
  display_name: ['display_name', 'displayName', 'label', 'name'],
  // vLLM's is the one that it was started with.
  context_window: ['max_model_len', 'context_window', 'context_length', 'max_context_length'],
  max_input_tokens: ['max_input_tokens', 'maxInputTokens', 'inputTokenLimit'],
  max_output_tokens: ['max_output_tokens', 'maxOutputTokens', 'max_completion_tokens', 'outputTokenLimit'],
  supports_tools: ['supports_tools', 'supportsTools', 'supports_function_calling', 'tool_call'],
  supports_reasoning: ['supports_reasoning', 'supportsReasoning'],
  reasoning_efforts: ['reasoning_efforts', 'supported_reasoning_efforts', 'supportedEffortLevels'],
  default_reasoning_effort: ['default_reasoning_effort'],
  cost_input: [
    ['pricing.prompt', 'per_token'],
    ['cost.input', 'per_million'],
  ],
  cost_output: [
    ['pricing.completion', 'per_token'],
    ['cost.output', 'per_million'],
  ],
} as const

/** One of these tells a row from an error or a greeting where rows are given by id. */
const ROW_FIELDS = ['id', 'object', 'owned_by', ...columns.context_window, ...columns.max_output_tokens]

export const openaiCompatible = listDialect({
  name: 'openai-compatible',
  listPath: '/v1/models',
  // Where the base URL ends in a path of its own, the list is usually right below it.
  otherPaths: ['/models'],
  items: anyOf(topArray, under('data', 'models'), byId(ROW_FIELDS)),
  id: ['id', 'model', 'value', 'name'],
  columns,
  purpose,
  // A field that says it outright beats a list of parameters.
  facts: (row, read) => {
    const { supports_tools = null, supports_reasoning = null } = fromParameters(row)
    return {
      supports_tools: read.supports_tools ?? supports_tools,
      supports_reasoning: read.supports_reasoning ?? supports_reasoning,
    }
  },
})

function purpose(row: JsonObject): Purpose | null {
  // LiteLLM says it in `model_info.mode`, or in `mode`.
  const word = purposeOfWord(row.type) ?? purposeOfWord(row.mode) ?? purposeOfWord(at(row, 'model_info.mode'))
  return word ?? purposeOfOutputs(asTexts(at(row, 'architecture.output_modalities')))
}
