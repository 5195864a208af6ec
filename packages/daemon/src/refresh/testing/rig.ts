/** Catalog and refresh put together as the daemon does, on a store in memory, with a clock that the test moves. */
import type { EventName, EventRecord } from '@signalbox/contract/events'
import type { RowList } from '@signalbox/contract/row'
import type { SourceStatus } from '@signalbox/contract/status'
import { projectModel } from '@signalbox/core/catalog/project'
import { selectModels } from '@signalbox/core/catalog/snapshot'
import { Catalog } from '../../catalog/catalog.ts'
import type { Clock } from '../../catalog/clock.ts'
import { Persistence } from '../../catalog/persistence.ts'
import type { Source } from '../../sources/source.ts'
import { MemoryStore } from '../../store/memory/memory-store.ts'
import type { Store } from '../../store/store.ts'
import { createTelemetry } from '../../telemetry/event-bus.ts'
import { createSecrets } from '../../telemetry/redact.ts'
import { RefreshService } from '../refresh-service.ts'

export const SECOND = 1_000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
/** 2026-06-01, a whole second, so that times compare with what the wire shows. */
export const START = Date.UTC(2026, 5, 1)

export class ManualClock implements Clock {
  #now: number
  chance = 0

  constructor(now = START) {
    this.#now = now
  }

  now(): number {
    return this.#now
  }

  random(): number {
    return this.chance
  }

  advance(ms: number): void {
    this.#now += ms
  }
}

export interface RigOptions {
  readonly staticLists?: readonly RowList[]
  readonly builtinHash?: string
  /** The one of an earlier rig, for a restart. */
  readonly store?: Store
  readonly clock?: ManualClock
}

export function makeRig(sources: readonly Source[], options: RigOptions = {}) {
  const { staticLists = [], builtinHash = 'builtin', store = new MemoryStore(), clock = new ManualClock() } = options
  const secrets = createSecrets()
  const telemetry = createTelemetry({ log: { append() {} }, level: 'debug', now: () => clock.now(), secrets })
  const events: EventRecord[] = []
  telemetry.subscribe((record) => events.push(record))
  const persistence = new Persistence(store, telemetry, null)
  const catalog = new Catalog(
    { stored: store.load(), persistence, telemetry, clock, builtinHash, sources },
    staticLists,
  )
  const refresh = new RefreshService({ catalog, telemetry, clock, redact: secrets.redact })

  // Cast: the name of a record says which fields it has.
  const eventsOf = <E extends EventName>(...names: readonly E[]) =>
    events.filter((record) => names.some((name) => name === record.event)) as EventRecord<E>[]
  const statuses = () => catalog.statuses.statuses({}, clock.now())
  return {
    catalog,
    refresh,
    store,
    clock,
    telemetry,
    persistence,
    events,
    eventsOf,
    statuses,
    /** The only status of a source, or the one with a provider. */
    status(source_id: string, provider_id?: string): SourceStatus {
      const found = statuses().filter(
        (status) => status.source_id === source_id && (provider_id === undefined || status.provider_id === provider_id),
      )
      const [status] = found
      if (status === undefined || found.length > 1) throw new Error(`${found.length} statuses of ${source_id}`)
      return status
    },
    /** Models as on the wire. */
    models: () => selectModels(catalog.snapshot(), {}).models.map(projectModel),
    /** `provider/model` of everything listed. */
    ids: () => selectModels(catalog.snapshot(), {}).models.map((model) => `${model.provider_id}/${model.model_id}`),
  }
}

export type Rig = ReturnType<typeof makeRig>

/** `count` ids: `m0`, `m1`, … */
export const someIds = (count: number, prefix = 'm') => Array.from({ length: count }, (_, index) => `${prefix}${index}`)
