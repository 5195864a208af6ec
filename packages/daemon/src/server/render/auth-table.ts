import type { AuthEntry } from '@signalbox/contract/auth'
import { type Column, renderTable, type Style, type Terminal } from './table.ts'
import { printable } from './text.ts'

const NOTHING = '-'
type Verdict = 'yes' | 'rejected' | 'unknown'

const verdictOf = ({ verified }: AuthEntry): Verdict => (verified === null ? 'unknown' : verified ? 'yes' : 'rejected')
const STYLES: Readonly<Record<Verdict, Style>> = { yes: 'green', rejected: 'red', unknown: 'dim' }

const COLUMNS: readonly Column<AuthEntry>[] = [
  { title: 'PROVIDER', min: 8, cell: ({ provider_id }) => provider_id },
  { title: 'CREDENTIAL', min: 12, cell: ({ credential }) => credential?.ref ?? NOTHING },
  { title: 'FROM', spare: 3, cell: ({ credential }) => credential?.source ?? NOTHING },
  { title: 'VERIFIED', cell: verdictOf, style: (entry) => STYLES[verdictOf(entry)] },
  { title: 'WHEN', spare: 2, cell: ({ verified_at }) => verified_at ?? NOTHING },
  { title: 'REASON', spare: 1, cell: ({ reason }) => reason ?? NOTHING },
  { title: 'FIX', min: 12, cell: ({ fix }) => fix ?? NOTHING },
]

export function renderAuth(entries: readonly AuthEntry[], terminal: Terminal): string {
  return renderTable(COLUMNS, entries, terminal)
}

/** Where was looked for a credential, and what was found there: a line for each place. */
export function renderAuthTrace({ trace }: AuthEntry): string {
  const lines = trace.map(({ source, ref, message, warnings }) => {
    const notes = warnings.map((warning) => ` (${warning.message})`).join('')
    return `  ${ref ?? source}: ${message ?? 'used'}${notes}`
  })
  return `\nLooked at, in this order:\n${lines.map((line) => `${printable(line)}\n`).join('')}`
}
