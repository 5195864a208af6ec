/** Hashes that tell whether a published list still holds what it was made from. */
import { createHash } from 'node:crypto'
import type { RowList } from '@signalbox/contract/row'
import type { ShardInput } from '@signalbox/core/catalog/shard'
import { isDiscovered } from './lists.ts'

export interface Fingerprints {
  /** Of the static rows (built-in, configuration) that were merged in. */
  readonly statics: string
  /** Of the discovered lists. */
  readonly discovered: string
}

export function fingerprintsOf({ lists, enriching, probe }: ShardInput, builtinHash: string): Fingerprints {
  const all = [...lists, ...enriching]
  const statics = all.filter((list) => !isDiscovered(list)).map((list) => staticListFingerprint(list, builtinHash))
  // A discovered list is replaced as a whole, so its times identify it.
  const discovered = all
    .filter(isDiscovered)
    .map((list) => [list.source_id, list.provider_id, list.refreshed_at, list.fresh_until, list.failed].join('\0'))
  // Sorted: a restart reads the lists in another order than the one they came in.
  return {
    statics: sha256(statics.sort().join('\n')),
    discovered: sha256([probe, ...discovered.sort()].join('\n')),
  }
}

const memo = new WeakMap<RowList, string>()

/** Computed at most once per list and process. */
function staticListFingerprint(list: RowList, builtinHash: string): string {
  const known = memo.get(list)
  if (known !== undefined) return known
  // The built-in file's own hash covers its rows: no need to render 8,000 of them again.
  const content = list.source_id === 'builtin' ? builtinHash : JSON.stringify([list.refreshed_at, list.rows])
  const fingerprint = sha256(`${list.source_id}\0${list.provider_id}\0${content}`)
  memo.set(list, fingerprint)
  return fingerprint
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
