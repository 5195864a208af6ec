/**
 * What can go wrong with a request, in our own words. Node's and undici's messages hold addresses, and a parser's even
 * bytes of the answer; only their codes are read here (CAT-076, CAT-077).
 */
import { SignalboxError } from '@signalbox/contract/errors'
import { errors } from 'undici'

/** What went wrong with a call, as far as it is told apart. */
export type CallFailure =
  | { readonly kind: 'status'; readonly status: number; readonly retryAfter: string | null }
  | { readonly kind: 'timeout' | 'web_page' | 'not_a_list' | 'connection' | 'redirect' | 'too_large' }

/** A call that failed: in words for people, and as a kind for whoever must act on it. */
export class CallError extends SignalboxError {
  readonly failure: CallFailure

  constructor(failure: CallFailure, message: string) {
    super('source_failed', message)
    this.failure = failure
  }
}

export function failed(message: string): SignalboxError {
  return new SignalboxError('source_failed', message)
}

const failedAs = (kind: Exclude<CallFailure['kind'], 'status'>, message: string) => new CallError({ kind }, message)

/** Only within the origin: what is sent is bound to it. */
export const redirected = (message: string) => failedAs('redirect', message)

/** A login page of a hotel's network, or an error page of a proxy: both come with status 200. */
export const webPage = () => failedAs('web_page', 'the answer is a web page, not JSON')

export const offline = () => failedAs('connection', 'offline, as the configuration wants it')

export const notAList = (message: string) => failedAs('not_a_list', message)

const REFUSED = 'the connection was refused'
const BROKEN = 'the connection was closed before the answer was complete'
const UNRESOLVED = 'the name could not be resolved'
const UNREACHABLE = 'the network is not reachable'
const NO_CONNECTION = 'no connection could be made in time'
const UNTRUSTED = 'the certificate is not trusted'
const NOT_TLS = 'no secure connection could be agreed on'
const NOT_HTTP = 'the answer is not HTTP'
const GARBLED = 'the answer is compressed wrongly'
const CUT_SHORT = 'the answer is cut short'
const STOPPED = 'the request was stopped'
const PROXY = 'the proxy did not make the connection'

const MESSAGE_OF_CODE: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', REFUSED],
  ['ECONNRESET', BROKEN],
  ['EPIPE', BROKEN],
  ['UND_ERR_SOCKET', BROKEN],
  ['ERR_STREAM_PREMATURE_CLOSE', BROKEN],
  ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', CUT_SHORT],
  ['Z_BUF_ERROR', CUT_SHORT],
  ['ENOTFOUND', UNRESOLVED],
  ['EAI_AGAIN', UNRESOLVED],
  ['EAI_FAIL', UNRESOLVED],
  ['EAI_NODATA', UNRESOLVED],
  ['ENETUNREACH', UNREACHABLE],
  ['EHOSTUNREACH', UNREACHABLE],
  ['ENETDOWN', UNREACHABLE],
  ['EADDRNOTAVAIL', UNREACHABLE],
  ['ETIMEDOUT', NO_CONNECTION],
  ['UND_ERR_CONNECT_TIMEOUT', NO_CONNECTION],
  ['CERT_HAS_EXPIRED', 'the certificate has expired'],
  ['CERT_NOT_YET_VALID', 'the certificate is not valid yet'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'the certificate is for another name'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', UNTRUSTED],
  ['SELF_SIGNED_CERT_IN_CHAIN', UNTRUSTED],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', UNTRUSTED],
  ['UNABLE_TO_GET_ISSUER_CERT', UNTRUSTED],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', UNTRUSTED],
  ['EPROTO', NOT_TLS],
  ['UND_ERR_HEADERS_OVERFLOW', 'the headers of the answer are too large'],
  ['UND_ERR_PRX_TLS', PROXY],
  ['UND_ERR_PRX_CONN', PROXY],
  // Our own aborts are told apart before this table is asked, so this one is undici's refused tunnel.
  ['UND_ERR_ABORTED', PROXY],
  ['UND_ERR_DESTROYED', STOPPED],
  ['UND_ERR_CLOSED', STOPPED],
  ['Z_DATA_ERROR', GARBLED],
])

/** Families of codes, too many to list. */
const MESSAGE_OF_PREFIX: readonly (readonly [prefix: string, message: string])[] = [
  ['ERR_SSL_', NOT_TLS],
  ['ERR_TLS_', NOT_TLS],
  ['ERR__ERROR_FORMAT_', GARBLED],
  ['ERR_BROTLI_', GARBLED],
  ['ERR_PADDING_', GARBLED],
  ['Z_', GARBLED],
]

/** A system or library error as `source_failed`; null when it has no code, and so is a fault of ours. */
export function failureOf(error: unknown): SignalboxError | null {
  // Has no code at times, and the beginning of the answer in a field of its own.
  if (error instanceof errors.HTTPParserError) return failedAs('connection', NOT_HTTP)
  const code = codeOf(error)
  if (code === null) return null
  const known = MESSAGE_OF_CODE.get(code) ?? MESSAGE_OF_PREFIX.find(([prefix]) => code.startsWith(prefix))?.[1]
  return failedAs('connection', known ?? `the request failed (${code})`)
}

const CODE = /^[A-Z][A-Z0-9_]{1,60}$/

function codeOf(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error)) return null
  return typeof error.code === 'string' && CODE.test(error.code) ? error.code : null
}

export function stopped(): SignalboxError {
  return failed(STOPPED)
}

/** `10 s`, `0.25 s`. */
export function tooSlow(timeoutMs: number): SignalboxError {
  return failedAs('timeout', `no complete answer within ${timeoutMs / 1000} s`)
}

/** `32 MiB`, `0.5 MiB`. */
export function tooLarge(maxBytes: number): SignalboxError {
  return failedAs('too_large', `the answer is larger than ${Number((maxBytes / 1024 / 1024).toPrecision(3))} MiB`)
}
