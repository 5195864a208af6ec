import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Column, renderTable } from './table.ts'
import { displayWidth, fit, printable } from './text.ts'

interface Row {
  readonly name: string
  readonly note: string
  readonly count: number
}
const COLUMNS: readonly Column<Row>[] = [
  { title: 'NAME', min: 5, cell: (row) => row.name },
  { title: 'COUNT', align: 'right', spare: 2, cell: (row) => String(row.count) },
  { title: 'NOTE', min: 6, spare: 1, cell: (row) => row.note, style: (row) => (row.count > 1 ? 'green' : null) },
]
const ROWS: readonly Row[] = [
  { name: 'first', note: 'short', count: 1 },
  { name: 'a-long-name', note: 'a note that is long', count: 20 },
]
const render = (width: number | null, color = false) => renderTable(COLUMNS, ROWS, { width, color })

describe('a table', () => {
  it('is aligned, and not cut where there is no terminal', () => {
    expect(render(null)).toBe(
      ['NAME         COUNT  NOTE', 'first            1  short', 'a-long-name     20  a note that is long', ''].join(
        '\n',
      ),
    )
  })

  it('cuts the widest columns first on a narrow terminal', () => {
    expect(render(30)).toBe(
      ['NAME        COUNT  NOTE', 'first           1  short', 'a-long-na…     20  a note tha…', ''].join('\n'),
    )
  })

  it('leaves out spare columns where even cutting does not help', () => {
    expect(render(15)).toBe(['NAME    NOTE', 'first   short', 'a-lon…  a note…', ''].join('\n'))
    expect(render(8)).toBe(['NAME', 'first', 'a-long-…', ''].join('\n'))
  })

  it('colours cells, whose width stays (CAT-106)', () => {
    expect(render(null, true).split('\n')[2]).toBe('a-long-name     20  \u001b[32ma note that is long\u001b[0m')
  })

  it('is never wider than the terminal and holds no control character, whatever the cells are (CAT-150)', () => {
    const text = fc.string({ unit: 'binary' })
    fc.assert(
      fc.property(
        fc.array(fc.record({ name: text, note: text, count: fc.nat() })),
        fc.integer({ min: 5, max: 60 }),
        (rows, width) => {
          const lines = renderTable(COLUMNS, rows, { width, color: false }).split('\n')
          expect(lines.length).toBe(rows.length + 2)
          // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
          for (const line of lines) expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/)
          for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(width)
        },
      ),
    )
  })
})

describe('text', () => {
  it('shows controls and reordering characters as escapes (CAT-150)', () => {
    expect(printable('a\u001b[0m\u009b\u202e\n\ufeffb')).toBe('a\\u{1b}[0m\\u{9b}\\u{202e}\\u{a}\\u{feff}b')
  })

  it('counts what a terminal shows', () => {
    expect(['abc', 'é', '模型', '🚂', 'e\u0301'].map(displayWidth)).toEqual([3, 1, 4, 2, 1])
  })

  it('is cut between characters, with an ellipsis', () => {
    expect([fit('模型模型', 5), fit('abc', 3), fit('abcd', 3), fit('abc', 1)]).toEqual(['模型…', 'abc', 'ab…', '…'])
  })
})
