import type { Explanation, FieldExplanation, FieldStatement } from '@signalbox/contract/explain'
import { type Column, paint, renderTable, type Terminal } from './table.ts'
import { printable } from './text.ts'

interface Line {
  readonly field: string
  readonly value: string
  readonly from: string
  readonly instead: string
}

const COLUMNS: readonly Column<Line>[] = [
  { title: 'FIELD', min: 12, cell: (line) => line.field },
  { title: 'VALUE', min: 12, cell: (line) => line.value },
  { title: 'FROM', min: 12, cell: (line) => line.from },
  { title: 'OTHERS SAID', min: 12, spare: 1, cell: (line) => line.instead },
]

/** Why a model reads as it does, for people. */
export function renderExplanation(explanation: Explanation, terminal: Terminal): string {
  const { availability, provider_id, model_id, left_out } = explanation
  const title = printable(`${provider_id}/${model_id}`)
  const evidence = availability.availability_evidence
  const lines = [
    terminal.color ? paint(title, 'bold') : title,
    `available    ${availability.available ?? 'unknown'} (${availability.availability_state}, ${availability.availability_reason})`,
    `why          ${printable(availability.why)}`,
    ...(evidence === null
      ? []
      : [
          `evidence     ${printable(evidence.source_id)}, seen ${evidence.observed_at}, ${evidence.stale ? 'stale' : 'fresh'}`,
        ]),
    ...left_out.map((row) => `left out     ${printable(row.source_id)} of ${row.refreshed_at}: ${row.why}`),
    '',
  ]
  return `${lines.join('\n')}\n${renderTable(COLUMNS, explanation.fields.map(toLine), terminal)}`
}

function toLine({ field, value, winner, rule, losers }: FieldExplanation): Line {
  const from = winner === null ? '-' : `${winner.source_id} ${age(winner)}`
  return {
    field,
    value: show(value),
    from: rule === null ? from : `${from}; ${rule}`,
    instead: losers.map((loser) => `${loser.source_id}: ${show(loser.value)}`).join('; '),
  }
}

const age = ({ refreshed_at, stale }: FieldStatement) => `${refreshed_at.slice(0, 10)}${stale ? ' (stale)' : ''}`

function show(value: unknown): string {
  if (value === null) return '-'
  if (Array.isArray(value) && value.every((item) => typeof item === 'string'))
    return value.length === 0 ? 'none' : value.join(',')
  return typeof value === 'string' ? value : JSON.stringify(value)
}
