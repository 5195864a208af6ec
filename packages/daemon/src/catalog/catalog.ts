/**
 * The daemon's one catalog: every source's last good lists and statuses, and the snapshot made of them. Reading is
 * synchronous and never waits; changing goes through `apply`, one at a time, which stores first and publishes then.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ProviderId, SourceId } from '@signalbox/contract/ids'
import type { RowList } from '@signalbox/contract/row'
import { enrichedFrom } from '@signalbox/core/catalog/provider-aliases'
import { ProviderShard, type PublishedBody, type ShardInput } from '@signalbox/core/catalog/shard'
import { makeSnapshot, type Snapshot } from '@signalbox/core/catalog/snapshot'
import type { Source } from '../sources/source.ts'
import { recordKey } from '../store/record-key.ts'
import type { ListKey, PublishedList, SourceMemory, StatusRecord, StoreChange, StoredCatalog } from '../store/store.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'
import type { Clock } from './clock.ts'
import { type Fingerprints, fingerprintsOf } from './fingerprint.ts'
import {
  affectedProviders,
  allLists,
  canEnrich,
  isDiscovered,
  isStaticSource,
  type Lists,
  listsOfProvider,
  withChange,
} from './lists.ts'
import type { Persistence } from './persistence.ts'
import { probeState, type Unasked } from './probe-state.ts'
import { readMemory, rememberedIdentity } from './source-memory.ts'
import { StatusBoard } from './status-board.ts'
import type { StatusRecords } from './status-records.ts'

/** What one finished source run changes. All of it becomes visible in one generation. */
export interface CatalogChange {
  readonly removeLists?: readonly ListKey[]
  readonly lists?: readonly RowList[]
  readonly removeStatusesOf?: readonly SourceId[]
  readonly statuses?: readonly StatusRecord[]
  readonly memories?: readonly SourceMemory[]
}

interface CatalogParts {
  readonly stored: StoredCatalog
  readonly persistence: Persistence
  readonly telemetry: Telemetry
  readonly clock: Clock
  /** Hash of the built-in file: part of the static fingerprint. */
  readonly builtinHash: string
  readonly sources: readonly Source[]
  readonly unasked?: Unasked
  readonly isOffline?: () => boolean
}

/** What the next generation is made of. */
interface State {
  readonly lists: Lists
  readonly records: StatusRecords
}

const PUBLISHED_PER_COMMIT = 16

export class Catalog {
  readonly statuses: StatusBoard
  readonly #parts: CatalogParts
  readonly #memories = new Map<string, SourceMemory>()
  /** What each shard was made of: it is told apart by it from what it would be made of now. */
  readonly #inputs = new WeakMap<ProviderShard, ShardInput>()
  #lists: Lists
  #shards: ReadonlyMap<ProviderId, ProviderShard> = new Map()
  #snapshot: Snapshot
  #queue: Promise<void> = Promise.resolve()

