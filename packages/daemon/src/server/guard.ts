/**
 * Checks that every request on TCP passes before anything else looks at it. A page on the internet can reach loopback:
 * it is stopped by the Host name (DNS rebinding), by its Origin, and by the token it does not have.
 */
import type { IncomingMessage } from 'node:http'
import { SignalboxError } from '@signalbox/contract/errors'
import { tokenMatches } from '../platform/token.ts'
import type { RateLimit } from './rate-limit.ts'

export interface GuardOptions {
  /** SHA-256 of the token. */
  readonly tokenHash: Buffer
  /** Host names beside the loopback ones, in lower case. */
  readonly allowedHosts: readonly string[]
  /** What makes the daemon work: refreshes and other writes. Reads come from memory and are not limited. */
  readonly writes: RateLimit
  /** Wrong tokens: far below what guessing needs. */
  readonly failures: RateLimit
}

const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]']
const HOST = /^(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(?::\d{1,5})?$/

/** Throws what is wrong with the request, or returns. */
export function guard(incoming: IncomingMessage, options: GuardOptions): void {
  const host = (incoming.headers.host ?? '').toLowerCase()
  const [, name = ''] = HOST.exec(host) ?? []
  if (!LOOPBACK_NAMES.includes(name) && !options.allowedHosts.includes(name)) {
    throw new SignalboxError('forbidden_host', 'the Host header is not a name of this daemon', {
      expected: [...LOOPBACK_NAMES, ...options.allowedHosts].join(', '),
    })
  }
  requireOwnOrigin(incoming, host)
  requireToken(incoming, options)
  if (isWrite(incoming) && !options.writes.take()) throw tooMany('refreshes')
}

/** Without a page behind it a request has neither header; a page of ours has our own origin. */
function requireOwnOrigin({ headers }: IncomingMessage, host: string): void {
  const { origin } = headers
  const site = headers['sec-fetch-site']
  const isForeign = origin !== undefined && origin.toLowerCase() !== `http://${host}`
  if (isForeign || (site !== undefined && site !== 'same-origin' && site !== 'none')) {
    throw new SignalboxError('forbidden_origin', 'requests from other web pages are refused')
  }
}

function requireToken(incoming: IncomingMessage, { tokenHash, failures }: GuardOptions): void {
  const [, token] = /^Bearer ([^\s]+)$/i.exec(incoming.headers.authorization ?? '') ?? []
  if (token !== undefined && tokenMatches(tokenHash, token)) return
  if (!failures.take()) throw tooMany('failed tokens')
  throw new SignalboxError(
    'unauthorized',
    token === undefined ? 'a bearer token is required' : 'the bearer token is wrong',
    {
      hint: 'signalbox daemon status names the token file',
    },
  )
}

function isWrite({ method, url }: IncomingMessage): boolean {
  if (method !== 'GET' && method !== 'HEAD') return true
  const mark = url?.indexOf('?') ?? -1
  // Parsed as the route parses it: the name may be spelt with percent signs.
  return mark >= 0 && new URLSearchParams(url?.slice(mark)).has('refresh')
}

function tooMany(what: string): SignalboxError {
  return new SignalboxError('rate_limited', `too many ${what}`, { hint: 'try again in a second' })
}
