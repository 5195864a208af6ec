/** llama.cpp's server: one model as a rule, whose context is the one that the server was started with. */
import { asObject, asText } from '../../models-dev/json-value.ts'
import type { Page } from '../dialect.ts'
import { under } from '../envelopes.ts'
import { listDialect } from '../list-dialect.ts'
import { answerOrNull } from '../optional-answer.ts'
import { asTokens, at, first } from '../stated.ts'

export const llamaCpp = listDialect({
  name: 'llama.cpp',
  listPath: '/models',
  strip: ['/v1'],
  items: under('data', 'models'),
  id: ['id', 'model', 'name'],
  // Not `meta.n_ctx_train`: what the model was trained for is not what the server gives it.
  columns: { context_window: ['meta.n_ctx'] },
  loaded: (row) => {
    const state = asText(at(row, 'status.value'))
    return state === null ? null : state === 'loaded'
  },
  enrich: async (page, ask) => withProps(page, page.rows.length === 1 ? await answerOrNull(ask('/props')) : null),
})

/** Properties are the server's, so they are a model's only where there is no other: a router has its own. */
export function withProps(page: Page, document: unknown): Page {
  const props = asObject(document)
  const [row] = page.rows
  if (props === null || row === undefined || page.rows.length > 1) return page
  const context = first(props, ['default_generation_settings.n_ctx', 'n_ctx'], asTokens)
  const inputs = asObject(props.modalities)
  const facts = {
    ...row.facts,
    context_window: context ?? row.facts.context_window,
    modalities: inputs === null ? row.facts.modalities : { input: inputsOf(inputs), output: ['text'] },
  }
  return { ...page, rows: [{ ...row, facts }], loaded: page.loaded ?? [row.model_id] }
}

function inputsOf({ vision, audio }: Readonly<Record<string, unknown>>): readonly string[] {
  return ['text', ...(vision === true ? ['image'] : []), ...(audio === true ? ['audio'] : [])]
}
