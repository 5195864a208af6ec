/** Arbitrary rows and lists: few providers, models and values, so that they collide; one row per source and model. */
import { EFFORTS } from '@signalbox/contract/effort'
import { SOURCE_PRIORITY } from '@signalbox/contract/ids'
import { DENIALS, LIFECYCLES, UNKNOWN_REASONS } from '@signalbox/contract/model'
import type { Facts, Row, RowList, StatedRow } from '@signalbox/contract/row'
import fc from 'fast-check'
import type { MergeOptions } from '../merge.ts'
import { kindOf } from '../rows.ts'
import { model, NOW, provider, source } from './samples.ts'

export const SOURCES = [
  'config',
  'provider_live:acme',
  'provider_live:zeta',
  'extension:hub',
  'extension:lab',
  'models_dev',
  'builtin',
].map(source)

/** Differ in case, separators and a character above U+FFFF, whose byte order is not its UTF-16 order. */
export const MODEL_IDS = ['m1', 'M1', 'vendor/m1', 'm1:free', 'm1@2026', '\u{1F600}', '\uE000'].map(model)

/** Half of the rows do not say: that is what makes lower rows fill in. (`freq: 1` would be null always.) */
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { freq: 2 })
const tokens = maybe(fc.constantFrom(1, 8_192, 200_000))
const price = maybe(fc.constantFrom(0, 0.25, 15))
const text = maybe(fc.constantFrom('', 'A', 'B'))
/** The order of a source's own list is kept, so it is arbitrary. */
const efforts = fc.uniqueArray(fc.constantFrom(...EFFORTS), { maxLength: 4 })
const words = fc.subarray(['text', 'image'])
const tier = fc.record({
  above_context_tokens: fc.constantFrom(200_000, 272_000),
  input_per_million: price,
  output_per_million: price,
  cache_read_per_million: price,
  cache_write_per_million: price,
})

export const factsArbitrary: fc.Arbitrary<Facts> = fc.record({
  display_name: text,
  context_window: tokens,
  max_input_tokens: tokens,
  max_output_tokens: tokens,
  supports_tools: maybe(fc.boolean()),
  supports_reasoning: maybe(fc.boolean()),
  reasoning_efforts: maybe(efforts),
  default_reasoning_effort: maybe(fc.constantFrom(...EFFORTS)),
  family: text,
  modalities: maybe(fc.record({ input: words, output: words })),
  release_date: maybe(fc.constantFrom('', '2025-12-11')),
  lifecycle: maybe(fc.constantFrom(...LIFECYCLES)),
  cost_input_per_million: price,
  cost_output_per_million: price,
  cost_cache_read_per_million: price,
  cost_cache_write_per_million: price,
  cost_tiers: maybe(fc.array(tier, { maxLength: 2 })),
})

const time = fc.constantFrom(NOW - 1_000, NOW, NOW + 1_000)

const rowArbitrary: fc.Arbitrary<Row> = fc
  .record({
    model_id: fc.constantFrom(...MODEL_IDS),
    source_id: fc.constantFrom(...SOURCES),
    refreshed_at: time,
    expires_at: maybe(time),
    stale: fc.boolean(),
    available: maybe(fc.boolean()),
    denial: maybe(fc.constantFrom(...DENIALS)),
    facts: factsArbitrary,
  })
  .map((stated) => {
    const source_kind = kindOf(stated.source_id)
    const priority = SOURCE_PRIORITY[source_kind]
    return { provider_id: provider('acme'), source_kind, priority, ...stated }
  })

/** Rows of one provider. */
export const providerRowsArbitrary = fc.uniqueArray(rowArbitrary, {
  selector: (row) => `${row.source_id} ${row.model_id}`,
  maxLength: 24,
})

/** At least one row, all of one model. */
export const modelRowsArbitrary = fc
  .uniqueArray(rowArbitrary, { selector: (row) => row.source_id, minLength: 1, maxLength: SOURCES.length })
  .map((rows) => rows.map((row) => ({ ...row, model_id: model('m1') })))

export const mergeOptionsArbitrary: fc.Arbitrary<MergeOptions> = fc.record({
  includeStale: fc.boolean(),
  probe: fc.constantFrom(...UNKNOWN_REASONS),
})

const statedRowArbitrary: fc.Arbitrary<StatedRow> = fc.record({
  model_id: fc.constantFrom(...MODEL_IDS),
  facts: factsArbitrary,
  available: maybe(fc.boolean()),
  denial: maybe(fc.constantFrom(...DENIALS)),
  refreshed_at: maybe(time),
  expires_at: maybe(time),
  declared_stale: fc.boolean(),
})

/** A list of `provider_id` from any source. */
export const listArbitrary = (provider_id: string): fc.Arbitrary<RowList> =>
  fc.record({
    source_id: fc.constantFrom(...SOURCES),
    provider_id: fc.constant(provider(provider_id)),
    refreshed_at: time,
    fresh_until: maybe(time),
    failed: fc.boolean(),
    rows: fc.uniqueArray(statedRowArbitrary, { selector: (row) => row.model_id, maxLength: MODEL_IDS.length }),
  })

/** All lists of a provider: one per source. */
export const listsArbitrary = (provider_id: string): fc.Arbitrary<RowList[]> =>
  fc.uniqueArray(listArbitrary(provider_id), { selector: (list) => list.source_id, maxLength: SOURCES.length })
