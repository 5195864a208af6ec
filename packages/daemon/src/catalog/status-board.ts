/**
 * How every source is doing, per provider: what finished, what runs now, and what was never tried.
 *
 * A status is of the provider that the source's rows were stated for. A provider that is enriched from another one
 * (codex from openai) has none of its own for the public catalogs; asked about it, we show the other's, under its id.
 */
import type { ProviderId, SourceId } from '@signalbox/contract/ids'
import type { RowList } from '@signalbox/contract/row'
import type { SourceStatus } from '@signalbox/contract/status'
import { compareBytes } from '@signalbox/core/bytes'
import { enrichedFrom } from '@signalbox/core/catalog/provider-aliases'
import { isDue } from '@signalbox/core/catalog/schedule'
import { rfc3339 } from '@signalbox/core/time'
import type { Source } from '../sources/source.ts'
import { recordKey } from '../store/record-key.ts'
import type { StatusRecord } from '../store/store.ts'
import { canEnrich, isStaticSource, type Lists } from './lists.ts'
import type { Unasked } from './probe-state.ts'
import { StatusRecords } from './status-records.ts'

export interface StatusFilter {
  readonly provider_id?: ProviderId | undefined
  readonly source_id?: string | undefined
}

export class StatusBoard {
  readonly #running = new Map<string, number>()
  readonly #lists: () => Lists
  /** Whether nobody may be asked: sources that need the network do nothing, and their statuses say so. */
  readonly isOffline: () => boolean
  #records: StatusRecords
  #sources: readonly Source[] = []
  #unasked: Unasked = new Map()

  constructor(records: readonly StatusRecord[], lists: () => Lists, isOffline: () => boolean = () => false) {
    this.#lists = lists
    this.isOffline = isOffline
    this.#records = new StatusRecords(records)
  }

  /** The sources that exist now. A record of one that does not is not shown. */
  register(sources: readonly Source[], unasked: Unasked = new Map()): void {
    this.#sources = sources
    this.#unasked = unasked
  }

  /** Why providers without a live source have none. */
  get unasked(): Unasked {
    return this.#unasked
  }

  get sources(): readonly Source[] {
    return this.#sources
  }

  get records(): StatusRecords {
    return this.#records
  }

  adopt(records: StatusRecords): void {
    this.#records = records
  }

  replace(removeStatusesOf: readonly SourceId[], records: readonly StatusRecord[]): void {
    this.adopt(this.#records.with(removeStatusesOf, records))
  }

  /** Whether answers of `source` are still wanted: it is neither gone, nor disabled, nor pointed elsewhere since. */
  isCurrent(source: Source): boolean {
    return this.#sources.some(
      ({ id, enabled, identity }) => id === source.id && enabled && identity === source.identity,
    )
  }

  /** How a source last fared: with one provider, or, as a global one, with all of its at once. */
  lastRun(source_id: SourceId, provider_id: ProviderId | null): StatusRecord | null {
    return provider_id === null ? (this.#records.of(source_id)[0] ?? null) : this.#records.get(source_id, provider_id)
  }

  /** Show a source (for one provider, or all of its) as refreshing until the returned function is called. */
  markRunning(source_id: SourceId, provider_id: ProviderId | null): () => void {
    const key = recordKey(source_id, provider_id)
    this.#running.set(key, (this.#running.get(key) ?? 0) + 1)
    return () => {
      const left = (this.#running.get(key) ?? 1) - 1
      if (left === 0) this.#running.delete(key)
      else this.#running.set(key, left)
    }
  }

  /** Whether a source that states this provider's models is to be asked now. */
  isFetchDue(provider_id: ProviderId, now: number): boolean {
    return this.#records
      .all()
      .some((record) => record.provider_id === provider_id && record.next_refresh !== null && isDue(record, now))
  }

  /** By provider (null first), then source. */
  statuses({ source_id, provider_id }: StatusFilter, now: number): SourceStatus[] {
    return this.#sources
      .filter((source) => source_id === undefined || source.id === source_id)
      .flatMap((source) => this.#statusesOf(source, now))
      .filter((status) => provider_id === undefined || concerns(status, provider_id))
      .sort(compareStatuses)
  }

  #statusesOf(source: Source, now: number): SourceStatus[] {
    const named = source.scope.kind === 'providers' ? source.scope.provider_ids : this.#providersOf(source.id)
    if (!source.enabled) {
      return (source.scope.kind === 'providers' ? named : [null]).map((id) => disabledStatus(source, id))
    }
    if (named.length === 0) return [this.#status(source, null, now)]
    return named.map((provider_id) => this.#status(source, provider_id, now))
  }

  #providersOf(source_id: SourceId): ProviderId[] {
    const fromRecords = this.#records.of(source_id).flatMap(({ provider_id }) => provider_id ?? [])
    const fromLists = [...this.#lists()].filter(([, lists]) => lists.has(source_id)).map(([id]) => id)
    return [...new Set([...fromRecords, ...fromLists])]
  }

  #status(source: Source, provider_id: ProviderId | null, now: number): SourceStatus {
    const record = this.#records.get(source.id, provider_id) ?? this.#records.get(source.id, null)
    const list = provider_id === null ? undefined : this.#lists().get(provider_id)?.get(source.id)
    const running =
      this.#running.has(recordKey(source.id, provider_id)) || this.#running.has(recordKey(source.id, null))
    return {
      source_id: source.id,
      provider_id,
      source_kind: source.kind,
      refresh_state: running ? 'refreshing' : (record?.outcome ?? 'idle'),
      last_refresh: timeOrNull(record?.last_refresh),
      next_refresh: timeOrNull(record?.next_refresh),
      last_success: timeOrNull(record?.last_success),
      row_count: list?.rows.length ?? 0,
      stale: isStale(source, record, list, now),
      last_error: source.network && this.isOffline() ? OFFLINE : (record?.last_error ?? null),
    }
  }
}

function isStale(source: Source, record: StatusRecord | null, list: RowList | undefined, now: number): boolean {
  if (isStaticSource(source.id)) return false
  if (record?.outcome === 'failed' || list?.failed === true) return true
  return list?.fresh_until != null && list.fresh_until <= now
}

const OFFLINE = 'offline'

function disabledStatus(source: Source, provider_id: ProviderId | null): SourceStatus {
  return {
    source_id: source.id,
    provider_id,
    source_kind: source.kind,
    refresh_state: 'disabled',
    last_refresh: null,
    next_refresh: null,
    last_success: null,
    row_count: 0,
    stale: false,
    last_error: null,
  }
}

const timeOrNull = (time: number | null | undefined) => (time == null ? null : rfc3339(time))

/** Whether a source's status tells something about a provider's models. */
export function concerns(status: SourceStatus, provider_id: ProviderId): boolean {
  if (status.provider_id === null || status.provider_id === provider_id) return true
  // Cast: the status was made above from a source's own id.
  return status.provider_id === enrichedFrom(provider_id) && canEnrich(status.source_id as SourceId)
}

/** By provider (null first), then source. */
export function compareStatuses(a: SourceStatus, b: SourceStatus): number {
  return compareNullFirst(a.provider_id, b.provider_id) || compareBytes(a.source_id, b.source_id)
}

function compareNullFirst(a: string | null, b: string | null): number {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null)
  return compareBytes(a, b)
}
