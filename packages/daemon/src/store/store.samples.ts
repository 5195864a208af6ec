/** Values for store tests: short makers, and the odd texts that ids and texts may hold. */
import type { ModelId, ProviderId, SourceId } from '@signalbox/contract/ids'
import type { Facts, RowList, StatedRow } from '@signalbox/contract/row'
import { NO_FACTS } from '@signalbox/core/catalog/facts'
import type { PublishedList, StatusRecord, Store } from './store.ts'

// The store takes ids as they come, so its tests hand it ones that no schema would let through.
export const source = (id: string) => id as SourceId
export const provider = (id: string) => id as ProviderId
export const model = (id: string) => id as ModelId

export const ODD_TEXTS: readonly string[] = [
  'openai/gpt-5.4',
  'claude:opus',
  'llama.cpp',
  '@cf/meta/llama-3',
  'Qwen3-Coder-480B-A35B',
  '🚂-signal-👩🏽‍💻',
  `"double" 'single' \`back\``,
  "x'); DROP TABLE lists; --",
  '__proto__',
  'constructor',
  'toString',
  'back\\slash\n\r\t',
  'nul\u0000inside',
  '%_*?[]',
  'e\u0301 and é',
  '\ufeffmark',
  ' spaces ',
  'null',
  '0',
]

export function row(id: string, facts: Partial<Facts> = {}): StatedRow {
  const silent = { available: null, denial: null, refreshed_at: null, expires_at: null, declared_stale: false }
  return { model_id: model(id), facts: { ...NO_FACTS, ...facts }, ...silent }
}

export function list(
  source_id: string,
  provider_id: string,
  rows: readonly StatedRow[] = [row('a')],
  stamp: Partial<Omit<RowList, 'rows'>> = {},
): RowList {
  const key = { source_id: source(source_id), provider_id: provider(provider_id) }
  return { ...key, refreshed_at: 1_780_000_000_000, fresh_until: 1_780_086_400_000, failed: false, ...stamp, rows }
}

export function status(
  source_id: string,
  provider_id: string | null,
  change: Partial<StatusRecord> = {},
): StatusRecord {
  return {
    source_id: source(source_id),
    provider_id: provider_id === null ? null : provider(provider_id),
    outcome: 'succeeded',
    last_refresh: 1_780_000_000_000,
    next_refresh: 1_780_086_400_000,
    last_success: 1_780_000_000_000,
    last_error: null,
    reason: null,
    failures: 0,
    ...change,
  }
}

export function published(provider_id: string, body: string): PublishedList {
  return {
    provider_id: provider(provider_id),
    static_fingerprint: 's',
    discovered_fingerprint: 'd',
    valid_until: null,
    model_count: 1,
    body: new TextEncoder().encode(body),
  }
}

/** With the body as plain numbers: engines may return any kind of byte array. */
export const bodyOf = (one: PublishedList) => ({ ...one, body: Array.from(one.body) })

/** Everything a store holds, as plain data. */
export function snapshotOf(store: Store) {
  const { lists, published: bodies, ...rest } = store.load()
  return { ...rest, lists: lists.map((one) => ({ ...one })), published: bodies.map(bodyOf) }
}
