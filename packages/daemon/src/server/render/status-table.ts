import type { SourceStatus } from '@signalbox/contract/status'
import { type Column, renderTable, type Style, type Terminal } from './table.ts'

const NOTHING = '-'

const COLUMNS: readonly Column<SourceStatus>[] = [
  { title: 'PROVIDER', min: 8, cell: (status) => status.provider_id ?? NOTHING },
  { title: 'SOURCE', min: 10, cell: (status) => status.source_id },
  { title: 'STATE', cell: (status) => status.refresh_state, style: stateStyle },
  { title: 'ROWS', align: 'right', spare: 3, cell: (status) => String(status.row_count) },
  { title: 'STALE', spare: 4, cell: (status) => (status.stale ? 'yes' : 'no') },
  { title: 'LAST SUCCESS', spare: 2, cell: (status) => status.last_success ?? NOTHING },
  { title: 'NEXT', spare: 5, cell: (status) => status.next_refresh ?? NOTHING },
  { title: 'ERROR', min: 12, spare: 1, cell: (status) => status.last_error ?? '' },
]

export function renderStatuses(statuses: readonly SourceStatus[], terminal: Terminal): string {
  return renderTable(COLUMNS, statuses, terminal)
}

function stateStyle({ refresh_state, stale }: SourceStatus): Style | null {
  if (refresh_state === 'failed') return 'red'
  if (refresh_state === 'succeeded') return stale ? 'yellow' : 'green'
  return 'dim'
}
