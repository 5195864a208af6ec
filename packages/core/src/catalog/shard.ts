/**
 * One provider's part of a snapshot. Rows, models and encoded bytes are made when first asked for and kept: a shard is a
 * value, so they cannot change, and a provider that nobody looks at costs nothing.
 */
import { type ModelId, type ProviderId, SOURCE_PRIORITY } from '@signalbox/contract/ids'
import type { Row, RowList } from '@signalbox/contract/row'
import type { ProbeState } from './availability.ts'
import { type MergedModel, mergeProvider } from './merge.ts'
import { projectModel } from './project.ts'
import { kindOf, nextExpiry, rowsOf } from './rows.ts'

export interface ShardInput {
  readonly provider_id: ProviderId
  readonly lists: readonly RowList[]
  /** Lists of the provider this one is enriched from: they fill fields of models that a list above states. */
  readonly enriching: readonly RowList[]
  readonly probe: ProbeState
  readonly now: number
}

/** A list that was published before and is still right, so that it need not be merged and encoded again. */
export interface PublishedBody {
  readonly body: Uint8Array
  readonly model_count: number
}

const encoder = new TextEncoder()

export class ProviderShard {
  readonly provider_id: ProviderId
  /** When the shard stops being right by itself, because a row turns stale. */
  readonly validUntil: number | null
  readonly #input: ShardInput
  readonly #modelCount: number | undefined
  #rows: readonly Row[] | undefined
  #models: readonly MergedModel[] | undefined
  #modelsWithStale: readonly MergedModel[] | undefined
  #body: Uint8Array | undefined

  constructor(input: ShardInput, published: PublishedBody | null = null) {
    this.#input = input
    this.#body = published?.body
    this.#modelCount = published?.model_count
    this.provider_id = input.provider_id
    this.validUntil = earliest([...input.lists, ...input.enriching].map((list) => nextExpiry(list, input.now)))
  }

  get rows(): readonly Row[] {
    this.#rows ??= collectRows(this.#input)
    return this.#rows
  }

  /** Merged without stale fields. */
  get models(): readonly MergedModel[] {
    this.#models ??= this.#merge(false)
    return this.#models
  }

  /** Merged with stale rows supplying fields too; the same as `models` while nothing is stale. */
  get modelsWithStale(): readonly MergedModel[] {
    if (!this.rows.some((row) => row.stale)) return this.models
    this.#modelsWithStale ??= this.#merge(true)
    return this.#modelsWithStale
  }

  /** The models as canonical JSON, comma-separated, without brackets. */
  get body(): Uint8Array {
    this.#body ??= encodeModels(this.models)
    return this.#body
  }

  /** Merge and encode now, so that the first reader does not have to. */
  prepare(): void {
    this.#body ??= this.body
  }

  /** Keep an equal copy instead of the own one: a view of a larger buffer costs nothing beside it. */
  shareBody(copy: Uint8Array): void {
    this.#body = copy
  }

  get modelCount(): number {
    return this.#modelCount ?? this.models.length
  }

  find(model_id: ModelId): MergedModel | undefined {
    return this.models.find((model) => model.model_id === model_id)
  }

  /** Only the rows of one source, merged. */
  modelsOf(source_id: string, includeStale: boolean): readonly MergedModel[] {
    const rows = this.rows.filter((row) => row.source_id === source_id)
    return mergeProvider(rows, { includeStale, probe: this.#input.probe })
  }

  #merge(includeStale: boolean): readonly MergedModel[] {
    return mergeProvider(this.rows, { includeStale, probe: this.#input.probe })
  }
}

/** Models as canonical JSON, comma-separated. */
export function encodeModels(models: readonly MergedModel[]): Uint8Array {
  return encoder.encode(models.map((model) => JSON.stringify(projectModel(model))).join(','))
}

function collectRows({ provider_id, lists, enriching, now }: ShardInput): Row[] {
  // Strongest first, so that the rows of most models are in merge order already.
  const rows = [...lists].sort(byPriority).flatMap((list) => rowsOf(list, now))
  if (enriching.length === 0) return rows
  const stated = new Set(rows.map((row) => row.model_id))
  const own = new Set(rows.map((row) => `${row.source_id}\0${row.model_id}`))
  const extra = enriching
    .flatMap((list) => rowsOf(list, now, provider_id))
    .filter((row) => stated.has(row.model_id) && !own.has(`${row.source_id}\0${row.model_id}`))
  return [...rows, ...extra]
}

const byPriority = (a: RowList, b: RowList) => priorityOf(b) - priorityOf(a)
const priorityOf = ({ source_id }: RowList) => SOURCE_PRIORITY[kindOf(source_id)]

function earliest(times: readonly (number | null)[]): number | null {
  return times.reduce<number | null>(
    (first, time) => (first === null || (time !== null && time < first) ? time : first),
    null,
  )
}
