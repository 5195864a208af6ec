/** When a source is to be asked without being forced. */
import type { ProviderId } from '@signalbox/contract/ids'
import { isDue } from '@signalbox/core/catalog/schedule'
import type { Catalog } from '../catalog/catalog.ts'
import { readMemory, rememberedIdentity } from '../catalog/source-memory.ts'
import type { Source } from '../sources/source.ts'

/**
 * `now` when it is due. TTL and back-off are those of whom it asked last: one that was pointed elsewhere, while the
 * daemon ran or was stopped, is asked at once.
 */
export function dueAt(catalog: Catalog, source: Source, provider_id: ProviderId | null, now: number): number {
  const record = catalog.statuses.lastRun(source.id, provider_id)
  const memory = readMemory(catalog.memoryOf(source.id, provider_id))
  const isElsewhere = memory !== null && memory.asked !== rememberedIdentity(source)
  return isElsewhere || isDue(record, now) ? now : (record?.next_refresh ?? now)
}