  /** Starts from what was stored, and from `staticLists` (built-in, configuration), which are never stored. */
  constructor(parts: CatalogParts, staticLists: readonly RowList[]) {
    this.#parts = parts
    this.#lists = withChange(new Map(), [], [...parts.stored.lists, ...staticLists])
    this.statuses = new StatusBoard(parts.stored.statuses, () => this.#lists, parts.isOffline)
    this.statuses.register(parts.sources, parts.unasked)
    for (const memory of parts.stored.memories)
      this.#memories.set(recordKey(memory.source_id, memory.provider_id), memory)
    this.#snapshot = makeSnapshot(0, [])
    this.#publishStored(parts.stored.published)
  }

  /** The current snapshot. Its rows read as they do now: a row whose TTL passed is stale although no refresh ran. */
  snapshot(): Snapshot {
    const now = this.#parts.clock.now()
    const { validUntil } = this.#snapshot
    if (validUntil !== null && validUntil <= now) {
      const expired = this.#snapshot.shards.filter((shard) => shard.validUntil !== null && shard.validUntil <= now)
      const state = { lists: this.#lists, records: this.statuses.records }
      this.#swap(
        state,
        expired.map((shard) => this.#makeShard(state, shard.provider_id, now)),
      )
    }
    return this.#snapshot
  }

  knows(provider_id: ProviderId): boolean {
    return this.#lists.has(provider_id)
  }

  list(key: ListKey): RowList | undefined {
    return this.#lists.get(key.provider_id)?.get(key.source_id)
  }

  /** All lists of a source, by provider. */
  listsOf(source_id: SourceId): RowList[] {
    return [...this.#lists.values()].flatMap((bySource) => bySource.get(source_id) ?? [])
  }

  memoryOf(source_id: SourceId, provider_id: ProviderId | null): SourceMemory['memory'] | null {
    return this.#memories.get(recordKey(source_id, provider_id))?.memory ?? null
  }

  /**
   * Replace the sources. Lists of a source that is gone or disabled are dropped in the next generation, and so are those
   * that a live source proved with another credential or at another address.
   */
  async setSources(sources: readonly Source[], unasked: Unasked = new Map()): Promise<void> {
    this.statuses.register(sources, unasked)
    await this.#enqueue(() => this.#dropUnwanted())
  }

  /**
   * Store and publish a change. Resolves when readers see it, or to false when by its turn it was no longer `wanted`,
   * and nothing was done.
   */
  apply(change: CatalogChange, wanted: () => boolean = () => true): Promise<boolean> {
    return this.#enqueue(() => (wanted() ? change : null))
  }

  /** Resolves when every change asked for so far has been published and stored. */
  settled(): Promise<void> {
    return this.#queue
  }

  /** One change at a time. `makeChange` is called at its turn, so that it sees what those before it did. */
  #enqueue(makeChange: () => CatalogChange | null): Promise<boolean> {
    const published = this.#queue.then(() => this.#publish(makeChange()))
    this.#queue = published
      .then(
        ({ touched }) => this.#storePublished(touched),
        () => undefined, // the caller gets the fault, and the next change starts afresh
      )
      .catch((error: unknown) => this.#parts.telemetry.emit('daemon.fault', { error: String(error) }))
    return published.then(({ applied }) => applied)
  }

  async #publish(change: CatalogChange | null): Promise<{ applied: boolean; touched: readonly ProviderId[] }> {
    if (change === null) return { applied: false, touched: [] }
    const before = this.#lists
    const lists = withChange(before, change.removeLists ?? [], change.lists ?? [])
    const records = this.statuses.records.with(change.removeStatusesOf ?? [], change.statuses ?? [])
    const next = { lists, records }
    for (const memory of change.memories ?? [])
      this.#memories.set(recordKey(memory.source_id, memory.provider_id), memory)
    this.#parts.persistence.commit(discoveredOnly(change), () => this.#everything(next))

    const touched = [...new Set([...affectedProviders(before, lists), ...this.#probedAnew(records)])]
    const now = this.#parts.clock.now()
    const shards: ProviderShard[] = []
    // Merge and encode ahead, a provider at a time, so that no reader waits for it.
    for (const id of touched.filter((id) => lists.has(id))) {
      await nextTurn()
      const shard = this.#makeShard(next, id, now)
      shard.prepare()
      shards.push(shard)
    }
    this.#swap(next, shards, touched.length > 0)
    return { applied: true, touched }
  }

  /** From here on readers see lists and statuses of the new state, and never of both. */
  #swap({ lists, records }: State, shards: readonly ProviderShard[], isNew = true, verbatim = 0): void {
    this.#lists = lists
    this.statuses.adopt(records)
    if (!isNew) return
    const next = new Map([...this.#shards].filter(([id]) => lists.has(id)))
    for (const shard of shards) next.set(shard.provider_id, shard)
    this.#shards = next
    this.#snapshot = makeSnapshot(this.#snapshot.generation + 1, next.values())
    this.#parts.telemetry.emit('catalog.snapshot.published', {
      generation: this.#snapshot.generation,
      providers: next.size,
      verbatim,
      merged: shards.length - verbatim,
    })
  }

  #makeShard(
    state: State,
    provider_id: ProviderId,
    now: number,
    published: PublishedBody | null = null,
  ): ProviderShard {
    const input = this.#inputOf(state, provider_id, now)
    const shard = new ProviderShard(input, published)
    this.#inputs.set(shard, input)
    return shard
  }

  #inputOf({ lists, records }: State, provider_id: ProviderId, now: number): ShardInput {
    const origin = enrichedFrom(provider_id)
    const enriching = origin === null ? [] : listsOfProvider(lists, origin).filter((list) => canEnrich(list.source_id))
    const probe = probeState(provider_id, this.statuses, records)
    return { provider_id, lists: listsOfProvider(lists, provider_id), enriching, probe, now }
  }

  /** Providers whose rows are the same, but whose unknown models are unknown for another reason now. */
  #probedAnew(records: StatusRecords): ProviderId[] {
    return [...this.#shards.values()]
      .filter((shard) => this.#inputs.get(shard)?.probe !== probeState(shard.provider_id, this.statuses, records))
      .map((shard) => shard.provider_id)
  }

  #dropUnwanted(): CatalogChange {
    const enabled = new Map(
      this.statuses.sources.filter((source) => source.enabled).map((source) => [source.id, source]),
    )
    const removeLists = allLists(this.#lists).filter(({ source_id, provider_id }) => {
      const source = enabled.get(source_id)
      return source === undefined || this.#isProvenByAnother(source, provider_id)
    })
    // What they were proven with is gone, and so is when they are due: they are asked at once.
    const unproven = removeLists.map((list) => list.source_id)
    const gone = this.statuses.records.all().flatMap(({ source_id }) => (enabled.has(source_id) ? [] : source_id))
    return { removeLists, removeStatusesOf: [...new Set([...gone, ...unproven])] }
  }

  #isProvenByAnother(source: Source, provider_id: ProviderId): boolean {
    if (source.kind !== 'provider_live') return false
    const asked = readMemory(this.memoryOf(source.id, provider_id))?.asked
    return asked !== undefined && asked !== rememberedIdentity(source)
  }

