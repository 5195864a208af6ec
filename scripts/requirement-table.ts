/** Reads the tables of `docs/requirements/`: a row is `| id | requirement | from | issue | state |`. */

export interface Requirement {
  readonly id: string
  readonly built: boolean
  /** `file:line`, for messages. */
  readonly where: string
}

export interface RequirementTable {
  readonly requirements: readonly Requirement[]
  readonly problems: readonly string[]
}

const ID_CELL = /^\|\s*([A-Z]+-\d+)\s*\|/
const STATES = ['built', 'open']

export function readTable(file: string, text: string): RequirementTable {
  const requirements: Requirement[] = []
  const problems: string[] = []
  for (const [index, line] of text.split('\n').entries()) {
    const id = ID_CELL.exec(line)?.[1]
    if (id === undefined) continue
    const where = `${file}:${index + 1}`
    // A `|` inside a cell is written `\|`.
    const cells = line
      .trim()
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim())
    const state = cells.at(-1) ?? ''
    if (cells.length !== 5 || !STATES.includes(state)) {
      problems.push(`${where}: ${id} needs five cells, the last one "built" or "open"`)
    }
    requirements.push({ id, built: state === 'built', where })
  }
  return { requirements, problems }
}
