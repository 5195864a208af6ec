/** Rows and lists for examples: a test names only what it is about. */
import { ModelId, ProviderId, SOURCE_PRIORITY, SourceId } from '@signalbox/contract/ids'
import type { Facts, Row, RowList, StatedRow } from '@signalbox/contract/row'
import { NO_FACTS } from '../facts.ts'
import { kindOf } from '../rows.ts'

/** 2026-05-07T18:32:11.500Z: half a second in, so that a test sees whether times are cut to whole seconds. */
export const NOW = Date.UTC(2026, 4, 7, 18, 32, 11, 500)
export const HOUR = 3_600_000

export const provider = (id: string): ProviderId => ProviderId.parse(id)
export const model = (id: string): ModelId => ModelId.parse(id)
export const source = (id: string): SourceId => SourceId.parse(id)

export const FRESH = { includeStale: false, probe: 'not_probed' } as const
export const WITH_STALE = { includeStale: true, probe: 'not_probed' } as const

interface RowSample extends Partial<Omit<Row, 'source_id' | 'provider_id' | 'model_id' | 'facts'>> {
  readonly provider_id?: string
  readonly model_id?: string
  readonly facts?: Partial<Facts>
}

/** A fresh row of `acme/m1` that states nothing but what is given. */
export function row(source_id: string, { provider_id, model_id, facts, ...rest }: RowSample = {}): Row {
  const source_kind = kindOf(source(source_id))
  return {
    provider_id: provider(provider_id ?? 'acme'),
    model_id: model(model_id ?? 'm1'),
    source_id: source(source_id),
    source_kind,
    priority: SOURCE_PRIORITY[source_kind],
    refreshed_at: NOW,
    expires_at: null,
    stale: false,
    available: null,
    denial: null,
    ...rest,
    facts: { ...NO_FACTS, ...facts },
  }
}

interface StatedSample extends Partial<Omit<StatedRow, 'model_id' | 'facts'>> {
  readonly facts?: Partial<Facts>
}

export function stated(model_id: string, { facts, ...rest }: StatedSample = {}): StatedRow {
  return {
    model_id: model(model_id),
    available: null,
    denial: null,
    refreshed_at: null,
    expires_at: null,
    declared_stale: false,
    ...rest,
    facts: { ...NO_FACTS, ...facts },
  }
}

/** A good list of `acme`, fresh for an hour; configuration and built-in lists for ever. */
export function list(
  source_id: string,
  rows: readonly StatedRow[],
  rest: Partial<Omit<RowList, 'provider_id' | 'rows'>> & { readonly provider_id?: string } = {},
): RowList {
  const forEver = source_id === 'config' || source_id === 'builtin'
  return {
    source_id: source(source_id),
    refreshed_at: NOW,
    fresh_until: forEver ? null : NOW + HOUR,
    failed: false,
    ...rest,
    provider_id: provider(rest.provider_id ?? 'acme'),
    rows,
  }
}