  /** At start: a provider whose stored list still holds what it was made from is published as it is, without a merge. */
  #publishStored(published: readonly PublishedList[]): void {
    const now = this.#parts.clock.now()
    const state = { lists: this.#lists, records: this.statuses.records }
    const stored = new Map(published.map((list) => [list.provider_id, list]))
    let verbatim = 0
    const shards = [...this.#lists.keys()].map((provider_id) => {
      const candidate = stored.get(provider_id)
      const usable = candidate !== undefined && this.#stillHolds(candidate, state, now) ? candidate : null
      if (usable !== null) verbatim += 1
      return this.#makeShard(state, provider_id, now, usable)
    })
    this.#swap(state, shards, true, verbatim)
  }

  #stillHolds(published: PublishedList, state: State, now: number): boolean {
    if (published.valid_until !== null && published.valid_until <= now) return false
    if (this.statuses.isFetchDue(published.provider_id, now)) return false
    const { statics, discovered } = this.#fingerprints(this.#inputOf(state, published.provider_id, now))
    return statics === published.static_fingerprint && discovered === published.discovered_fingerprint
  }

  #fingerprints(input: ShardInput): Fingerprints {
    return fingerprintsOf(input, this.#parts.builtinHash)
  }

  /** Keep the merged lists of providers with discovered rows, a few per transaction so that readers do not notice. */
  async #storePublished(touched: readonly ProviderId[]): Promise<void> {
    const { persistence } = this.#parts
    for (let start = 0; start < touched.length; start += PUBLISHED_PER_COMMIT) {
      await nextTurn()
      if (persistence.problem !== null) return
      const some = touched.slice(start, start + PUBLISHED_PER_COMMIT)
      const published = some.flatMap((id) => this.#publishedList(id) ?? [])
      const kept = new Set(published.map((list) => list.provider_id))
      const change = { published, removePublished: some.filter((id) => !kept.has(id)) }
      persistence.commit(change, () => this.#everything({ lists: this.#lists, records: this.statuses.records }))
    }
  }

  /** Null for a provider that is made anew from files at every start anyway. */
  #publishedList(provider_id: ProviderId): PublishedList | null {
    const shard = this.#shards.get(provider_id)
    const input = shard === undefined ? undefined : this.#inputs.get(shard)
    if (shard === undefined || input === undefined || !input.lists.some(isDiscovered)) return null
    const { statics, discovered } = this.#fingerprints(input)
    return {
      provider_id,
      static_fingerprint: statics,
      discovered_fingerprint: discovered,
      valid_until: shard.validUntil,
      model_count: shard.modelCount,
      body: shard.body,
    }
  }

  #everything({ lists, records }: State): StoreChange {
    return {
      lists: allLists(lists).filter(isDiscovered),
      statuses: records.all().filter((record) => !isStaticSource(record.source_id)),
      memories: [...this.#memories.values()],
    }
  }
}

/** Configuration and built-in rows come from their own files at every start. */
function discoveredOnly(change: CatalogChange): StoreChange {
  return {
    removeLists: (change.removeLists ?? []).filter((key) => !isStaticSource(key.source_id)),
    lists: (change.lists ?? []).filter(isDiscovered),
    removeStatusesOf: (change.removeStatusesOf ?? []).filter((id) => !isStaticSource(id)),
    statuses: (change.statuses ?? []).filter((record) => !isStaticSource(record.source_id)),
    memories: change.memories ?? [],
  }
}
