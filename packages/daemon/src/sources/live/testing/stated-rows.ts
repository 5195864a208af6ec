import type { StatedRow } from '@signalbox/contract/row'
import type { Dialect, Page } from '../dialect.ts'

/** The page of a document that must be a list. */
export function pageOf(dialect: Dialect, document: unknown): Page {
  const page = dialect.parse(document)
  if (page === null) throw new Error(`${dialect.name} does not take this for a list`)
  return page
}

/** Rows by id with only what they state, so that an invented value shows. `available: true` is the rule and left out. */
export function stated(rows: readonly StatedRow[]): Readonly<Record<string, Readonly<Record<string, unknown>>>> {
  return Object.fromEntries(
    rows.map(({ model_id, facts, available, denial }) => {
      const known = Object.entries(facts).filter(([, value]) => value !== null)
      const standing = available === true ? {} : { available, denial }
      return [model_id, { ...Object.fromEntries(known), ...standing }]
    }),
  )
}

export const statedBy = (dialect: Dialect, document: unknown) => stated(pageOf(dialect, document).rows)
