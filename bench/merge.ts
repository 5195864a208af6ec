/**
 * Merge time per row at 10 thousand, 100 thousand and a million rows, five sources to a model: linear means that the
 * last costs per row what the first does. Run with `node bench/merge.ts`.
 */
import { ModelId, ProviderId, SOURCE_PRIORITY, SourceId } from '@signalbox/contract/ids'
import type { Facts, Row } from '@signalbox/contract/row'
import { NO_FACTS } from '@signalbox/core/catalog/facts'
import { type MergedModel, mergeProvider } from '@signalbox/core/catalog/merge'
import { kindOf } from '@signalbox/core/catalog/rows'
import { interleave, median, reportRatio } from './lib/rounds.ts'

const SIZES = [10_000, 100_000, 1_000_000]
const ROUNDS = 7
/** About what the largest real provider has. */
const MODELS_PER_PROVIDER = 400
/** Small sizes are merged several times in a row, so that each measurement is long enough for the clock. */
const ROWS_PER_MEASUREMENT = 1_000_000

/** What each kind of source typically states. */
const SOURCES: readonly (readonly [id: string, stale: boolean, facts: Partial<Facts>])[] = [
  ['config', false, { display_name: 'Curated', reasoning_efforts: ['low', 'high'], default_reasoning_effort: 'low' }],
  ['provider_live:p', false, { display_name: 'Live', context_window: 200_000 }],
  ['extension:e', true, { supports_tools: true, supports_reasoning: true }],
  [
    'models_dev',
    false,
    { context_window: 128_000, max_output_tokens: 8_192, family: 'f', cost_input_per_million: 1.5 },
  ],
  [
    'builtin',
    false,
    { lifecycle: 'active', release_date: '2026-01-01', modalities: { input: ['text'], output: ['text'] } },
  ],
]

/** The rows of one provider, source by source as a shard collects them. */
function providerRows(provider: number, models: number): Row[] {
  const provider_id = ProviderId.parse(`p${provider}`)
  return SOURCES.flatMap(([id, stale, stated]) => {
    const source_id = SourceId.parse(id)
    const source_kind = kindOf(source_id)
    const priority = SOURCE_PRIORITY[source_kind]
    const proves = source_kind === 'provider_live'
    return Array.from(
      { length: models },
      (_, model): Row => ({
        provider_id,
        model_id: ModelId.parse(`vendor/model-${(model * 7_919) % models}`),
        source_id,
        source_kind,
        priority,
        refreshed_at: 1_780_000_000_000,
        expires_at: null,
        stale,
        available: proves ? true : null,
        denial: null,
        facts: { ...NO_FACTS, ...stated },
      }),
    )
  })
}

const options = { includeStale: false, probe: 'not_probed' } as const

/**
 * Nanoseconds per row. All that is merged is kept until the end, as a snapshot keeps it: every size then leaves the
 * garbage collector the same work, and what differs is the merge.
 */
function measure(providers: readonly (readonly Row[])[], rows: number): number {
  const repeats = Math.max(1, Math.round(ROWS_PER_MEASUREMENT / rows))
  const kept: MergedModel[][] = []
  const start = process.hrtime.bigint()
  for (let i = 0; i < repeats; i++) {
    for (const one of providers) kept.push(mergeProvider(one, options))
  }
  const spent = Number(process.hrtime.bigint() - start)
  const models = kept.reduce((sum, one) => sum + one.length, 0)
  if (models !== (rows * repeats) / SOURCES.length) throw new Error(`merged ${models} models from ${rows} rows`)
  return spent / (rows * repeats)
}

const LAYOUTS = [
  { name: `providers of ${MODELS_PER_PROVIDER} models`, perProvider: () => MODELS_PER_PROVIDER },
  { name: 'one provider with all models', perProvider: (models: number) => models },
]

for (const { name, perProvider } of LAYOUTS) {
  const contenders = SIZES.map((rows) => {
    const models = rows / SOURCES.length
    const each = perProvider(models)
    const providers = Array.from({ length: models / each }, (_, provider) => providerRows(provider, each))
    return { name: String(rows), run: () => Promise.resolve(measure(providers, rows)) }
  })
  const medians = [...(await interleave(ROUNDS, contenders))].map(([rows, costs]) => ({ rows, cost: median(costs) }))
  for (const { rows, cost } of medians)
    console.log(`${name}: ${rows.padStart(8)} rows  ${cost.toFixed(0).padStart(5)} ns per row`)
  reportRatio(
    `merge per row, 1M against 10k, ${name}`,
    (medians.at(-1)?.cost ?? 0) / (medians[0]?.cost ?? 1),
    'about 1',
  )
}
