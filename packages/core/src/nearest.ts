import { distance } from 'fastest-levenshtein'
import { compareBytes } from './bytes.ts'

/** The known names most like `wanted`, best first: those that contain it or are a few edits away. */
export function nearest(wanted: string, known: Iterable<string>, most = 5): string[] {
  const needle = wanted.toLowerCase()
  const scored: { name: string; score: number }[] = []
  for (const name of known) {
    const score = closeness(needle, name.toLowerCase())
    if (score !== null) scored.push({ name, score })
  }
  return scored
    .sort((a, b) => a.score - b.score || compareBytes(a.name, b.name))
    .slice(0, most)
    .map(({ name }) => name)
}

/** Lower is nearer; null is not near. */
function closeness(needle: string, name: string): number | null {
  const contains = needle.length >= 3 && (name.includes(needle) || (name.length >= 3 && needle.includes(name)))
  if (contains) return Math.abs(name.length - needle.length) / 10
  const allowed = Math.max(1, Math.floor(needle.length / 3))
  if (Math.abs(name.length - needle.length) > allowed) return null
  const edits = distance(needle, name)
  return edits <= allowed ? edits : null
}
