/**
 * The daemon's one catalog: every source's last good lists and statuses, and the snapshot made of them. Reading is
 * synchronous and never waits; changing goes through `apply`, one at a time, which stores first and publishes then.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ProviderId, SourceId } from '@signalbox/contract/ids'
import type { RowList } from '@signalbox/contract/row'
import { enrichedFrom, enriches } from '@signalbox/core/catalog/provider-aliases'
import { kindOf } from '@signalbox/core/catalog/rows'
import { ProviderShard, type PublishedBody, type ShardInput } from '@signalbox/core/catalog/shard'
import { makeSnapshot, type Snapshot } from '@signalbox/core/catalog/snapshot'
import type { Source } from '../sources/source.ts'
import type { ListKey, PublishedList, SourceMemory, StatusRecord, StoreChange, StoredCatalog } from '../store/store.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'
import type { Clock } from './clock.ts'
import { discoveredFingerprint, staticFingerprint } from './fingerprint.ts'
import type { Persistence } from './persistence.ts'
import { probeState } from './probe-state.ts'
import { StatusBoard } from './status-board.ts'

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
}

type Lists = ReadonlyMap<ProviderId, ReadonlyMap<SourceId, RowList>>

export class Catalog {
  readonly statuses: StatusBoard
  readonly #parts: CatalogParts
  readonly #memories = new Map<string, SourceMemory>()
  #lists: Lists
  #shards: ReadonlyMap<ProviderId, ProviderShard> = new Map()
  #snapshot: Snapshot
  #queue: Promise<void> = Promise.resolve()

  /** Starts from what was stored, and from `staticLists` (built-in, configuration), which are never stored. */
  constructor(parts: CatalogParts, staticLists: readonly RowList[]) {
    this.#parts = parts
    this.#lists = withChange(new Map(), [], [...parts.stored.lists, ...staticLists])
    this.statuses = new StatusBoard(parts.stored.statuses, () => this.#lists)
    this.statuses.register(parts.sources)
    for (const memory of parts.stored.memories) this.#memories.set(memoryKey(memory), memory)
    this.#snapshot = makeSnapshot(0, [])
    this.#publishStored(parts.stored.published)
  }

  /** The current snapshot. Its rows read as they do now: a row whose TTL passed is stale although no refresh ran. */
  snapshot(): Snapshot {
    const now = this.#parts.clock.now()
    const { validUntil } = this.#snapshot
    if (validUntil !== null && validUntil <= now) {
      const expired = this.#snapshot.shards.filter((shard) => shard.validUntil !== null && shard.validUntil <= now)
      this.#swap(this.#lists, expired.map((shard) => this.#makeShard(this.#lists, shard.provider_id, now)))
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
    return this.#memories.get(memoryKey({ source_id, provider_id }))?.memory ?? null
  }

  /** Replace the sources. Lists of a source that is gone or disabled are dropped in the next generation. */
  async setSources(sources: readonly Source[]): Promise<void> {
    this.statuses.register(sources)
    const enabled = new Set(sources.filter((source) => source.enabled).map((source) => source.id))
    const lists = [...this.#lists.values()].flatMap((bySource) => [...bySource.values()])
    const gone = lists.filter((list) => !enabled.has(list.source_id))
    if (gone.length === 0) return
    await this.apply({ removeLists: gone, removeStatusesOf: [...new Set(gone.map((list) => list.source_id))] })
  }

  /** Store and publish a change. Resolves when readers see it. */
  apply(change: CatalogChange): Promise<void> {
    const done = this.#queue.then(() => this.#apply(change))
    this.#queue = done.catch(() => undefined)
    return done
  }

  /** Resolves when every change asked for so far has been published. */
  settled(): Promise<void> {
    return this.#queue
  }

  async #apply(change: CatalogChange): Promise<void> {
    const before = this.#lists
    const lists = withChange(before, change.removeLists ?? [], change.lists ?? [])
    for (const memory of change.memories ?? []) this.#memories.set(memoryKey(memory), memory)
    this.statuses.replace(change.removeStatusesOf ?? [], change.statuses ?? [])
    this.#parts.persistence.commit(discoveredOnly(change), () => this.#everything(lists))

    const touched = affectedProviders(before, lists)
    const now = this.#parts.clock.now()
    const shards = touched.filter((id) => lists.has(id)).map((id) => this.#makeShard(lists, id, now))
    // Merge and encode ahead, a provider at a time, so that no reader waits for it.
    for (const shard of shards) {
      shard.prepare()
      await nextTurn()
    }
    if (touched.length === 0) return
    this.#swap(lists, shards)
    await this.#storePublished(shards)
  }

  #swap(lists: Lists, shards: readonly ProviderShard[], verbatim = 0): void {
    const next = new Map([...this.#shards].filter(([id]) => lists.has(id)))
    for (const shard of shards) next.set(shard.provider_id, shard)
    this.#lists = lists
    this.#shards = next
    this.#snapshot = makeSnapshot(this.#snapshot.generation + 1, next.values())
    this.#parts.telemetry.emit('catalog.snapshot.published', {
      generation: this.#snapshot.generation,
      providers: next.size,
      verbatim,
      merged: shards.length - verbatim,
    })
  }

  #makeShard(lists: Lists, provider_id: ProviderId, now: number, published: PublishedBody | null = null): ProviderShard {
    return new ProviderShard(this.#shardInput(lists, provider_id, now), published)
  }

  #shardInput(lists: Lists, provider_id: ProviderId, now: number): ShardInput {
    const own = [...(lists.get(provider_id)?.values() ?? [])]
    const origin = enrichedFrom(provider_id)
    const enriching = origin === null ? [] : [...(lists.get(origin)?.values() ?? [])].filter(canEnrich)
    return { provider_id, lists: own, enriching, probe: probeState(provider_id, this.statuses), now }
  }

  /** At start: a provider whose stored list still holds what it was made from is published as it is, without a merge. */
  #publishStored(published: readonly PublishedList[]): void {
    const now = this.#parts.clock.now()
    const stored = new Map(published.map((list) => [list.provider_id, list]))
    let verbatim = 0
    const shards = [...this.#lists.keys()].map((provider_id) => {
      const candidate = stored.get(provider_id)
      const usable = candidate !== undefined && this.#stillHolds(candidate, now) ? candidate : null
      if (usable !== null) verbatim += 1
      return this.#makeShard(this.#lists, provider_id, now, usable)
    })
    this.#swap(this.#lists, shards, verbatim)
  }

  #stillHolds(published: PublishedList, now: number): boolean {
    if (published.valid_until !== null && published.valid_until <= now) return false
    if (this.statuses.isFetchDue(published.provider_id, now)) return false
    const { statics, discovered } = this.#fingerprints(published.provider_id, now)
    return statics === published.static_fingerprint && discovered === published.discovered_fingerprint
  }

  #fingerprints(provider_id: ProviderId, now: number): { statics: string; discovered: string } {
    const { lists, enriching, probe } = this.#shardInput(this.#lists, provider_id, now)
    const all = [...lists, ...enriching]
    return {
      statics: staticFingerprint(all.filter(isStatic), this.#parts.builtinHash),
      discovered: discoveredFingerprint(all.filter((list) => !isStatic(list)), probe),
    }
  }

  /** Keep the merged lists of providers with discovered rows, a few per transaction so that readers do not notice. */
  async #storePublished(shards: readonly ProviderShard[]): Promise<void> {
    const discovered = shards.filter((shard) => [...(this.#lists.get(shard.provider_id)?.values() ?? [])].some((list) => !isStatic(list)))
    for (let start = 0; start < discovered.length; start += PUBLISHED_PER_COMMIT) {
      if (this.#parts.persistence.problem !== null) return
      const published = discovered.slice(start, start + PUBLISHED_PER_COMMIT).map((shard) => this.#publishedList(shard))
      this.#parts.persistence.commit({ published }, () => this.#everything(this.#lists))
      await nextTurn()
    }
  }

  #publishedList(shard: ProviderShard): PublishedList {
    const { statics, discovered } = this.#fingerprints(shard.provider_id, this.#parts.clock.now())
    return {
      provider_id: shard.provider_id,
      static_fingerprint: statics,
      discovered_fingerprint: discovered,
      valid_until: shard.validUntil,
      model_count: shard.modelCount,
      body: shard.body,
    }
  }

  #everything(lists: Lists): StoreChange {
    const all = [...lists.values()].flatMap((bySource) => [...bySource.values()])
    return {
      lists: all.filter((list) => !isStatic(list)),
      statuses: this.statuses.records().filter((record) => !isStaticSource(record.source_id)),
      memories: [...this.#memories.values()],
    }
  }
}

const PUBLISHED_PER_COMMIT = 16

const isStaticSource = (source_id: SourceId) => source_id === 'builtin' || source_id === 'config'
const isStatic = (list: RowList) => isStaticSource(list.source_id)
/** Another provider's catalog rows fill gaps; its configuration and live truth are its own. */
const canEnrich = (list: RowList) => kindOf(list.source_id) === 'models_dev' || kindOf(list.source_id) === 'builtin'

const memoryKey = ({ source_id, provider_id }: Pick<SourceMemory, 'source_id' | 'provider_id'>) => `${source_id}\0${provider_id ?? ''}`

/** Configuration and built-in rows come from their own files at every start. */
function discoveredOnly(change: CatalogChange): StoreChange {
  return {
    removeLists: change.removeLists ?? [],
    lists: (change.lists ?? []).filter((list) => !isStatic(list)),
    removeStatusesOf: change.removeStatusesOf ?? [],
    statuses: (change.statuses ?? []).filter((record) => !isStaticSource(record.source_id)),
    memories: change.memories ?? [],
  }
}

/** The lists after a change. Providers that are untouched keep their very map, which is how the change is found again. */
function withChange(before: Lists, remove: readonly ListKey[], put: readonly RowList[]): Lists {
  const next = new Map(before)
  const edited = new Map<ProviderId, Map<SourceId, RowList>>()
  const edit = (provider_id: ProviderId): Map<SourceId, RowList> => {
    const copy = edited.get(provider_id) ?? new Map(before.get(provider_id))
    edited.set(provider_id, copy)
    next.set(provider_id, copy)
    return copy
  }
  for (const key of remove) if (next.get(key.provider_id)?.has(key.source_id) === true) edit(key.provider_id).delete(key.source_id)
  for (const list of put) if (next.get(list.provider_id)?.get(list.source_id) !== list) edit(list.provider_id).set(list.source_id, list)
  for (const [id, lists] of next) if (lists.size === 0) next.delete(id)
  return next
}

/** Providers whose models may differ, those enriched from a changed one included. */
function affectedProviders(before: Lists, after: Lists): ProviderId[] {
  const changed = [...new Set([...before.keys(), ...after.keys()])].filter((id) => before.get(id) !== after.get(id))
  return [...new Set([...changed, ...changed.flatMap(enriches)])]
}
