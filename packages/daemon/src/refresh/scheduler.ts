/** Refreshes every network source at its TTL, unasked. One timer, for whatever is due next. */
import type { ProviderId } from '@signalbox/contract/ids'
import type { Catalog } from '../catalog/catalog.ts'
import type { Clock } from '../catalog/clock.ts'
import type { Source } from '../sources/source.ts'
import { recordKey } from '../store/record-key.ts'
import { dueAt } from './due.ts'
import type { RefreshService } from './refresh-service.ts'

/** Looked at again at least so often: a laptop that slept wakes with its timers late. */
const LONGEST_WAIT_MS = 60_000
const SHORTEST_WAIT_MS = 50

interface Planned {
  readonly key: string
  readonly source: Source
  readonly provider_id: ProviderId | null
  readonly at: number
}

export class Scheduler {
  readonly #catalog: Catalog
  readonly #refresh: Pick<RefreshService, 'refresh'>
  readonly #clock: Clock
  /** What it has asked for and not got yet; left out of the plan, so that one that hangs delays no other. */
  readonly #running = new Map<string, Promise<void>>()
  #timer: NodeJS.Timeout | null = null
  #stopped = false

  constructor(catalog: Catalog, refresh: Pick<RefreshService, 'refresh'>, clock: Clock) {
    this.#catalog = catalog
    this.#refresh = refresh
    this.#clock = clock
  }

  /** Start, or look again after the sources changed. */
  plan(): void {
    if (this.#stopped) return
    if (this.#timer !== null) clearTimeout(this.#timer)
    const now = this.#clock.now()
    const waits = this.#planned(now).map(({ at }) => Math.max(SHORTEST_WAIT_MS, at - now))
    this.#timer = setTimeout(() => this.#runDue(), Math.min(LONGEST_WAIT_MS, ...waits))
    this.#timer.unref()
  }

  async stop(): Promise<void> {
    this.#stopped = true
    if (this.#timer !== null) clearTimeout(this.#timer)
    await Promise.all(this.#running.values())
  }

  #runDue(): void {
    const now = this.#clock.now()
    for (const planned of this.#planned(now)) {
      if (planned.at <= now) this.#running.set(planned.key, this.#run(planned))
    }
    this.plan()
  }

  async #run({ key, source, provider_id }: Planned): Promise<void> {
    // A refusal means that the daemon is stopping; a source's own failure is already recorded.
    await Promise.allSettled([
      this.#refresh.refresh({ source_id: source.id, provider_id: provider_id ?? undefined, force: false }),
    ])
    this.#running.delete(key)
    this.plan()
  }

  #planned(now: number): Planned[] {
    return this.#catalog.statuses.sources
      .filter((source) => source.enabled && source.network)
      .flatMap((source) => {
        const providers = source.scope.kind === 'providers' ? source.scope.provider_ids : [null]
        return providers.map((provider_id) => ({
          key: recordKey(source.id, provider_id),
          source,
          provider_id,
          at: dueAt(this.#catalog, source, provider_id, now),
        }))
      })
      .filter(({ key }) => !this.#running.has(key))
  }
}
