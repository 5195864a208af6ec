/** What the schema finds wrong, told as problems at their places in the file. */
import type { ConfigProblem } from '@signalbox/contract/daemon'
import type { z } from 'zod'
import type { Position, Positions } from './positions.ts'
import { type Path, quote, showPath } from './problem.ts'
import { unknownKey } from './schema-keys.ts'

type Issue = z.core.$ZodIssue

/** What to write where the schema has no words of its own. */
const EXPECTED_TYPES: Readonly<Record<string, string>> = {
  string: 'text in quotes',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a table',
  record: 'a table',
}

/** The error map of the parse: a message is what to write. */
export function expectedOf(issue: z.core.$ZodRawIssue): string {
  return (issue.code === 'invalid_type' && EXPECTED_TYPES[issue.expected]) || 'another value'
}

/** All problems, in the order in which they stand in the file. */
export function problemsOf(
  issues: readonly Issue[],
  values: unknown,
  positions: Positions,
  file: string,
): ConfigProblem[] {
  const problems = issues.flatMap((issue) => {
    const path = issue.path as Path
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => {
        const at = [...path, key]
        return problem(file, positions.key(at), at, unknownKey(path, key))
      })
    }
    return [problem(file, positions.value(path), path, valueProblem(issue, path, values))]
  })
  return problems.sort(byPosition)
}

function problem(
  file: string,
  at: Position | null,
  path: Path,
  said: { readonly message: string; readonly expected: string },
): ConfigProblem {
  return { file, line: at?.line ?? null, column: at?.column ?? null, path: showPath(path), ...said }
}

export const byPosition = (a: ConfigProblem, b: ConfigProblem) =>
  (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0)

function valueProblem(issue: Issue, path: Path, values: unknown) {
  const expected = issue.message
  const where = showPath(path) || 'the file'
  const value = valueAt(values, path)
  if (value === undefined) return { message: `${where} is missing: write ${expected}`, expected }
  const found = foundAt(path, value, issue.code)
  return { message: `${where} must be ${expected}${found === null ? '' : ` (found ${found})`}`, expected }
}

function valueAt(values: unknown, path: Path): unknown {
  let value = values
  for (const part of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined
    value = (value as Record<string | number, unknown>)[part]
  }
  return value
}

/** Ids and efforts are the only values that a message repeats: any other may be a secret. */
const QUOTABLE = /^providers\.[^.]+\.models\.curated\.\d+\.(?:id|reasoning_efforts\.\d+|default_reasoning_effort)$/
const isQuotable = (path: Path) => QUOTABLE.test(path.map((part) => String(part).replaceAll('.', '_')).join('.'))

/** What stands there instead, as far as it may be told and helps. */
function foundAt(path: Path, value: unknown, code: Issue['code']): string | null {
  if (typeof value === 'string') return isQuotable(path) ? quote(value) : code === 'invalid_type' ? 'text' : null
  return code === 'invalid_type' || code === 'invalid_value' || (code === 'custom' && isFraction(value))
    ? kindOf(value)
    : null
}

const isFraction = (value: unknown) => typeof value === 'number' && !Number.isInteger(value)

function kindOf(value: unknown): string {
  if (typeof value === 'bigint') return 'a whole number above 2^53'
  if (typeof value === 'boolean') return 'true or false'
  if (typeof value === 'number')
    return isFraction(value) ? (Number.isFinite(value) ? 'a fraction' : 'nan or inf') : 'a whole number'
  if (value instanceof Date) return 'a date or time'
  return Array.isArray(value) ? 'a list' : 'a table'
}
