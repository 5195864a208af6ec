/** The text of `config.toml` to a configuration, or to everything that is wrong with it. */
import { ConfigFile } from '@signalbox/contract/config'
import type { ConfigProblem } from '@signalbox/contract/daemon'
import { parse, TomlError, type TomlTable } from 'smol-toml'
import { byPosition, expectedOf, problemsOf } from './issues.ts'
import { positionsOf } from './positions.ts'
import { fileProblem } from './problem.ts'

export const MAX_CONFIG_BYTES = 1024 * 1024

export type ParsedConfig =
  | {
      readonly ok: true
      readonly config: ConfigFile
      /** What the file states, without defaults and comments. */
      readonly values: unknown
    }
  | { readonly ok: false; readonly problems: readonly ConfigProblem[] }

/** Parse and check. Never throws for any text; an empty one is all defaults. `file` is only named in problems. */
export async function parseConfig(text: string, file: string): Promise<ParsedConfig> {
  if (Buffer.byteLength(text) > MAX_CONFIG_BYTES) return { ok: false, problems: [tooLarge(file)] }
  const toml = text.startsWith('\ufeff') ? text.slice(1) : text
  const nul = toml.indexOf('\0')
  if (nul >= 0) return { ok: false, problems: [nulProblem(toml, nul, file)] }

  const read = readToml(toml, file)
  if (!read.ok) return read
  const checked = ConfigFile.safeParse(read.values, { error: expectedOf })
  const hidden = protoProviders(read.values)
  if (checked.success && !hidden) return { ok: true, config: checked.data, values: read.values }

  const positions = await positionsOf(toml)
  const problems = problemsOf(checked.error?.issues ?? [], read.values, positions, file)
  if (hidden) problems.push(protoProblem(positions.key(['providers', '__proto__']), file))
  return { ok: false, problems: problems.sort(byPosition) }
}

export const tooLarge = (file: string) => fileProblem(file, 'is larger than 1 MiB', 'at most 1 MiB')

function nulProblem(text: string, offset: number, file: string): ConfigProblem {
  const before = text.slice(0, offset).split('\n')
  const place = { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
  return { file, ...place, path: null, message: 'holds a NUL character', expected: 'text without NUL characters' }
}

/** Deeper than any key of ours. */
const MAX_NESTING = 64

function readToml(
  text: string,
  file: string,
): { ok: true; values: TomlTable } | { ok: false; problems: readonly ConfigProblem[] } {
  try {
    return { ok: true, values: parse(text, { integersAsBigInt: 'asNeeded', maxDepth: MAX_NESTING }) }
  } catch (error) {
    if (!(error instanceof TomlError)) throw error
    return { ok: false, problems: [syntaxProblem(error, file)] }
  }
}

const SYNTAX = /^Invalid TOML document: (.*)/
const SYNTAX_EXPECTED: readonly (readonly [RegExp, string])[] = [
  [/already defined/, 'each key and each table once'],
  [/^invalid value/, 'text in quotes, a number, true, false, a list or a table'],
  [/end-of-line/, 'one key = value per line'],
  [/end of key|key/, 'key = value'],
  [/string/, 'text closed by the quotes that opened it'],
]

/** The parser's own message goes on to show lines of the file, which may hold a secret: only its first line is kept. */
function syntaxProblem(error: TomlError, file: string): ConfigProblem {
  const reason = SYNTAX.exec(error.message)?.[1] ?? 'syntax error'
  const expected = SYNTAX_EXPECTED.find(([pattern]) => pattern.test(reason))?.[1] ?? 'valid TOML'
  return { file, line: error.line, column: error.column, path: null, message: `is not valid TOML: ${reason}`, expected }
}

/** A record skips this key without a word, as it would replace the prototype of what it builds. */
function protoProviders({ providers }: TomlTable): boolean {
  return typeof providers === 'object' && Object.hasOwn(providers, '__proto__')
}

function protoProblem(at: { line: number; column: number } | null, file: string): ConfigProblem {
  const expected = 'a provider id that starts with a letter or digit'
  const place = { line: at?.line ?? null, column: at?.column ?? null }
  return { file, ...place, path: 'providers.__proto__', message: `providers.__proto__ must be ${expected}`, expected }
}
