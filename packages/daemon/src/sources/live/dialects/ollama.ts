/** Ollama: the list names models, `/api/show` says what each can do, and `/api/ps` what is loaded and with how much context. */
import type { StatedRow } from '@signalbox/contract/row'
import { Limiter } from '../../../concurrency/limiter.ts'
import { asObject, asText, asTexts, type JsonObject } from '../../models-dev/json-value.ts'
import type { Ask, LeftOut, Page } from '../dialect.ts'
import { under } from '../envelopes.ts'
import { listDialect } from '../list-dialect.ts'
import { answerOrNull } from '../optional-answer.ts'
import type { Purpose } from '../purpose.ts'
import { asEffort, asEfforts, asTokens, at } from '../stated.ts'

const SHOWS_AT_ONCE = 8
const models = under('models')

export const ollama = listDialect({
  name: 'ollama',
  listPath: '/api/tags',
  strip: ['/v1', '/api'],
  items: models,
  id: ['model', 'name'],
  columns: { family: ['details.family'] },
  purpose: (row) => (EMBEDDING_FAMILIES.has(asText(at(row, 'details.family')) ?? '') ? 'embedding' : null),
  enrich,
})

/** Architectures that only embed, for servers too old to state capabilities. */
const EMBEDDING_FAMILIES: ReadonlySet<string> = new Set(['bert', 'nomic-bert', 'nomic-bert-moe'])

async function enrich(page: Page, ask: Ask): Promise<Page> {
  const limiter = new Limiter(SHOWS_AT_ONCE)
  const show = ({ model_id: model }: StatedRow) =>
    limiter.run(async () => [model, await answerOrNull(ask('/api/show', { model }))] as const)
  const [running, ...shown] = await Promise.all([answerOrNull(ask('/api/ps')), ...page.rows.map(show)])
  return withDetails(page, running, new Map(shown))
}

/** The list with what the other calls said; null stands for one that failed. */
export function withDetails(page: Page, running: unknown, shown: ReadonlyMap<string, unknown>): Page {
  const contexts = loadedContexts(running)
  const rows: StatedRow[] = []
  const leftOut: LeftOut[] = [...page.leftOut]
  for (const row of page.rows) {
    const details = asObject(shown.get(row.model_id))
    const purpose = details === null ? 'chat' : (statedPurpose(details) ?? 'chat')
    if (purpose !== 'chat') leftOut.push({ model_id: row.model_id, purpose })
    else rows.push(withFacts(row, details ?? {}, contexts?.get(row.model_id) ?? null))
  }
  const loaded = contexts === null ? null : rows.map((row) => row.model_id).filter((id) => contexts.has(id))
  return { ...page, rows, leftOut, loaded }
}

/** The context that each loaded model was given, null where an older server does not say. */
function loadedContexts(running: unknown): ReadonlyMap<string, number | null> | null {
  const items = models(running)
  if (items === null) return null
  const contexts = new Map<string, number | null>()
  for (const item of items) {
    const entry = asObject(item)
    const id = asText(entry?.model) ?? asText(entry?.name)
    if (entry !== null && id !== null) contexts.set(id, asTokens(entry.context_length))
  }
  return contexts
}

function withFacts(row: StatedRow, details: JsonObject, loadedContext: number | null): StatedRow {
  const capabilities = asTexts(details.capabilities)
  const can = (capability: string) => capabilities?.includes(capability) ?? null
  const vision = can('vision')
  return {
    ...row,
    facts: {
      ...row.facts,
      context_window: loadedContext ?? configuredContext(details),
      supports_tools: can('tools'),
      supports_reasoning: can('thinking'),
      reasoning_efforts: namedEfforts(at(details, 'thinking.values')),
      default_reasoning_effort: asEffort(at(details, 'thinking.default')),
      modalities: vision === null ? null : { input: vision ? ['text', 'image'] : ['text'], output: ['text'] },
    },
  }
}

function statedPurpose(details: JsonObject): Purpose | null {
  const capabilities = asTexts(details.capabilities)
  if (capabilities === null || capabilities.length === 0 || capabilities.includes('completion')) return null
  return capabilities.includes('embedding') ? 'embedding' : 'other'
}

/** `[false, true]` is a switch and names no effort; with named levels, `false` is off. */
function namedEfforts(values: unknown) {
  const named = asEfforts(values)
  if (named === null || !Array.isArray(values)) return null
  return values.includes(false) ? asEfforts([...named, 'off']) : named
}

const NUM_CTX = /^num_ctx\s+(\d{1,15})\s*$/m

/** The server never gives a model more than it was trained for, whatever its parameters ask. */
function configuredContext(details: JsonObject): number | null {
  const trained = trainedContext(asObject(details.model_info) ?? {})
  const asked = asTokens(NUM_CTX.exec(asText(details.parameters) ?? '')?.[1])
  return asked === null ? trained : trained === null ? asked : Math.min(asked, trained)
}

/** `llama.context_length`: the key begins with the architecture. */
function trainedContext(info: JsonObject): number | null {
  const own = asTokens(at(info, 'context_length'))
  if (own !== null) return own
  const architecture = asText(info['general.architecture'])
  const keys = Object.keys(info).filter((key) => key.endsWith('.context_length'))
  const key = keys.find((name) => name === `${architecture}.context_length`) ?? keys[0]
  return key === undefined ? null : asTokens(info[key])
}
