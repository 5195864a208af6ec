/**
 * The file of the built-in catalog. One JSON array, one element per line, so that a reader can take a line by itself:
 * header, providers, tables, and then the columns of each provider, in the order of the second line.
 */
import { createHash } from 'node:crypto'
import type { ProviderId } from '@signalbox/contract/ids'
import { compareBytes } from '@signalbox/core/bytes'
import { buildTables, type Column, type Columns, columnEncoder } from './builtin-columns.ts'
import type { BuiltinProvider } from './builtin-provider.ts'
import type { ProviderRows } from './source.ts'

export const BUILTIN_FORMAT = 1

export interface BuiltinHeader {
  readonly format: number
  /** Of the data: `2026-09-27`. */
  readonly date: string
  /** Of format, date and everything after this line. */
  readonly sha256: string
  readonly providers: number
  readonly models: number
}

/** One provider in the second line: count of its models, and what is said about it. */
export type ProviderLine = readonly [
  id: string,
  models: number,
  name: string | null,
  base_url: string | null,
  api: string | null,
  env: readonly string[],
  docs: string | null,
]

/** The columns of one provider as its line holds them. */
export type ColumnsLine = readonly Column[]

export const COLUMN_ORDER = [
  'id',
  'name',
  'family',
  'date',
  'modalities',
  'efforts',
  'tiers',
  'flags',
  'context',
  'input',
  'output',
  'cost_input',
  'cost_output',
  'cost_cache_read',
  'cost_cache_write',
] as const satisfies readonly (keyof Columns)[]

export function contentHash(date: string, content: string | Buffer): string {
  return createHash('sha256').update(`${BUILTIN_FORMAT}\n${date}\n`).update(content).digest('hex')
}

export interface BuiltinContent {
  readonly date: string
  readonly lists: readonly ProviderRows[]
  readonly providers: ReadonlyMap<ProviderId, BuiltinProvider>
}

/** The bytes depend on the content alone: providers and rows are put in byte order first. */
export function encodeBuiltin({ date, lists, providers }: BuiltinContent): string {
  const ordered = [...lists].sort((a, b) => compareBytes(a.provider_id, b.provider_id)).map(sortRows)
  const tables = buildTables(ordered.flatMap((list) => list.rows))
  const encode = columnEncoder(tables)
  const columns = ordered.map(({ rows }) => {
    const named = encode(rows)
    return JSON.stringify(COLUMN_ORDER.map((name) => named[name]))
  })
  const statements = ordered.map(({ provider_id, rows }) =>
    providerLine(provider_id, rows.length, providers.get(provider_id)),
  )
  const content = `${[JSON.stringify(statements), JSON.stringify(tables), ...columns].join(',\n')}\n]\n`
  const header: BuiltinHeader = {
    format: BUILTIN_FORMAT,
    date,
    sha256: contentHash(date, content),
    providers: ordered.length,
    models: ordered.reduce((sum, { rows }) => sum + rows.length, 0),
  }
  return `[\n${JSON.stringify(header)},\n${content}`
}

function sortRows({ provider_id, rows }: ProviderRows): ProviderRows {
  return { provider_id, rows: [...rows].sort((a, b) => compareBytes(a.model_id, b.model_id)) }
}

function providerLine(id: ProviderId, models: number, provider: BuiltinProvider | undefined): ProviderLine {
  const { name = null, base_url = null, api = null, env = [], docs = null } = provider ?? {}
  return [id, models, name, base_url, api, env, docs]
}
