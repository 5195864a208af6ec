/** Epoch milliseconds as UTC RFC 3339 in whole seconds: `2026-05-07T18:32:11Z`. */
export function rfc3339(epochMs: number): string {
  // All rows of a list have one time, and rendering it is most of what encoding a short row would cost.
  if (epochMs !== last.epochMs) last = { epochMs, text: `${new Date(epochMs).toISOString().slice(0, 19)}Z` }
  return last.text
}

let last = { epochMs: Number.NaN, text: '' }
