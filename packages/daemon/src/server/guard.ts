/**
 * Checks that every request on TCP passes before anything else looks at it. A page on the internet can reach loopback:
 * it is stopped by the Host name (DNS rebinding), by its Origin, and by the token it does not have.
 */
import type { IncomingMessage } from 'node:http'
import { SignalboxError } from '@signalbox/contract/errors'
import { tokenMatches } from '../platform/token.ts'
import type { RateLimit } from './rate-limit.ts'
import { pathOf } from './request-target.ts'

export interface GuardOptions {
  /** SHA-256 of the token. */
  readonly tokenHash: Buffer
  /** What the Host header may be. */
  readonly hosts: () => readonly string[]
  readonly rate: RateLimit
  /** Failed tokens have a rate of their own, far below what guessing needs. */
  readonly failures: RateLimit
}

const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]']
/** Readable without a token: a static page without data. */
const PUBLIC_PATHS = new Set(['/docs'])

/** Throws what is wrong with the request, or returns. */
export function guard(incoming: IncomingMessage, options: GuardOptions): void {
  const hosts = options.hosts()
  if (!hosts.includes((incoming.headers.host ?? '').toLowerCase())) {
    throw new SignalboxError('forbidden_host', 'the Host header is not a loopback name of this daemon', { expected: hosts.join(', ') })
  }
  const origin = incoming.headers.origin
  const isForeign = origin !== undefined && !hosts.some((host) => origin.toLowerCase() === `http://${host}`)
  const site = incoming.headers['sec-fetch-site']
  if (isForeign || (site !== undefined && site !== 'same-origin' && site !== 'none')) {
    throw new SignalboxError('forbidden_origin', 'requests from other web pages are refused')
  }
  if (!options.rate.take()) throw new SignalboxError('rate_limited', 'too many requests', { hint: 'try again in a second' })
  if (PUBLIC_PATHS.has(pathOf(incoming))) return
  const [, token] = /^Bearer ([^\s]+)$/i.exec(incoming.headers.authorization ?? '') ?? []
  if (token !== undefined && tokenMatches(options.tokenHash, token)) return
  if (!options.failures.take()) throw new SignalboxError('rate_limited', 'too many failed tokens', { hint: 'try again in a second' })
  throw new SignalboxError('unauthorized', token === undefined ? 'a bearer token is required' : 'the bearer token is wrong', {
    hint: 'signalbox daemon status names the token file',
  })
}

/** `host:port` for every name that a loopback client may use. */
export function loopbackHosts(port: number): readonly string[] {
  return LOOPBACK_NAMES.map((name) => `${name}:${port}`)
}
