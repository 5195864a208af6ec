/** Arbitrary changes, for property tests of store engines. */

import { EFFORTS } from '@signalbox/contract/effort'
import { DENIALS, LIFECYCLES, UNKNOWN_REASONS } from '@signalbox/contract/model'
import type { Facts, RowList, StatedRow } from '@signalbox/contract/row'
import fc from 'fast-check'
import { model, ODD_TEXTS, provider, source } from './store.samples.ts'
import type { PublishedList, SourceMemory, StatusRecord } from './store.ts'

const id = fc.oneof(fc.constantFrom(...ODD_TEXTS), fc.string({ unit: 'binary', minLength: 1, maxLength: 12 }))
const text = fc.oneof(fc.constantFrom(...ODD_TEXTS), fc.string({ unit: 'binary', maxLength: 40 }))
const time = fc.integer({ min: 0, max: 8_640_000_000_000_000 })
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null })
const price = fc.double({ min: 0, max: 1e6, noNaN: true }).map(Math.abs)
const count = fc.integer({ min: 1 })

const facts: fc.Arbitrary<Facts> = fc.record(
  {
    display_name: maybe(text),
    context_window: maybe(count),
    max_input_tokens: maybe(count),
    max_output_tokens: maybe(count),
    supports_tools: maybe(fc.boolean()),
    supports_reasoning: maybe(fc.boolean()),
    reasoning_efforts: maybe(fc.subarray([...EFFORTS])),
    default_reasoning_effort: maybe(fc.constantFrom(...EFFORTS)),
    family: maybe(text),
    modalities: maybe(fc.record({ input: fc.array(text), output: fc.array(text) })),
    release_date: maybe(text),
    lifecycle: maybe(fc.constantFrom(...LIFECYCLES)),
    cost_input_per_million: maybe(price),
    cost_output_per_million: maybe(price),
    cost_cache_read_per_million: maybe(price),
    cost_cache_write_per_million: maybe(price),
    cost_tiers: maybe(
      fc.array(
        fc.record({
          above_context_tokens: count,
          input_per_million: maybe(price),
          output_per_million: maybe(price),
          cache_read_per_million: maybe(price),
          cache_write_per_million: maybe(price),
        }),
      ),
    ),
  },
  { noNullPrototype: true },
)

const statedRow: fc.Arbitrary<StatedRow> = fc.record({
  model_id: id.map(model),
  facts,
  available: maybe(fc.boolean()),
  denial: maybe(fc.constantFrom(...DENIALS)),
  refreshed_at: maybe(time),
  expires_at: maybe(time),
  declared_stale: fc.boolean(),
})

const key = { source_id: id.map(source), provider_id: id.map(provider) }
const keyOrNull = { source_id: id.map(source), provider_id: maybe(id.map(provider)) }

const rowList: fc.Arbitrary<RowList> = fc.record({
  ...key,
  refreshed_at: time,
  fresh_until: maybe(time),
  failed: fc.boolean(),
  rows: fc.array(statedRow, { maxLength: 4 }),
})

const statusRecord: fc.Arbitrary<StatusRecord> = fc.record({
  ...keyOrNull,
  outcome: fc.constantFrom('succeeded', 'failed'),
  last_refresh: time,
  next_refresh: maybe(time),
  last_success: maybe(time),
  last_error: maybe(text),
  reason: maybe(fc.constantFrom(...UNKNOWN_REASONS)),
  failures: fc.nat(),
})

const sourceMemory: fc.Arbitrary<SourceMemory> = fc.record({
  ...keyOrNull,
  memory: fc.dictionary(id, fc.jsonValue({ noUnicodeString: false })).map((value) => JSON.parse(JSON.stringify(value))),
})

const publishedList: fc.Arbitrary<PublishedList> = fc.record({
  provider_id: id.map(provider),
  static_fingerprint: text,
  discovered_fingerprint: text,
  valid_until: maybe(time),
  model_count: fc.nat(),
  body: fc.uint8Array({ maxLength: 200 }),
})

/** A change without removals. */
export const anyChange = fc.record({
  lists: fc.array(rowList, { maxLength: 5 }),
  statuses: fc.array(statusRecord, { maxLength: 5 }),
  memories: fc.array(sourceMemory, { maxLength: 5 }),
  published: fc.array(publishedList, { maxLength: 5 }),
  notes: fc.dictionary(id, text, { maxKeys: 5 }),
})
