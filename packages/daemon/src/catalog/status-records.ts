/** How each source's last finished run with each provider went. A value: the next one is made of it and adopted whole. */
import type { ProviderId, SourceId } from '@signalbox/contract/ids'
import { recordKey } from '../store/record-key.ts'
import type { StatusRecord } from '../store/store.ts'

export class StatusRecords {
  readonly #byKey: ReadonlyMap<string, StatusRecord>

  constructor(records: Iterable<StatusRecord>) {
    this.#byKey = new Map(Array.from(records, (record) => [keyOf(record), record]))
  }

  get(source_id: SourceId, provider_id: ProviderId | null): StatusRecord | null {
    return this.#byKey.get(keyOf({ source_id, provider_id })) ?? null
  }

  all(): StatusRecord[] {
    return [...this.#byKey.values()]
  }

  of(source_id: SourceId): StatusRecord[] {
    return this.all().filter((record) => record.source_id === source_id)
  }

  /** With all records of some sources removed, and then `records` put in. */
  with(removeOf: readonly SourceId[], records: readonly StatusRecord[]): StatusRecords {
    return new StatusRecords([...this.all().filter((record) => !removeOf.includes(record.source_id)), ...records])
  }
}

const keyOf = ({ source_id, provider_id }: Pick<StatusRecord, 'source_id' | 'provider_id'>) =>
  recordKey(source_id, provider_id)
