/** What one source states about one model. Rows are kept apart and merged on read; no source edits another's. */
import type { Effort } from './effort.ts'
import type { ModelId, ProviderId, SourceId, SourceKind } from './ids.ts'
import type { Denial, Lifecycle, Modalities, PriceTier } from './model.ts'

/** Metadata fields, each merged by itself. Null is "does not say"; `false` and `0` are statements. */
export interface Facts {
  readonly display_name: string | null
  readonly context_window: number | null
  readonly max_input_tokens: number | null
  readonly max_output_tokens: number | null
  readonly supports_tools: boolean | null
  readonly supports_reasoning: boolean | null
  readonly reasoning_efforts: readonly Effort[] | null
  readonly default_reasoning_effort: Effort | null
  readonly family: string | null
  readonly modalities: Modalities | null
  readonly release_date: string | null
  readonly lifecycle: Lifecycle | null
  readonly cost_input_per_million: number | null
  readonly cost_output_per_million: number | null
  readonly cost_cache_read_per_million: number | null
  readonly cost_cache_write_per_million: number | null
  readonly cost_tiers: readonly PriceTier[] | null
}

/** A row as its source hands it over: identity, priority and times are stamped by the daemon, never taken from it. */
export interface StatedRow {
  readonly model_id: ModelId
  readonly facts: Facts
  /** Only `provider_live` and `extension` rows can prove anything; elsewhere this has no effect. */
  readonly available: boolean | null
  readonly denial: Denial | null
  /** Epoch milliseconds; null takes the time and the TTL of the list it came in. */
  readonly refreshed_at: number | null
  readonly expires_at: number | null
  /** The source itself says that this is old. */
  readonly declared_stale: boolean
}

/** A row with everything merging needs. Times are epoch milliseconds. */
export interface Row {
  readonly provider_id: ProviderId
  readonly model_id: ModelId
  readonly source_id: SourceId
  readonly source_kind: SourceKind
  readonly priority: number
  readonly refreshed_at: number
  readonly expires_at: number | null
  readonly stale: boolean
  readonly available: boolean | null
  readonly denial: Denial | null
  readonly facts: Facts
}

/** One source's last good rows for one provider, replaced as a whole. */
export interface RowList {
  readonly source_id: SourceId
  readonly provider_id: ProviderId
  readonly refreshed_at: number
  /** When the list stops being fresh by itself; null for sources without a TTL. */
  readonly fresh_until: number | null
  /** The last finished refresh failed: the rows are kept and read as stale. */
  readonly failed: boolean
  readonly rows: readonly StatedRow[]
}
