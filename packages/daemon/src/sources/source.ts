/**
 * The source port: somewhere rows come from. A source fetches and translates; deadlines, identity, gates, storing and
 * publishing are the refresh's. Every kind of source passes `source.cases.ts`.
 */
import { SignalboxError } from '@signalbox/contract/errors'
import type { ProviderId, SourceId, SourceKind } from '@signalbox/contract/ids'
import type { UnknownReason } from '@signalbox/contract/model'
import type { StatedRow } from '@signalbox/contract/row'

/** `global`: one call states rows for any provider. `providers`: one call per provider, never two at once for one. */
export type SourceScope =
  | { readonly kind: 'global' }
  | { readonly kind: 'providers'; readonly provider_ids: readonly ProviderId[] }

export interface Source {
  readonly id: SourceId
  readonly kind: SourceKind
  readonly scope: SourceScope
  /** How long an answer is fresh; null for ever. */
  readonly ttlMs: number | null
  /** How long one call may take. */
  readonly timeoutMs: number
  readonly enabled: boolean
  /** Whom it asks, and as whom: endpoint and credential reference. Answers are compared only within one identity. */
  readonly identity: string
  /** Needs the network, and so does nothing while offline. */
  readonly network: boolean
  /** Whether a well-formed empty answer can be true although there were rows before (a local server may hold nothing). */
  readonly mayBeEmpty: boolean
  list(call: SourceCall): Promise<SourceAnswer>
}

export interface SourceCall {
  /** Null when the source is global. */
  readonly provider_id: ProviderId | null
  /** Aborted at the deadline and at shutdown; the call must end soon after. */
  readonly signal: AbortSignal
  readonly now: number
  /** What the last good answer left behind (validators), given only when it was of the same identity. */
  readonly validators: Readonly<Record<string, string>>
}

/** A failure that says what it means for the provider's models, and when it may be asked again (epoch milliseconds). */
export class SourceFailure extends SignalboxError {
  readonly reason: UnknownReason
  readonly retryAt: number | null

  constructor(message: string, reason: UnknownReason, retryAt: number | null) {
    super('source_failed', message)
    this.reason = reason
    this.retryAt = retryAt
  }
}

export interface ProviderRows {
  readonly provider_id: ProviderId
  readonly rows: readonly StatedRow[]
}

export interface RejectedRow {
  readonly provider_id: ProviderId | null
  readonly model_id: string | null
  readonly reason: string
}

export type SourceAnswer =
  /** The source confirms that its last good answer still holds (HTTP 304). */
  | { readonly kind: 'unchanged' }
  | {
      readonly kind: 'rows'
      readonly lists: readonly ProviderRows[]
      readonly rejected: readonly RejectedRow[]
      readonly validators: Readonly<Record<string, string>>
    }
