/** LM Studio: its own API with loaded instances, the one before it, and OpenAI's. An unknown path answers 200 `error`. */
import { asObject, asText, type JsonObject } from '../../models-dev/json-value.ts'
import { anyOf, under } from '../envelopes.ts'
import { listDialect } from '../list-dialect.ts'
import { purposeOfWord } from '../purpose.ts'
import { at } from '../stated.ts'

const models = under('models')

export const lmStudio = listDialect({
  name: 'lm-studio',
  listPath: '/api/v1/models',
  otherPaths: ['/api/v0/models', '/v1/models'],
  strip: ['/api/v1', '/api/v0', '/v1'],
  items: anyOf((document) => models(document)?.flatMap(instances) ?? null, under('data')),
  columns: {
    display_name: ['display_name'],
    family: ['architecture', 'arch'],
    // What it is loaded with; the most it could be loaded with only while it is not.
    context_window: ['instance.context_length', 'loaded_context_length', 'max_context_length'],
    supports_tools: ['capabilities.trained_for_tool_use'],
    reasoning_efforts: ['capabilities.reasoning.allowed_options'],
    default_reasoning_effort: ['capabilities.reasoning.default'],
  },
  purpose: (row) => purposeOfWord(row.type),
  facts: (row, read) => ({
    supports_tools: read.supports_tools ?? (toolUseListed(row) ? true : null),
    supports_reasoning: asObject(at(row, 'capabilities.reasoning')) === null ? null : true,
  }),
  loaded: (row) => {
    if ('instance' in row) return row.instance !== null
    return typeof row.state === 'string' ? row.state === 'loaded' : null
  },
})

/** The older API has a list of words here. */
function toolUseListed({ capabilities }: JsonObject): boolean {
  return Array.isArray(capabilities) && capabilities.includes('tool_use')
}

/** One row per instance under its own id, and one under the model's key, which loads it when it is asked for. */
function instances(item: unknown): readonly unknown[] {
  const model = asObject(item)
  const key = asText(model?.key)
  if (model === null || key === null) return [item]
  const list: readonly unknown[] = Array.isArray(model.loaded_instances) ? model.loaded_instances : []
  const { loaded_instances: _, ...common } = model
  const found = new Map<string, JsonObject>([[key, { ...common, id: key, instance: null }]])
  for (const entry of list) {
    const instance = asObject(entry)
    const id = asText(instance?.id)
    if (id !== null) found.set(id, { ...common, id, instance: asObject(instance?.config) ?? {} })
  }
  return [...found.values()]
}
