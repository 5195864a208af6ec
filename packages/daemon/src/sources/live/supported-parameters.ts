import { asTexts, type JsonObject } from '../models-dev/json-value.ts'

/** `supported_parameters` names all that a model takes, so a list without `tools` says that it takes none. */
export function fromParameters(row: JsonObject) {
  const names = asTexts(row.supported_parameters)
  if (names === null || names.length === 0) return {}
  return {
    supports_tools: names.includes('tools') || names.includes('tool_choice'),
    supports_reasoning: names.includes('reasoning') || names.includes('reasoning_effort'),
  }
}
