/** The request line's target. Only a plain path is taken: every other form is for proxies. */
import type { IncomingMessage } from 'node:http'
import { SignalboxError } from '@signalbox/contract/errors'

export function pathOf(incoming: IncomingMessage): string {
  const target = incoming.url ?? '/'
  const mark = target.indexOf('?')
  return mark < 0 ? target : target.slice(0, mark)
}

/** A full URL could name another host than the `Host` header, and URL parsers read `\\` as `/`. */
export function requirePath(incoming: IncomingMessage): void {
  const path = pathOf(incoming)
  if (path.startsWith('/') && !path.includes('\\')) return
  throw new SignalboxError('invalid_request', 'the request target is not a path', {
    expected: 'a path that starts with /',
  })
}
