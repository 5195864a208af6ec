/** Refreshes every network source at its TTL, unasked. One timer, for whatever is due next. */
import type { ProviderId } from '@signalbox/contract/ids'
import { isDue } from '@signalbox/core/catalog/schedule'
import type { Catalog } from '../catalog/catalog.ts'
import type { Clock } from '../catalog/clock.ts'
import type { Source } from '../sources/source.ts'
import type { RefreshService } from './refresh-service.ts'

/** Looked at again at least so often: a laptop that slept wakes with its timers late. */
const LONGEST_WAIT_MS = 60_000
const SHORTEST_WAIT_MS = 50

interface DueSource {
  readonly source: Source
  readonly provider_id: ProviderId | null
  readonly at: number
}

export class Scheduler {
  readonly #catalog: Catalog
  readonly #refresh: RefreshService
  readonly #clock: Clock
  #timer: NodeJS.Timeout | null = null
  #stopped = false
  #working: Promise<void> = Promise.resolve()

  constructor(catalog: Catalog, refresh: RefreshService, clock: Clock) {
    this.#catalog = catalog
    this.#refresh = refresh
    this.#clock = clock
  }

  /** Start, or look again after the sources changed. */
  plan(): void {
    if (this.#stopped) return
    if (this.#timer !== null) clearTimeout(this.#timer)
    const now = this.#clock.now()
    const first = Math.min(LONGEST_WAIT_MS, ...this.#planned(now).map(({ at }) => Math.max(SHORTEST_WAIT_MS, at - now)))
    this.#timer = setTimeout(() => {
      this.#working = this.#runDue().then(() => this.plan())
    }, first)
    this.#timer.unref()
  }

  async stop(): Promise<void> {
    this.#stopped = true
    if (this.#timer !== null) clearTimeout(this.#timer)
    await this.#working
  }

  async #runDue(): Promise<void> {
    const now = this.#clock.now()
    const due = this.#planned(now).filter(({ at }) => at <= now)
    const runs = due.map(({ source, provider_id }) =>
      this.#refresh.refresh({ source_id: source.id, provider_id: provider_id ?? undefined, force: false }),
    )
    // A refusal means that the daemon is stopping; a source's own failure is already recorded.
    await Promise.allSettled(runs)
  }

  #planned(now: number): DueSource[] {
    return this.#catalog.statuses.sources
      .filter((source) => source.enabled && source.network)
      .flatMap((source) => {
        const providers = source.scope.kind === 'providers' ? source.scope.provider_ids : [null]
        return providers.map((provider_id) => ({ source, provider_id, at: this.#dueAt(source, provider_id, now) }))
      })
  }

  #dueAt(source: Source, provider_id: ProviderId | null, now: number): number {
    const { statuses } = this.#catalog
    const record = provider_id === null ? (statuses.recordsOf(source.id)[0] ?? null) : statuses.record(source.id, provider_id)
    return isDue(record, now) ? now : (record?.next_refresh ?? now)
  }
}
