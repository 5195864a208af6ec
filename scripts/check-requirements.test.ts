import { describe, expect, it } from 'vitest'
import { checkRequirements } from './check-requirements.ts'

const row = (id: string, state: string) => `| ${id} | It does a \\| b. | seed | foundation | ${state} |`
const table = (...rows: string[]) => [
  {
    file: 'a.md',
    text: ['# A', '', '| id | requirement | from | issue | state |', '|---|---|---|---|---|', ...rows].join('\n'),
  },
]
const tests = (text: string) => [{ file: 'a.test.ts', text }]
const body = '() => { expect(1).toBe(1) }'

describe('requirements and tests', () => {
  it('agree when every built row is named by a test that runs', () => {
    const source = `describe('shape (CAT-002)', () => { it('works (CAT-001, CAT-003)', ${body}) })`
    expect(
      checkRequirements(table(row('CAT-001', 'built'), row('CAT-002', 'built'), row('CAT-003', 'open')), tests(source)),
    ).toEqual([])
  })

  it('disagree when a built row is named by no test', () => {
    expect(checkRequirements(table(row('CAT-001', 'built'), row('CAT-002', 'open')), tests(''))).toEqual([
      'Marked built, and no test that runs names it (1): CAT-001',
    ])
  })

  it('disagree when only a comment names it', () => {
    expect(checkRequirements(table(row('CAT-001', 'built')), tests(`// it('CAT-001', ${body})`))).toHaveLength(1)
  })

  it('disagree when only a conditional test names it', () => {
    expect(checkRequirements(table(row('CAT-001', 'built')), tests(`it.skipIf(x)('CAT-001', ${body})`))).toHaveLength(1)
  })

  it('disagree when a test names a row that does not exist, but other words with a dash and a number are none', () => {
    const source = `\nit('reads UTF-8 and SHA-256 (CAT-0011, CAT-009)', ${body})`
    expect(checkRequirements(table(row('CAT-001', 'open')), tests(source))).toEqual([
      'a.test.ts:2: no requirement has the id CAT-0011',
      'a.test.ts:2: no requirement has the id CAT-009',
    ])
  })

  it('disagree when a test that names a row is skipped, even beside one that runs', () => {
    const source = `it('CAT-001', ${body}); it.skip('CAT-001 again', ${body})`
    expect(checkRequirements(table(row('CAT-001', 'built')), tests(source))).toEqual([
      'a.test.ts:1: the test of CAT-001 is skipped or empty',
    ])
  })

  it('disagree when an id exists twice', () => {
    expect(checkRequirements(table(row('CAT-001', 'open'), row('CAT-001', 'open')), [])).toEqual([
      'a.md:6: CAT-001 exists already, at a.md:5',
    ])
  })

  it.each(['done', '', 'Built'])('disagree when the state of a row is "%s"', (state) => {
    expect(checkRequirements(table(row('CAT-001', state)), [])).toHaveLength(1)
  })

  it('disagree when a row lost its last cell', () => {
    expect(checkRequirements(table('| CAT-001 | It does. | seed | foundation |'), [])).toHaveLength(1)
  })

  it('disagree when there are no rows at all', () => {
    expect(checkRequirements(table(), [])).toEqual(['docs/requirements has no rows'])
  })
})
