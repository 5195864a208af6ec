/** What the provider itself said about the credential that is used now. */
import type { ProviderId } from '@signalbox/contract/ids'
import type { UnknownReason } from '@signalbox/contract/model'
import type { Catalog } from '../catalog/catalog.ts'
import { readMemory, rememberedIdentity } from '../catalog/source-memory.ts'
import type { Source } from '../sources/source.ts'

export interface Proof {
  readonly verified: boolean | null
  /** Epoch milliseconds. */
  readonly verified_at: number | null
  /** Null when the provider can be used. */
  readonly reason: UnknownReason | null
}

type ProofCatalog = Pick<Catalog, 'statuses' | 'memoryOf'>

export const liveSourceOf = (catalog: ProofCatalog, provider_id: ProviderId): Source | undefined =>
  catalog.statuses.sources.find(({ id }) => id === `provider_live:${provider_id}`)

/**
 * Runs that another credential or address had say nothing about this one. A provider that does not answer now has not
 * taken back what it said when it did.
 */
export function proofOf(catalog: ProofCatalog, provider_id: ProviderId, live: Source): Proof {
  const identity = rememberedIdentity(live)
  const memory = readMemory(catalog.memoryOf(live.id, provider_id))
  const record = catalog.statuses.lastRun(live.id, provider_id)
  const hasProven = memory?.good?.identity === identity && record !== null && record.last_success !== null
  const good = hasProven ? { verified: true, verified_at: record.last_success } : { verified: null, verified_at: null }
  if (record === null || memory?.asked !== identity) {
    return { ...good, reason: catalog.statuses.isOffline() ? 'offline' : 'not_probed' }
  }
  if (record.outcome === 'succeeded') return { ...good, reason: null }
  if (record.reason === 'credential_rejected') {
    return { verified: false, verified_at: record.last_refresh, reason: 'credential_rejected' }
  }
  return { ...good, reason: record.reason ?? 'provider_unreachable' }
}
