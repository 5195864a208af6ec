/** Epoch milliseconds as UTC RFC 3339 in whole seconds: `2026-05-07T18:32:11Z`. */
export function rfc3339(epochMs: number): string {
  return `${new Date(epochMs).toISOString().slice(0, 19)}Z`
}
