/** Hashes that tell whether a published list still holds what it was made from. */
import { createHash } from 'node:crypto'
import type { RowList } from '@signalbox/contract/row'

const memo = new WeakMap<RowList, string>()

/** Fingerprint of one static list (built-in or configuration), computed at most once per process. */
function staticListFingerprint(list: RowList, builtinHash: string): string {
  const known = memo.get(list)
  if (known !== undefined) return known
  // The built-in file's own hash covers its rows: no need to render 8,000 of them again.
  const content = list.source_id === 'builtin' ? builtinHash : JSON.stringify([list.refreshed_at, list.rows])
  const fingerprint = sha256(`${list.source_id}\0${list.provider_id}\0${content}`)
  memo.set(list, fingerprint)
  return fingerprint
}

/** Hash of the static rows merged into a provider's list. */
export function staticFingerprint(lists: readonly RowList[], builtinHash: string): string {
  return sha256(lists.map((list) => staticListFingerprint(list, builtinHash)).join('\n'))
}

/** Hash of the discovered lists of a provider: a list is replaced as a whole, so its times identify it. */
export function discoveredFingerprint(lists: readonly RowList[], probe: string): string {
  const parts = lists.map((list) => [list.source_id, list.provider_id, list.refreshed_at, list.fresh_until, list.failed].join('\0'))
  return sha256([probe, ...parts].join('\n'))
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
