import type { MergedModel } from '@signalbox/core/catalog/merge'
import type { Selection } from '@signalbox/core/catalog/snapshot'
import { type Column, paint, renderTable, type Style, type Terminal } from './table.ts'

const NOTHING = '-'

const COLUMNS: readonly Column<MergedModel>[] = [
  { title: 'PROVIDER', min: 8, cell: (model) => model.provider_id },
  { title: 'MODEL', min: 16, cell: (model) => model.model_id },
  { title: 'CONTEXT', align: 'right', spare: 1, cell: ({ facts }) => tokens(facts.context_window) },
  { title: 'OUTPUT', align: 'right', spare: 5, cell: ({ facts }) => tokens(facts.max_output_tokens) },
  { title: 'TOOLS', spare: 4, cell: ({ facts }) => yesNo(facts.supports_tools) },
  { title: 'REASONING', min: 9, spare: 3, cell: ({ facts }) => reasoning(facts) },
  { title: '$/M IN', align: 'right', spare: 2, cell: ({ facts }) => dollars(facts.cost_input_per_million) },
  { title: '$/M OUT', align: 'right', spare: 2, cell: ({ facts }) => dollars(facts.cost_output_per_million) },
  { title: 'AVAILABLE', min: 9, cell: available, style: availableStyle },
]

/** A table, and on a terminal a closing line that counts. */
export function renderModels(models: readonly MergedModel[], selection: Selection, terminal: Terminal): string {
  if (models.length === 0) return terminal.width === null ? '' : 'No models match.\n'
  const columns = selection.provider_id === undefined ? COLUMNS : COLUMNS.slice(1)
  const table = renderTable(columns, models, terminal)
  if (terminal.width === null) return table
  const providers = new Set(models.map((model) => model.provider_id)).size
  const summary = `${count(models.length, 'model')} from ${count(providers, 'provider')}`
  return `${table}${terminal.color ? paint(summary, 'dim') : summary}\n`
}

export function count(n: number, noun: string): string {
  return `${n.toLocaleString('en-US')} ${noun}${n === 1 ? '' : 's'}`
}

export function tokens(n: number | null): string {
  if (n === null) return NOTHING
  if (n >= 1_000_000) return `${trimZeros((n / 1_000_000).toFixed(2))}M`
  return n >= 1_000 ? `${Math.round(n / 1_000)}k` : String(n)
}

function dollars(price: number | null): string {
  if (price === null) return NOTHING
  if (price === 0) return 'free'
  return price < 0.01 ? String(price) : price.toFixed(2)
}

function yesNo(value: boolean | null): string {
  return value === null ? NOTHING : value ? 'yes' : 'no'
}

function reasoning({ supports_reasoning, reasoning_efforts }: MergedModel['facts']): string {
  if (reasoning_efforts !== null && reasoning_efforts.length > 0) return reasoning_efforts.join(',')
  return yesNo(supports_reasoning)
}

function available({ availability: { available: can, reason, evidence } }: MergedModel): string {
  if (can === null) return 'unknown'
  const stale = evidence?.stale === true ? ' (stale)' : ''
  return can ? `yes${stale}` : `no: ${reason}${stale}`
}

function availableStyle({ availability }: MergedModel): Style {
  if (availability.available === null) return 'dim'
  if (availability.evidence?.stale === true) return 'yellow'
  return availability.available ? 'green' : 'red'
}

function trimZeros(text: string): string {
  return text.replace(/\.?0+$/, '')
}
