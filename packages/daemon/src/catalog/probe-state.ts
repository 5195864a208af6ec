import type { ProviderId } from '@signalbox/contract/ids'
import type { ProbeState } from '@signalbox/core/catalog/availability'
import type { Source } from '../sources/source.ts'
import type { StatusRecords } from './status-records.ts'

/** Why a model of this provider that no row decided is unknown: what its live source last saw. */
export function probeState(provider_id: ProviderId, sources: readonly Source[], records: StatusRecords): ProbeState {
  const live = sources.find((source) => source.id === `provider_live:${provider_id}`)
  if (live === undefined) return 'not_probed'
  if (!live.enabled) return 'source_disabled'
  const record = records.get(live.id, provider_id)
  if (record === null) return 'not_probed'
  return record.outcome === 'succeeded' ? 'not_listed' : 'provider_unreachable'
}
