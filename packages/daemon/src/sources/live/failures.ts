/** What a failed list call means (CAT-223). Nothing here retires a model: a list that cannot be read says nothing of one. */
import type { UnknownReason } from '@signalbox/contract/model'
import type { CallFailure } from '../../http/failures.ts'

export interface Judgement {
  /** Why nothing is known about the provider's models now. */
  readonly reason: UnknownReason
  /** For people; names the provider and never holds a byte of the answer. */
  readonly message: string
  /** Epoch milliseconds before which it should not be asked again; null where it does not say. */
  readonly retryAt: number | null
}

interface Meaning {
  readonly reason: UnknownReason
  readonly says: string
}

const UNREACHABLE = 'provider_unreachable'
const REJECTED: Meaning = { reason: 'credential_rejected', says: 'does not accept the credential' }

const OF_STATUS: ReadonlyMap<number, Meaning> = new Map<number, Meaning>([
  [401, REJECTED],
  [402, { reason: 'credential_rejected', says: 'asks for payment before it lists models' }],
  [403, { reason: 'credential_rejected', says: 'does not let this credential list models' }],
  [404, { reason: UNREACHABLE, says: 'has no list of models at this address' }],
  [407, { reason: UNREACHABLE, says: 'could not be asked, as the proxy wants a login' }],
  [408, { reason: UNREACHABLE, says: 'took too long' }],
  [410, { reason: UNREACHABLE, says: 'no longer has a list of models at this address' }],
  [429, { reason: 'rate_limited', says: 'asks to be called less often' }],
])

const OF_KIND: Readonly<Record<Exclude<CallFailure['kind'], 'status'>, Meaning>> = {
  timeout: { reason: UNREACHABLE, says: 'did not answer completely in time' },
  web_page: { reason: UNREACHABLE, says: 'answered with a web page, not with JSON' },
  not_a_list: { reason: UNREACHABLE, says: 'did not answer with a list of models' },
  connection: { reason: UNREACHABLE, says: 'could not be reached' },
  redirect: { reason: UNREACHABLE, says: 'redirects to another host, which is not followed' },
  too_large: { reason: UNREACHABLE, says: 'sent more than is read' },
}

/** @param credentialRejectedBy the dialect's own statuses for a credential that is refused */
export function judgeFailure(
  provider: string,
  failure: CallFailure,
  now: number,
  credentialRejectedBy: readonly number[] = [],
): Judgement {
  if (failure.kind !== 'status') {
    const { reason, says } = OF_KIND[failure.kind]
    return { reason, message: `${provider} ${says}`, retryAt: null }
  }
  const { status, retryAfter } = failure
  const { reason, says } = credentialRejectedBy.includes(status) ? REJECTED : (OF_STATUS.get(status) ?? OTHER)
  const message = `${provider} ${says} (HTTP ${status})`
  const waits = status === 429 || status === 503
  return { reason, message, retryAt: waits && retryAfter !== null ? retryTime(retryAfter, now) : null }
}

const OTHER: Meaning = { reason: UNREACHABLE, says: 'failed to list its models' }

const SECONDS = /^\d{1,10}$/
/** The one form of date that servers may still send. */
const HTTP_DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/
/** A longer pause would keep a list away that is long there again. */
const PAUSE_MAX_MS = 24 * 3_600_000

/** `Retry-After` in seconds or as a date, as epoch milliseconds. A time that has passed is now. */
export function retryTime(header: string, now: number): number | null {
  const text = header.trim()
  const time = SECONDS.test(text) ? now + Number(text) * 1000 : HTTP_DATE.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(time) ? null : Math.min(Math.max(time, now), now + PAUSE_MAX_MS)
}
