/** Whether a model can be used, who says so, and otherwise why nobody knows. */
import type { AvailabilityReason, AvailabilityState, UnknownReason } from '@signalbox/contract/model'
import type { Row } from '@signalbox/contract/row'

/** What the live source of a provider last saw, as far as it explains a model that no row decided. */
export type ProbeState = UnknownReason

export interface Evidence {
  readonly row: Row
  readonly stale: boolean
}

export interface Availability {
  readonly available: boolean | null
  readonly state: AvailabilityState
  readonly reason: AvailabilityReason
  readonly evidence: Evidence | null
}

/**
 * Decide from rows in merge order. Only `provider_live` and `extension` rows can prove anything, and the first of them
 * that states `available` decides, fresh or stale; so a live answer beats an extension's, and configuration never decides.
 */
export function decideAvailability(rows: readonly Row[], probe: ProbeState): Availability {
  const deciding = rows.find((row) => canProve(row) && row.available !== null)
  if (deciding === undefined) return UNKNOWN[probe]
  const { stale } = deciding
  const evidence = { row: deciding, stale }
  if (deciding.available === true) {
    return { available: true, state: stale ? 'available_stale' : 'available_live', reason: 'proven', evidence }
  }
  const reason = deciding.denial ?? 'denied'
  return { available: false, state: stale ? 'unavailable_stale' : 'unavailable_live', reason, evidence }
}

export function canProve(row: Row): boolean {
  return row.source_kind === 'provider_live' || row.source_kind === 'extension'
}

const unknown = (reason: UnknownReason): Availability =>
  Object.freeze({ available: null, state: 'unknown', reason, evidence: null })

const UNKNOWN: Readonly<Record<UnknownReason, Availability>> = {
  no_credential: unknown('no_credential'),
  credential_rejected: unknown('credential_rejected'),
  not_listed: unknown('not_listed'),
  rate_limited: unknown('rate_limited'),
  provider_unreachable: unknown('provider_unreachable'),
  evidence_expired: unknown('evidence_expired'),
  offline: unknown('offline'),
  source_disabled: unknown('source_disabled'),
  not_probed: unknown('not_probed'),
}
