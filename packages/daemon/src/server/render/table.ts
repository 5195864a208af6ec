/** Rows as aligned columns that fit the terminal. */
import { displayWidth, fit, printable } from './text.ts'

export interface Column<T> {
  readonly title: string
  readonly align?: 'left' | 'right'
  /** How narrow it may get when the terminal is; without it the column is never cut. */
  readonly min?: number
  /** On a terminal too narrow for all, columns with this are left out, the highest number first. */
  readonly spare?: number
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
  const measured = columns.map((column) => measure(column, rows))
  const shown = fitColumns(measured, terminal.width)
  const header = line(
    shown,
    ({ column }) => column.title,
    () => (terminal.color ? 'bold' : null),
  )
  const body = rows.map((row, index) =>
    line(
      shown,
      ({ cells }) => cells[index] ?? '',
      ({ column }) => (terminal.color ? (column.style?.(row) ?? null) : null),
    ),
  )
  return [header, ...body].map((text) => `${text}\n`).join('')
}

/** A column with its texts, and as wide as it is to be shown. */
interface Measured<T> {
  readonly column: Column<T>
  readonly cells: readonly string[]
  readonly width: number
}

function measure<T>(column: Column<T>, rows: readonly T[]): Measured<T> {
  const cells = rows.map((row) => printable(column.cell(row)))
  return {
    column,
    cells,
    width: cells.reduce((most, cell) => Math.max(most, displayWidth(cell)), displayWidth(column.title)),
  }
}

function line<T>(
  columns: readonly Measured<T>[],
  textOf: (column: Measured<T>) => string,
  styleOf: (column: Measured<T>) => Style | null,
): string {
  const last = columns.length - 1
  let out = ''
  for (const [index, measured] of columns.entries()) {
    const { column, width } = measured
    const text = fit(textOf(measured), width)
    const padding = ' '.repeat(Math.max(0, width - displayWidth(text)))
    const style = styleOf(measured)
    const shown = style === null ? text : paint(text, style)
    if (index > 0) out += GAP
    out += column.align === 'right' ? padding + shown : index === last ? shown : shown + padding
  }
  return out
}

export function paint(text: string, style: Style): string {
  return `\u001b[${CODES[style]}m${text}\u001b[0m`
}

const narrowest = <T>({ column, width }: Measured<T>) => Math.min(width, column.min ?? width)
const total = <T>(columns: readonly Measured<T>[], widthOf: (column: Measured<T>) => number) =>
  columns.reduce((sum, column) => sum + widthOf(column), GAP.length * (columns.length - 1))

/** Natural widths; where those do not fit, spare columns go, and then the widest that may shrink gives way until they do. */
function fitColumns<T>(columns: readonly Measured<T>[], available: number | null): readonly Measured<T>[] {
  if (available === null) return columns
  if (total(columns, narrowest) > available) {
    const spare = columns.reduce((most, { column }) => Math.max(most, column.spare ?? 0), 0)
    if (spare > 0)
      return fitColumns(
        columns.filter(({ column }) => column.spare !== spare),
        available,
      )
  }
  const widths = columns.map(({ width }) => width)
  for (let excess = total(columns, ({ width }) => width) - available; excess > 0; excess--) {
    const widest = columns.reduce((best, column, index) => {
      const width = widths[index] ?? 0
      return width > narrowest(column) && width > (widths[best] ?? 0) ? index : best
    }, -1)
    if (widest < 0) break
    widths[widest] = (widths[widest] ?? 1) - 1
  }
  return columns.map((column, index) => ({ ...column, width: widths[index] ?? column.width }))
}
