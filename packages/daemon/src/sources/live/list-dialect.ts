/** Makes a dialect from what is its own: where the rows are, where their facts stand, and how pages follow. */
import type { ModelId } from '@signalbox/contract/ids'
import type { Facts, StatedRow } from '@signalbox/contract/row'
import { asObject, asText, type JsonObject } from '../models-dev/json-value.ts'
import { holdsReplacement, rowFault } from '../models-dev/weigh.ts'
import type { RejectedRow } from '../source.ts'
import { type Columns, factsFrom } from './columns.ts'
import { type Dialect, type LeftOut, type NextPage, type Page, type ParseOptions, SHOWN_ID_MAX } from './dialect.ts'
import { type Purpose, purposeOfId } from './purpose.ts'
import { first } from './stated.ts'

/** What a row says about use. `null` proves nothing either way. */
export type Standing = Pick<StatedRow, 'available' | 'denial'>

export const USABLE: Standing = { available: true, denial: null }
export const REFUSED: Standing = { available: false, denial: 'denied' }
export const UNPROVEN: Standing = { available: null, denial: null }

export interface RowSpec {
  /** Where the id stands; `id` unless told. */
  readonly id?: readonly string[]
  /** Cut from the beginning of ids, which are otherwise never changed. */
  readonly idPrefix?: string
  readonly columns: Columns
  /** What the row states to be for; null leaves it to the id. */
  readonly purpose?: (row: JsonObject) => Purpose | null
  readonly standing?: (row: JsonObject) => Standing
  /** Facts that no column holds as they are; `read` are those of the columns. */
  readonly facts?: (row: JsonObject, read: Facts) => Partial<Facts>
  /** Whether it is in memory now; null where it does not say. */
  readonly loaded?: (row: JsonObject) => boolean | null
}

export interface ListSpec extends RowSpec, Partial<Omit<Dialect, 'parse'>> {
  readonly name: string
  readonly listPath: string
  /** The rows of a document, or null when it is no list. */
  readonly items: (document: unknown) => readonly unknown[] | null
  readonly next?: (document: JsonObject) => NextPage
}

export function listDialect(spec: ListSpec): Dialect {
  const { name, listPath, otherPaths = [], alsoPaths = [], strip = [], extraHeaders = {}, enrich } = spec
  return {
    name,
    listPath,
    otherPaths,
    alsoPaths,
    strip,
    extraHeaders,
    credentialRejectedBy: spec.credentialRejectedBy ?? [],
    ...(enrich === undefined ? {} : { enrich }),
    parse: (document, options = {}) => {
      const items = spec.items(document)
      return items === null ? null : readPage(items, spec, asObject(document), options)
    },
  }
}

function readPage(items: readonly unknown[], spec: ListSpec, document: JsonObject | null, options: ParseOptions): Page {
  const rows: StatedRow[] = []
  const rejected: RejectedRow[] = []
  const leftOut: LeftOut[] = []
  const loaded: ModelId[] = []
  const seen = new Set<string>()
  let saysLoaded = false
  for (const item of items) {
    const row = asObject(item)
    const id = row === null ? null : idOf(row, spec)
    if (row === null || id === null) {
      rejected.push(reject(null, row === null ? 'not an object' : 'no id'))
      continue
    }
    const fault = rowFault(row) ?? faultOf(row, options) ?? (seen.has(id) ? 'the id is repeated' : null)
    if (fault !== null) {
      rejected.push(reject(id, fault))
      continue
    }
    seen.add(id)
    const purpose = spec.purpose?.(row) ?? purposeOfId(id) ?? 'chat'
    if (purpose !== 'chat') {
      leftOut.push({ model_id: id, purpose })
      continue
    }
    rows.push(statedRow(id, row, spec))
    const inMemory = spec.loaded?.(row) ?? null
    saysLoaded ||= inMemory !== null
    if (inMemory === true) loaded.push(id)
  }
  const next = document === null ? null : (spec.next?.(document) ?? null)
  return { rows, rejected, leftOut, loaded: saysLoaded ? loaded : null, next }
}

/** The one place where an id is cut; a blank one is none. */
function idOf(row: JsonObject, { id: paths = ['id'], idPrefix = '' }: RowSpec): ModelId | null {
  const text = first(row, paths, asText)
  const id = text?.startsWith(idPrefix) === true ? text.slice(idPrefix.length) : text
  return id === null || id.trim() === '' ? null : (id as ModelId)
}

function faultOf(row: JsonObject, { damaged = false }: ParseOptions): string | null {
  return damaged && holdsReplacement(row) ? 'not valid UTF-8' : null
}

function reject(id: string | null, reason: string): RejectedRow {
  return { provider_id: null, model_id: id === null ? null : id.slice(0, SHOWN_ID_MAX), reason }
}

function statedRow(model_id: ModelId, row: JsonObject, spec: RowSpec): StatedRow {
  const { available, denial } = spec.standing?.(row) ?? USABLE
  const read = factsFrom(row, spec.columns)
  const facts = { ...read, ...spec.facts?.(row, read) }
  return { model_id, facts, available, denial, refreshed_at: null, expires_at: null, declared_stale: false }
}
