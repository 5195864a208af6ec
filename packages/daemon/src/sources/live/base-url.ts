/** Where a list is, given the base URL that a person configured, which may or may not hold the API's version already. */

/** A segment that names an API or its version, and so is never meant twice. */
const API_SEGMENT = /^(?:api|v\d+(?:(?:alpha|beta)\d*)?)$/
const VERSION_SEGMENT = /^v\d+(?:(?:alpha|beta)\d*)?$/

/**
 * `path` below `base`. The base's path and query are kept; API segments that end the base and begin the path stand once
 * (`…/api/v1` and `/v1/models`), and where both name a version the base's holds (`…/paas/v4` and `/v1/models`).
 */
export function joinBaseUrl(base: string, path: string, strip: readonly string[] = []): string {
  const url = new URL(base)
  const [listPath = '', listQuery = ''] = path.split('?', 2)
  const above = segments(withoutEnding(trimmed(url.pathname), strip))
  const below = segments(listPath)
  url.pathname = `/${[...above, ...below.slice(overlap(above, below))].join('/')}`
  for (const [name, value] of new URLSearchParams(listQuery)) url.searchParams.set(name, value)
  url.hash = ''
  return url.href
}

/** The same address with these parameters set. */
export function withQuery(address: string, query: Readonly<Record<string, string>>): string {
  const url = new URL(address)
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return url.href
}

const segments = (path: string) => path.split('/').filter((segment) => segment !== '')
const trimmed = (path: string) => path.replace(/\/+$/, '')

function withoutEnding(path: string, endings: readonly string[]): string {
  const ending = endings.find((candidate) => path.endsWith(candidate))
  return ending === undefined ? path : path.slice(0, -ending.length)
}

/** How many segments of `below` the end of `above` already has. */
function overlap(above: readonly string[], below: readonly string[]): number {
  for (let count = Math.min(above.length, below.length); count > 0; count--) {
    const shared = below.slice(0, count)
    const ending = above.slice(-count)
    if (shared.every((segment, index) => API_SEGMENT.test(segment) && segment === ending[index])) return count
  }
  const [last = '', next = ''] = [above.at(-1), below[0]]
  return VERSION_SEGMENT.test(last) && VERSION_SEGMENT.test(next) ? 1 : 0
}
