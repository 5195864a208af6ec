/** Rows as aligned columns that fit the terminal. */
import { displayWidth, fit, printable } from './text.ts'

export interface Column<T> {
  readonly title: string
  readonly align?: 'left' | 'right'
  /** How narrow it may get when the terminal is; without it the column is never cut. */
  readonly min?: number
  readonly cell: (row: T) => string
  readonly style?: (row: T) => Style | null
}

export type Style = 'bold' | 'dim' | 'green' | 'yellow' | 'red'
const CODES: Readonly<Record<Style, number>> = { bold: 1, dim: 2, green: 32, yellow: 33, red: 31 }

export interface Terminal {
  readonly width: number | null
  readonly color: boolean
}

const GAP = '  '

/** Every line ends in a line feed. Cells are made printable here, so that no caller can forget. */
export function renderTable<T>(columns: readonly Column<T>[], rows: readonly T[], terminal: Terminal): string {
  const cells = rows.map((row) => columns.map((column) => printable(column.cell(row))))
  const widths = fittedWidths(columns, cells, terminal.width)
  const header = line(columns, columns.map((column) => column.title), widths, () => (terminal.color ? 'bold' : null))
  const body = cells.map((texts, index) => {
    const row = rows[index]
    return line(columns, texts, widths, (column) => (terminal.color && row !== undefined ? (column.style?.(row) ?? null) : null))
  })
  return [header, ...body].map((text) => `${text}\n`).join('')
}

function line<T>(columns: readonly Column<T>[], texts: readonly string[], widths: readonly number[], styleOf: (column: Column<T>) => Style | null): string {
  const last = columns.length - 1
  let out = ''
  for (const [index, column] of columns.entries()) {
    const width = widths[index] ?? 0
    const text = fit(texts[index] ?? '', width)
    const padding = ' '.repeat(Math.max(0, width - displayWidth(text)))
    const style = styleOf(column)
    const shown = style === null ? text : paint(text, style)
    if (index > 0) out += GAP
    out += column.align === 'right' ? padding + shown : index === last ? shown : shown + padding
  }
  return out
}

export function paint(text: string, style: Style): string {
  return `\u001b[${CODES[style]}m${text}\u001b[0m`
}

/** Natural widths, and where those do not fit, the widest column that may shrink gives way until they do. */
function fittedWidths<T>(columns: readonly Column<T>[], cells: readonly (readonly string[])[], available: number | null): number[] {
  const widths = columns.map((column, index) =>
    cells.reduce((most, row) => Math.max(most, displayWidth(row[index] ?? '')), displayWidth(column.title)),
  )
  if (available === null) return widths
  let excess = widths.reduce((sum, width) => sum + width, 0) + GAP.length * (columns.length - 1) - available
  while (excess > 0) {
    const room = widths.map((width, index) => width - (columns[index]?.min ?? width))
    const widest = widths.reduce((best, width, index) => ((room[index] ?? 0) > 0 && width > (widths[best] ?? 0) ? index : best), room.findIndex((r) => r > 0))
    if (widest < 0) break
    widths[widest] = (widths[widest] ?? 1) - 1
    excess -= 1
  }
  return widths
}
