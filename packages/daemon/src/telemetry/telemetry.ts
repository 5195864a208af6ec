import type { EventFields, EventName, EventRecord } from '@signalbox/contract/events'

/** Where everything that happens is told: one call, one log record, one event on the stream. */
export interface Telemetry {
  emit<E extends EventName>(event: E, fields: EventFields[E]): void
  /** Called with each record and its redacted JSON line (without the line feed), until the returned function is called. */
  subscribe(listener: (record: EventRecord, line: string) => void): () => void
}
