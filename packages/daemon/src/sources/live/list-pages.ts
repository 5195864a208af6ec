/**
 * All pages of a provider's list, or a failure: never a part of it (CAT-154). A server that repeats a cursor, has no
 * last page, or says that there is more but not where, has not given its list.
 */
import type { ProviderId } from '@signalbox/contract/ids'
import type { StatedRow } from '@signalbox/contract/row'
import { CallError, failed, notAList } from '../../http/failures.ts'
import type { RejectedRow } from '../source.ts'
import { joinBaseUrl, withQuery } from './base-url.ts'
import { type Ask, type Dialect, type LeftOut, type Page, SHOWN_ID_MAX } from './dialect.ts'

export interface Fetched {
  readonly document: unknown
  /** The text was not valid UTF-8, and was read with replacements. */
  readonly damaged: boolean
}

/** Rejects with `CallError` where the failure is known, and always with `source_failed` where it is the server's. */
export type Get = (url: string, headers: Readonly<Record<string, string>>) => Promise<Fetched>

export interface ListRequest {
  readonly provider_id: ProviderId
  readonly dialect: Dialect
  readonly base_url: string
  readonly get: Get
  /** For dialects that need more than the list; without it they give what the list says. */
  readonly ask?: Ask
}

export interface ProviderList {
  readonly rows: readonly StatedRow[]
  readonly rejected: readonly RejectedRow[]
  readonly leftOut: readonly LeftOut[]
  readonly loaded: Page['loaded']
}

export const PAGES_MAX = 100
/** Ten times the longest real list. */
export const ROWS_MAX = 20_000

export async function listModels(request: ListRequest): Promise<ProviderList> {
  const { provider_id, dialect, ask } = request
  const main = await firstThatAnswers(request)
  const further = await Promise.all(dialect.alsoPaths.map((path) => readable(listAt(request, path))))
  const whole = joined([main, ...further.filter((list) => list !== null)])
  const { rows, rejected, leftOut, loaded } =
    ask === undefined || dialect.enrich === undefined ? whole : await dialect.enrich(whole, ask)
  return { rows, leftOut, loaded, rejected: rejected.map((entry) => ({ ...entry, provider_id })) }
}

/** The list at the newest path that the server knows. */
async function firstThatAnswers(request: ListRequest): Promise<Page> {
  const { listPath, otherPaths } = request.dialect
  const paths = [listPath, ...otherPaths]
  const asked = new Set<string>()
  let refusal: CallError | null = null
  for (const path of paths) {
    const url = joinBaseUrl(request.base_url, path, request.dialect.strip)
    if (asked.has(url)) continue
    asked.add(url)
    try {
      return await listPages(request, url)
    } catch (error) {
      // Expected: a path of another version of the server. The first refusal is the one to tell.
      if (!(error instanceof CallError) || !isUnknownPath(error)) throw error
      refusal ??= error
    }
  }
  throw refusal ?? failed('there is no address to ask for a list')
}

const listAt = (request: ListRequest, path: string) =>
  listPages(request, joinBaseUrl(request.base_url, path, request.dialect.strip))

/** Null where the credential may not read this list, or the server does not have it. */
async function readable(list: Promise<Page>): Promise<Page | null> {
  try {
    return await list
  } catch (error) {
    // Expected: a role without this permission. Any other failure would publish the list cut off.
    if (error instanceof CallError && (isUnknownPath(error) || isStatus(error, FORBIDDEN))) return null
    throw error
  }
}

const FORBIDDEN: readonly number[] = [403]
const UNKNOWN_PATH: readonly number[] = [404, 405, 410, 501]

function isUnknownPath(error: CallError): boolean {
  return error.failure.kind === 'not_a_list' || isStatus(error, UNKNOWN_PATH)
}

function isStatus({ failure }: CallError, statuses: readonly number[]): boolean {
  return failure.kind === 'status' && statuses.includes(failure.status)
}

async function listPages({ dialect, get }: ListRequest, firstUrl: string): Promise<Page> {
  const pages: Page[] = []
  const cursors = new Set<string>()
  let url = firstUrl
  let count = 0
  for (;;) {
    const { document, damaged } = await get(url, dialect.extraHeaders)
    const page = dialect.parse(document, { damaged })
    if (page === null) throw notAList('the answer is not a list of models')
    pages.push(page)
    count += page.rows.length + page.rejected.length + page.leftOut.length
    if (count > ROWS_MAX) throw failed(`the list holds more than ${ROWS_MAX} models`)
    const { next } = page
    if (next === null) return joined(pages)
    if (next === 'lost') throw failed('the list is cut off: it says that there is more, but not where')
    if (cursors.has(next.cursor)) throw failed('the list repeats a page, and so has no end')
    if (pages.length === PAGES_MAX) throw failed(`the list has more than ${PAGES_MAX} pages`)
    cursors.add(next.cursor)
    url = withQuery(url, next.query)
  }
}

/** As one page. An id that an earlier one had is rejected, as it is within a page. */
function joined(pages: readonly Page[]): Page {
  const seen = new Set<string>()
  const repeated: RejectedRow[] = []
  const rows = pages
    .flatMap((page) => page.rows)
    .filter(({ model_id }) => {
      const isNew = seen.size < seen.add(model_id).size
      if (!isNew)
        repeated.push({ provider_id: null, model_id: model_id.slice(0, SHOWN_ID_MAX), reason: 'the id is repeated' })
      return isNew
    })
  const loaded = pages.flatMap((page) => page.loaded ?? [])
  return {
    rows,
    rejected: [...pages.flatMap((page) => page.rejected), ...repeated],
    leftOut: pages.flatMap((page) => page.leftOut),
    loaded: pages.some((page) => page.loaded !== null) ? loaded : null,
    next: null,
  }
}
