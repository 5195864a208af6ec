import type { ProviderId } from '@signalbox/contract/ids'
import type { UnknownReason } from '@signalbox/contract/model'
import type { ProbeState } from '@signalbox/core/catalog/availability'
import type { StatusBoard } from './status-board.ts'
import type { StatusRecords } from './status-records.ts'

/** Providers that are not asked for their list, and why. */
export type Unasked = ReadonlyMap<ProviderId, UnknownReason>

/** Why a model of this provider that no row decided is unknown: what its live source last saw, or why it has none. */
export function probeState(
  provider_id: ProviderId,
  { sources, unasked, isOffline }: Pick<StatusBoard, 'sources' | 'unasked' | 'isOffline'>,
  records: StatusRecords,
): ProbeState {
  const live = sources.find((source) => source.id === `provider_live:${provider_id}`)
  if (live === undefined) return unasked.get(provider_id) ?? 'not_probed'
  if (!live.enabled) return 'source_disabled'
  const record = records.get(live.id, provider_id)
  if (record === null) return isOffline() ? 'offline' : 'not_probed'
  return record.outcome === 'succeeded' ? 'not_listed' : (record.reason ?? 'provider_unreachable')
}
