/** One route, three representations, chosen by `Accept`. */
import type { IncomingMessage } from 'node:http'

export type Representation =
  | { readonly kind: 'json' }
  | { readonly kind: 'jsonl' }
  /** Rendered for people. `width` is the terminal's, null when it is not one. */
  | { readonly kind: 'table'; readonly width: number | null; readonly color: boolean }

export const TERMINAL_HEADER = 'signalbox-terminal'

export function representationOf(incoming: IncomingMessage): Representation {
  const accept = incoming.headers.accept ?? ''
  if (accept.startsWith('application/x-ndjson')) return JSONL
  if (!accept.startsWith('text/plain')) return JSON_REPRESENTATION
  const terminal = incoming.headers[TERMINAL_HEADER]
  const text = typeof terminal === 'string' ? terminal : ''
  const width = /\bwidth=(\d{1,4})\b/.exec(text)?.[1]
  return {
    kind: 'table',
    width: width === undefined ? null : Math.max(40, Number(width)),
    color: /\bcolor=1\b/.test(text),
  }
}

const JSONL: Representation = { kind: 'jsonl' }
const JSON_REPRESENTATION: Representation = { kind: 'json' }

export const CONTENT_TYPE: Readonly<Record<Representation['kind'], string>> = {
  json: 'application/json; charset=utf-8',
  jsonl: 'application/x-ndjson; charset=utf-8',
  table: 'text/plain; charset=utf-8',
}
