/** One immutable generation of all models. Readers hold a snapshot; nobody changes one. */
import type { ModelId, ProviderId } from '@signalbox/contract/ids'
import { compareBytes } from '../bytes.ts'
import type { MergedModel } from './merge.ts'
import type { ProviderShard } from './shard.ts'

export interface Snapshot {
  readonly generation: number
  /** In byte order of the provider id. */
  readonly shards: readonly ProviderShard[]
  readonly byProvider: ReadonlyMap<ProviderId, ProviderShard>
  /** Counted when first asked for: it needs every provider merged. */
  readonly modelCount: number
  /** When a row turns stale and the next generation is due; null when nothing expires. */
  readonly validUntil: number | null
}

export function makeSnapshot(generation: number, shards: Iterable<ProviderShard>): Snapshot {
  const ordered = [...shards].sort((a, b) => compareBytes(a.provider_id, b.provider_id))
  const expiries = ordered.flatMap((shard) => (shard.validUntil === null ? [] : [shard.validUntil]))
  return Object.freeze({
    generation,
    shards: Object.freeze(ordered),
    byProvider: new Map(ordered.map((shard) => [shard.provider_id, shard])),
    get modelCount() {
      return ordered.reduce((sum, shard) => sum + shard.modelCount, 0)
    },
    validUntil: expiries.length === 0 ? null : Math.min(...expiries),
  })
}

export interface Selection {
  readonly provider_id?: ProviderId | undefined
  readonly source_id?: string | undefined
  readonly include_stale?: boolean | undefined
  readonly q?: string | undefined
  readonly available?: 'true' | 'false' | 'unknown' | undefined
  readonly limit?: number | undefined
}

/** The models a list asks for, by provider and then model id, and how many there were before `limit` cut. */
export function selectModels(snapshot: Snapshot, selection: Selection): { models: MergedModel[]; total: number } {
  const matches = matcher(selection)
  const models = shardsOf(snapshot, selection.provider_id).flatMap((shard) =>
    candidates(shard, selection).filter(matches),
  )
  return { models: selection.limit === undefined ? models : models.slice(0, selection.limit), total: models.length }
}

export function findModel(snapshot: Snapshot, provider_id: ProviderId, model_id: ModelId): MergedModel | undefined {
  return snapshot.byProvider.get(provider_id)?.find(model_id)
}

function shardsOf(snapshot: Snapshot, provider_id: ProviderId | undefined): readonly ProviderShard[] {
  if (provider_id === undefined) return snapshot.shards
  const shard = snapshot.byProvider.get(provider_id)
  return shard === undefined ? [] : [shard]
}

function candidates(shard: ProviderShard, { source_id, include_stale }: Selection): readonly MergedModel[] {
  if (source_id !== undefined) return shard.modelsOf(source_id, include_stale === true)
  return include_stale === true ? shard.modelsWithStale : shard.models
}

const AVAILABLE = { true: true, false: false, unknown: null } as const

function matcher({ q, available }: Selection): (model: MergedModel) => boolean {
  const needle = q?.toLowerCase()
  return (model) => {
    if (available !== undefined && model.availability.available !== AVAILABLE[available]) return false
    if (needle === undefined || needle === '') return true
    return [model.provider_id, model.model_id, model.facts.display_name].some((text) =>
      text?.toLowerCase().includes(needle),
    )
  }
}
