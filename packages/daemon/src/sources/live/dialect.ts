/**
 * What a provider's list of models looks like on the wire. A dialect only translates: it never waits, never throws,
 * whatever JSON it is given, and never guesses a value. Calls, pages and caps are `list-pages.ts`.
 */
import type { ModelId } from '@signalbox/contract/ids'
import type { StatedRow } from '@signalbox/contract/row'
import type { RejectedRow } from '../source.ts'
import type { Purpose } from './purpose.ts'

export interface Dialect {
  readonly name: string
  /** Below the base URL; may hold a query. */
  readonly listPath: string
  /** Asked in turn where the path before is unknown to the server or answers something else: older versions of it. */
  readonly otherPaths: readonly string[]
  /** Further lists that belong to the whole, where the credential may read them. */
  readonly alsoPaths: readonly string[]
  /** Ends of a base URL that are not above the list, such as the `/v1` of a server whose list is below `/api`. */
  readonly strip: readonly string[]
  readonly extraHeaders: Readonly<Record<string, string>>
  /** Statuses beside 401 and 403 with which this provider refuses a credential. */
  readonly credentialRejectedBy: readonly number[]
  /** Null when the document is no list of models at all, such as an error with status 200. */
  parse(document: unknown, options?: ParseOptions): Page | null
  /** What the list does not say and other calls do. A call of it that fails leaves its facts unknown. */
  readonly enrich?: (page: Page, ask: Ask) => Promise<Page>
}

export interface ParseOptions {
  /** The text was not valid UTF-8: rows with U+FFFD are the ones that were hit, and are dropped (CAT-155). */
  readonly damaged?: boolean
}

export interface Page {
  readonly rows: readonly StatedRow[]
  readonly rejected: readonly RejectedRow[]
  /** Well-formed, but not for chat. */
  readonly leftOut: readonly LeftOut[]
  /** Models in memory now; null where the server does not say. */
  readonly loaded: readonly ModelId[] | null
  readonly next: NextPage
}

/** `lost`: the server says that there is more, but not where. */
export type NextPage = null | 'lost' | { readonly cursor: string; readonly query: Readonly<Record<string, string>> }

export interface LeftOut {
  readonly model_id: ModelId
  readonly purpose: Exclude<Purpose, 'chat'>
}

/** One more call to the same server: a path below its root, POST where there is a body. Rejects with `source_failed`. */
export type Ask = (path: string, body?: Readonly<Record<string, unknown>>) => Promise<unknown>

/** A rejected id is named in the log, where one of 1 MiB would not help. */
export const SHOWN_ID_MAX = 200
