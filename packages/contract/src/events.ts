/** Structured events: one JSON log record each, and the same record on `GET /api/events`. */
import type { SourceKind } from './ids.ts'

/** Keys of every refresh and source event. */
export interface SourceCorrelation {
  readonly refresh_request_id: string
  readonly provider_id: string | null
  readonly source_id: string
  readonly source_kind: SourceKind
}

/** Every event by name, with what it carries beside `time`, `level` and `event`. */
export interface EventFields {
  'catalog.refresh.started': SourceCorrelation
  'catalog.refresh.succeeded': SourceCorrelation & { readonly row_count: number; readonly duration_ms: number }
  'catalog.refresh.failed': SourceCorrelation & { readonly error: string; readonly duration_ms: number }
  'catalog.refresh.all_failed': { readonly refresh_request_id: string; readonly failed: number }
  'catalog.source.row_count_changed': SourceCorrelation & { readonly before: number; readonly after: number }
  'catalog.source.stale_fallback': SourceCorrelation & { readonly row_count: number }
  'catalog.row.rejected': SourceCorrelation & { readonly model_id: string | null; readonly reason: string }
  'catalog.snapshot.published': {
    readonly generation: number
    readonly providers: number
    /** Providers whose stored list was taken as it was, and those merged anew. */
    readonly verbatim: number
    readonly merged: number
  }
  'config.loaded': { readonly file: string }
  'config.rejected': { readonly file: string; readonly problems: readonly string[] }
  'store.degraded': { readonly problem: string }
  'store.recovered': Record<never, never>
  'store.set_aside': { readonly file: string; readonly problem: string }
  'daemon.started': {
    readonly pid: number
    readonly version: string
    readonly socket: string
    readonly url: string | null
  }
  'daemon.stopping': { readonly reason: string }
  'daemon.stopped': Record<never, never>
  'daemon.fault': { readonly error: string }
}
export type EventName = keyof EventFields

export const LEVELS = ['debug', 'info', 'warn', 'error'] as const
export type Level = (typeof LEVELS)[number]

/** How loud each event is. */
export const EVENT_LEVEL: { readonly [E in EventName]: Level } = {
  'catalog.refresh.started': 'info',
  'catalog.refresh.succeeded': 'info',
  'catalog.refresh.failed': 'warn',
  'catalog.refresh.all_failed': 'error',
  'catalog.source.row_count_changed': 'info',
  'catalog.source.stale_fallback': 'warn',
  'catalog.row.rejected': 'warn',
  'catalog.snapshot.published': 'debug',
  'config.loaded': 'info',
  'config.rejected': 'error',
  'store.degraded': 'error',
  'store.recovered': 'info',
  'store.set_aside': 'error',
  'daemon.started': 'info',
  'daemon.stopping': 'info',
  'daemon.stopped': 'info',
  'daemon.fault': 'error',
}

/** One of them as it is logged and sent: told apart by `event`. */
export type EventRecord<E extends EventName = EventName> = E extends EventName
  ? { readonly time: string; readonly level: Level; readonly event: E } & EventFields[E]
  : never
