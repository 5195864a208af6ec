/**
 * The catalog that ships with the package, so that a first start without a network knows every model. Loading reads
 * the file and checks it; a provider's rows are decoded when somebody first looks at them.
 */
import { readFileSync } from 'node:fs'
import { SignalboxError } from '@signalbox/contract/errors'
import type { ProviderId, SourceId } from '@signalbox/contract/ids'
import type { RowList, StatedRow } from '@signalbox/contract/row'
import { type Columns, decodeColumns, type Tables } from './builtin-columns.ts'
import {
  BUILTIN_FORMAT,
  type BuiltinHeader,
  COLUMN_ORDER,
  type ColumnsLine,
  contentHash,
  type ProviderLine,
} from './builtin-file.ts'
import type { BuiltinProvider } from './builtin-provider.ts'
import type { ApiKind } from './models-dev/api-kind.ts'
import type { Source } from './source.ts'

export interface BuiltinCatalog {
  /** Of the data: `2026-09-27`. */
  readonly date: string
  /** Of everything in the file. */
  readonly hash: string
  /** The date as epoch milliseconds. */
  readonly refreshedAt: number
  readonly providers: ReadonlyMap<ProviderId, BuiltinProvider>
  /** One per provider, in byte order of their ids. `rows` is decoded at the first look. */
  readonly lists: readonly RowList[]
}

const SOURCE_ID = 'builtin' as SourceId

/** Throws `internal` when the file is missing or not as it was shipped. */
export function loadBuiltin(file: string): BuiltinCatalog {
  const bytes = readBytes(file)
  const lines = lineRanges(bytes)
  const [, headerLine, providersLine, tablesLine, ...columnLines] = lines
  if (headerLine === undefined || providersLine === undefined || tablesLine === undefined)
    throw damaged('it is incomplete')
  const header = readHeader(bytes, headerLine)
  const { date, sha256 } = header
  if (contentHash(date, bytes.subarray(providersLine.start)) !== sha256)
    throw damaged('its content is not what its header says')
  // From here on the content is what the build wrote, so its shapes are taken as they are.
  const lineOf = <T>(range: Range) => parseLine(bytes, range) as T
  const statements = lineOf<readonly ProviderLine[]>(providersLine)
  checkCounts(header, statements, lines.length)
  const tables = once(() => lineOf<Tables>(tablesLine))
  const refreshedAt = Date.parse(date)
  const lists = statements.map(([id, count], at) => {
    const range = columnLines[at]
    if (range === undefined) throw damaged('it is incomplete')
    const rows = once(() => decodeColumns(namedColumns(lineOf<ColumnsLine>(range)), count, tables()))
    return rowList(id as ProviderId, refreshedAt, rows)
  })
  return { date, hash: sha256, refreshedAt, providers: new Map(statements.map(providerEntry)), lists }
}

/** The catalog as a source: it never fails, never ages and asks nobody. */
export function builtinSource(catalog: BuiltinCatalog): Source {
  return {
    id: SOURCE_ID,
    kind: 'builtin',
    scope: { kind: 'global' },
    ttlMs: null,
    timeoutMs: 10_000,
    enabled: true,
    identity: catalog.hash,
    network: false,
    mayBeEmpty: false,
    // The file is read once, at start; asked again, it still says the same.
    list: () => Promise.resolve({ kind: 'unchanged' }),
  }
}

function rowList(provider_id: ProviderId, refreshed_at: number, rows: () => readonly StatedRow[]): RowList {
  return {
    source_id: SOURCE_ID,
    provider_id,
    refreshed_at,
    fresh_until: null,
    failed: false,
    get rows() {
      return rows()
    },
  }
}

function providerEntry([id, , name, base_url, api, env, docs]: ProviderLine): readonly [ProviderId, BuiltinProvider] {
  return [id as ProviderId, { name, base_url, api: api as ApiKind | null, env, docs }]
}

function namedColumns(line: ColumnsLine): Columns {
  return Object.fromEntries(COLUMN_ORDER.map((name, at) => [name, line[at]])) as unknown as Columns
}

function readBytes(file: string): Buffer {
  try {
    return readFileSync(file)
  } catch (error) {
    // A system error: the file is missing, or is not one that can be read.
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    throw new SignalboxError('internal', `the built-in catalog cannot be read (${code}): ${file}`)
  }
}

function readHeader(bytes: Buffer, line: Range): BuiltinHeader {
  const header = parseLine(bytes, line) as Partial<BuiltinHeader> | null
  if (typeof header !== 'object' || header === null) throw damaged('it has no header')
  const { format, date, sha256, providers, models } = header
  if (format !== BUILTIN_FORMAT) throw damaged(`its format is not ${BUILTIN_FORMAT}`)
  if (typeof date !== 'string' || Number.isNaN(Date.parse(date))) throw damaged('its header has no date')
  if (typeof sha256 !== 'string' || typeof providers !== 'number' || typeof models !== 'number')
    throw damaged('its header is incomplete')
  return { format, date, sha256, providers, models }
}

/** Lines besides the columns: the two brackets, header, providers and tables. */
const OTHER_LINES = 5

function checkCounts({ providers, models }: BuiltinHeader, statements: readonly ProviderLine[], lines: number): void {
  const stated = statements.reduce((sum, [, count]) => sum + count, 0)
  if (statements.length === providers && stated === models && lines === providers + OTHER_LINES) return
  throw damaged('it does not hold as much as its header says')
}

interface Range {
  readonly start: number
  readonly end: number
}

const [LF, COMMA] = [0x0a, 0x2c]

/** Every line without its line feed and the comma before it. */
function lineRanges(bytes: Buffer): Range[] {
  const ranges: Range[] = []
  for (let start = 0; start < bytes.length; ) {
    const found = bytes.indexOf(LF, start)
    const end = found < 0 ? bytes.length : found
    ranges.push({ start, end: bytes[end - 1] === COMMA ? end - 1 : end })
    start = end + 1
  }
  return ranges
}

function parseLine(bytes: Buffer, { start, end }: Range): unknown {
  try {
    return JSON.parse(bytes.toString('utf8', start, end))
  } catch (error) {
    // SyntaxError: the line is not JSON. Its message quotes the line, which helps nobody.
    if (error instanceof SyntaxError) throw damaged('a line of it is not JSON')
    throw error
  }
}

function damaged(how: string): SignalboxError {
  return new SignalboxError('internal', `the built-in catalog is damaged: ${how}`, { hint: 'Install Signalbox again.' })
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
