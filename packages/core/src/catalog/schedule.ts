/** When a source is asked again. Pure: time and chance come in as arguments. */

const FIRST_PAUSE_MS = 60_000
const LONGEST_PAUSE_MS = 3_600_000
const JITTER = 0.1

/** After a success: at the TTL, up to a tenth earlier, so that many sources do not run at once and rows stay fresh. */
export function nextAfterSuccess(now: number, ttlMs: number | null, random: number): number | null {
  return ttlMs === null ? null : now + Math.round(ttlMs * (1 - JITTER * random))
}

/** After the n-th failure in a row: 60 s, doubling up to an hour. */
export function nextAfterFailure(now: number, failures: number): number {
  return now + Math.min(FIRST_PAUSE_MS * 2 ** (failures - 1), LONGEST_PAUSE_MS)
}

/** Whether a source may be asked without being forced. A clock that jumped back must not silence it. */
export function isDue(record: { last_refresh: number; next_refresh: number | null } | null, now: number): boolean {
  if (record === null || record.next_refresh === null) return true
  return record.next_refresh <= now || record.last_refresh > now
}
