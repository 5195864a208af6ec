import type { StatedRow } from '@signalbox/contract/row'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Dialect, Page } from './dialect.ts'
import { withProps } from './dialects/llama-cpp.ts'
import { withDetails } from './dialects/ollama.ts'
import { DIALECTS } from './dialects.ts'

const CANARY = 'canary-7f3a'

/** Names that dialects read, so that wrong values land where they are looked for. */
const FIELDS = [
  'id',
  'key',
  'name',
  'model',
  'modelId',
  'inferenceProfileId',
  'display_name',
  'context_length',
  'context_window',
  'max_model_len',
  'max_tokens',
  'inputTokenLimit',
  'created_at',
  'released',
  'pricing',
  'cost',
  'prompt',
  'input',
  'output',
  'capabilities',
  'architecture',
  'output_modalities',
  'outputModalities',
  'supported_parameters',
  'reasoning',
  'supportedGenerationMethods',
  'loaded_instances',
  'config',
  'status',
  'meta',
  'details',
  'type',
  'tags',
  '__proto__',
]
const ENVELOPES = [
  'data',
  'models',
  'modelSummaries',
  'inferenceProfileSummaries',
  'error',
  'nextPageToken',
  'has_more',
  'last_id',
  'nextToken',
]

const leaf = fc.oneof(
  fc.constantFrom<unknown>(
    CANARY,
    '',
    '-1',
    '1e-7',
    0,
    -1,
    1.5,
    1e308,
    null,
    true,
    false,
    'text',
    'tools',
    'models/',
    'high',
  ),
  fc.jsonValue({ maxDepth: 1 }),
)
const { value } = fc.letrec<{ value: unknown; row: unknown }>((tie) => ({
  row: fc.dictionary(fc.constantFrom(...FIELDS), tie('value'), { maxKeys: 8 }),
  value: fc.oneof({ maxDepth: 3 }, leaf, fc.array(tie('value'), { maxLength: 3 }), tie('row')),
}))
const document = fc.oneof(
  fc.jsonValue(),
  fc.array(value, { maxLength: 4 }),
  fc.dictionary(fc.constantFrom(...ENVELOPES), fc.oneof(value, fc.array(value, { maxLength: 4 })), { maxKeys: 3 }),
)

const REASONS = new Set([
  'not an object',
  'no id',
  'the id is repeated',
  'not valid UTF-8',
  'nested too deeply',
  'larger than 1 MiB',
])
const isTokens = (count: number | null) => count === null || (Number.isSafeInteger(count) && count > 0)
const isPrice = (price: number | null) => price === null || (Number.isFinite(price) && price >= 0)

function expectSound({ model_id, facts, available, denial }: StatedRow) {
  expect(model_id.trim()).not.toBe('')
  expect([facts.context_window, facts.max_input_tokens, facts.max_output_tokens].every(isTokens)).toBe(true)
  const { cost_input_per_million, cost_output_per_million, cost_cache_read_per_million, cost_cache_write_per_million } =
    facts
  const prices = [
    cost_input_per_million,
    cost_output_per_million,
    cost_cache_read_per_million,
    cost_cache_write_per_million,
  ]
  expect(prices.every(isPrice)).toBe(true)
  expect([null, true, false]).toContain(facts.supports_tools)
  expect([null, true, false]).toContain(facts.supports_reasoning)
  expect(denial).toBe(available === false ? 'denied' : null)
}

function expectSoundPage({ rows, rejected, leftOut }: Page) {
  for (const row of rows) expectSound(row)
  for (const { reason } of rejected) expect(REASONS).toContain(reason)
  const ids = rows.map((row) => row.model_id)
  expect(new Set(ids).size).toBe(ids.length)
  for (const { model_id } of leftOut) expect(ids).not.toContain(model_id)
}

describe('every dialect', () => {
  it.each(Object.entries<Dialect>(DIALECTS))(
    '%s never throws, never invents a value and quotes nothing, whatever JSON it gets',
    (_, dialect) => {
      fc.assert(
        fc.property(document, fc.boolean(), (json, damaged) => {
          const page = dialect.parse(json, { damaged })
          if (page !== null) expectSoundPage(page)
        }),
        { numRuns: 500 },
      )
    },
  )

  it('bears any JSON from the further calls of local servers', () => {
    const page = DIALECTS.ollama.parse({ models: [{ model: 'a' }, { model: 'b' }] })
    const single = DIALECTS['llama.cpp'].parse({ data: [{ id: 'a' }] })
    if (page === null || single === null) throw new Error('both are lists')
    fc.assert(
      fc.property(value, value, (one, other) => {
        expectSoundPage(withDetails(page, one, new Map([['a', other]])))
        expectSoundPage(withProps(single, one))
      }),
    )
  })

  it('goes by the name under which it is registered', () => {
    expect(Object.values(DIALECTS).map(({ name }) => name)).toEqual(Object.keys(DIALECTS))
  })

  it('refuses a row that is too deep without exhausting the stack (CAT-155)', () => {
    const deep: unknown = JSON.parse(`${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`)
    expect(DIALECTS.openai.parse({ data: [{ id: 'x', deep }, { id: 'y' }] })).toMatchObject({
      rows: [{ model_id: 'y' }],
      rejected: [{ model_id: 'x', reason: 'nested too deeply' }],
    })
  })
})
