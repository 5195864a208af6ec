/** Stored lists to rows that can be merged: identity stamped, staleness judged at a moment. */
import { type ProviderId, SOURCE_PRIORITY, type SourceId, type SourceKind, sourceKindOf } from '@signalbox/contract/ids'
import type { Row, RowList } from '@signalbox/contract/row'

/** Sources whose rows never go stale: what the operator wrote, and what the package ships. */
const NEVER_STALE: ReadonlySet<SourceKind> = new Set(['config', 'builtin'])

/** The kind of a source that is already known to be well-formed. */
export function kindOf(source_id: SourceId): SourceKind {
  const kind = sourceKindOf(source_id)
  if (kind === null) throw new RangeError(`not a source id: ${source_id}`)
  return kind
}

/** Sources whose rows may each have a TTL of their own. Elsewhere only the list's counts, so rows need not be read for it. */
const ROWS_EXPIRE: ReadonlySet<SourceKind> = new Set(['extension'])

/**
 * The rows of a list as they read at `now`. Identity and priority are the source's own, whatever a row claims. A row is
 * stale when its list's last refresh failed, its TTL passed, or its source says so.
 */
export function rowsOf(list: RowList, now: number, provider_id: ProviderId = list.provider_id): Row[] {
  const source_kind = kindOf(list.source_id)
  const priority = SOURCE_PRIORITY[source_kind]
  const ages = !NEVER_STALE.has(source_kind)
  const ownTtl = ROWS_EXPIRE.has(source_kind)
  return list.rows.map((stated) => {
    const expires_at = (ownTtl ? stated.expires_at : null) ?? list.fresh_until
    return {
      provider_id,
      model_id: stated.model_id,
      source_id: list.source_id,
      source_kind,
      priority,
      refreshed_at: stated.refreshed_at ?? list.refreshed_at,
      expires_at,
      stale: ages && (list.failed || stated.declared_stale || (expires_at !== null && expires_at <= now)),
      available: stated.available,
      denial: stated.denial,
      facts: stated.facts,
    }
  })
}

/** The next moment at which a fresh row of the list may turn stale by itself, or null. */
export function nextExpiry(list: RowList, now: number): number | null {
  const kind = kindOf(list.source_id)
  if (list.failed || NEVER_STALE.has(kind)) return null
  let next = list.fresh_until !== null && list.fresh_until > now ? list.fresh_until : Number.POSITIVE_INFINITY
  if (ROWS_EXPIRE.has(kind)) {
    for (const { expires_at } of list.rows) {
      if (expires_at !== null && expires_at > now && expires_at < next) next = expires_at
    }
  }
  return Number.isFinite(next) ? next : null
}
