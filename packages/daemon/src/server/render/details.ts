import { printable } from './text.ts'

/** `name  value` lines for a flat record. */
export function renderDetails(record: Readonly<Record<string, unknown>>): string {
  const width = Math.max(...Object.keys(record).map((key) => key.length))
  return Object.entries(record)
    .map(([key, value]) => `${key.padEnd(width)}  ${printable(show(value))}\n`)
    .join('')
}

function show(value: unknown): string {
  if (value === null) return '-'
  return typeof value === 'string' ? value : JSON.stringify(value)
}
