/** Every source's last good list of every provider, as one value, and how a change makes the next. */
import type { ProviderId, SourceId } from '@signalbox/contract/ids'
import type { RowList } from '@signalbox/contract/row'
import { enriches } from '@signalbox/core/catalog/provider-aliases'
import { kindOf } from '@signalbox/core/catalog/rows'
import type { ListKey } from '../store/store.ts'

export type Lists = ReadonlyMap<ProviderId, ReadonlyMap<SourceId, RowList>>

/** Read from their own files at every start, and so never stored. */
export const isStaticSource = (source_id: SourceId) => source_id === 'builtin' || source_id === 'config'
export const isDiscovered = (list: RowList) => !isStaticSource(list.source_id)

/** Another provider's catalog rows fill gaps; its configuration and live truth are its own. */
export const canEnrich = (source_id: SourceId) => kindOf(source_id) === 'models_dev' || kindOf(source_id) === 'builtin'

export const listsOfProvider = (lists: Lists, provider_id: ProviderId): RowList[] => [
  ...(lists.get(provider_id)?.values() ?? []),
]

export const allLists = (lists: Lists): RowList[] => [...lists.values()].flatMap((bySource) => [...bySource.values()])

/** The lists after a change. Providers that are untouched keep their very map, which is how the change is found again. */
export function withChange(before: Lists, remove: readonly ListKey[], put: readonly RowList[]): Lists {
  const next = new Map(before)
  const edited = new Map<ProviderId, Map<SourceId, RowList>>()
  const edit = (provider_id: ProviderId): Map<SourceId, RowList> => {
    const copy = edited.get(provider_id) ?? new Map(before.get(provider_id))
    edited.set(provider_id, copy)
    next.set(provider_id, copy)
    return copy
  }
  for (const { provider_id, source_id } of remove) {
    if (next.get(provider_id)?.has(source_id) === true) edit(provider_id).delete(source_id)
  }
  for (const list of put) {
    if (next.get(list.provider_id)?.get(list.source_id) !== list) edit(list.provider_id).set(list.source_id, list)
  }
  for (const [id, lists] of next) if (lists.size === 0) next.delete(id)
  return next
}

/** Providers whose models may differ, those enriched from a changed one included. */
export function affectedProviders(before: Lists, after: Lists): ProviderId[] {
  const changed = [...new Set([...before.keys(), ...after.keys()])].filter((id) => before.get(id) !== after.get(id))
  return [...new Set([...changed, ...changed.flatMap(enriches)])]
}
