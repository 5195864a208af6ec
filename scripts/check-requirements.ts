/**
 * Holds `docs/requirements/` and the tests to each other: a row marked `built` is named by a test that runs, a test
 * names only rows that exist, an id exists once, and no test that names a row is switched off.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { report } from './report.ts'
import { readTable } from './requirement-table.ts'
import { sourceFiles, TEST_FILE } from './source-files.ts'
import { testTitles } from './test-titles.ts'

export interface TextFile {
  readonly file: string
  readonly text: string
}

export function checkRequirements(tables: readonly TextFile[], tests: readonly TextFile[]): readonly string[] {
  const read = tables.map(({ file, text }) => readTable(file, text))
  const problems = read.flatMap((table) => [...table.problems])
  const requirements = read.flatMap((table) => table.requirements)
  const byId = new Map<string, string>()
  for (const { id, where } of requirements) {
    const first = byId.get(id)
    if (first === undefined) byId.set(id, where)
    else problems.push(`${where}: ${id} exists already, at ${first}`)
  }
  if (requirements.length === 0) return ['docs/requirements has no rows']

  // Only our own prefixes: `UTF-8` and `SHA-256` are no ids.
  const prefixes = [...new Set(requirements.map(({ id }) => id.slice(0, id.indexOf('-'))))]
  const idPattern = new RegExp(`\\b(?:${prefixes.join('|')})-\\d+\\b`, 'g')
  const proven = new Set<string>()
  for (const { file, text } of tests) {
    for (const { title, line, state } of testTitles(file, text)) {
      for (const [id] of title.matchAll(idPattern)) {
        if (!byId.has(id)) problems.push(`${file}:${line}: no requirement has the id ${id}`)
        else if (state === 'skipped') problems.push(`${file}:${line}: the test of ${id} is skipped or empty`)
        else if (state === 'runs') proven.add(id)
      }
    }
  }
  const unproven = requirements.filter(({ id, built }) => built && !proven.has(id)).map(({ id }) => id)
  if (unproven.length > 0) {
    problems.push(`Marked built, and no test that runs names it (${unproven.length}): ${unproven.join(' ')}`)
  }
  return problems
}

if (import.meta.main) {
  const root = dirname(import.meta.dirname)
  const load = (file: string): TextFile => ({ file, text: readFileSync(join(root, file), 'utf8') })
  const tables = readdirSync(join(root, 'docs/requirements')).filter((name) => name.endsWith('.md'))
  // The checker's own tests name invented ids.
  const tests = sourceFiles(root).filter((file) => TEST_FILE.test(file) && !file.startsWith('scripts/'))
  report(
    checkRequirements(
      tables.map((name) => load(`docs/requirements/${name}`)),
      tests.map(load),
    ),
  )
}
