/** Where the rows are in a document. Each gives null for a document of another form, so that it is never taken for empty. */
import { asObject, type JsonObject } from '../models-dev/json-value.ts'

export type Items = (document: unknown) => readonly unknown[] | null

/** `{ "<key>": [...] }`. Servers written in Go say `null` for an empty list. */
export function under(...keys: readonly string[]): Items {
  return (document) => {
    const object = asObject(document)
    for (const key of keys) {
      if (object === null || !Object.hasOwn(object, key)) continue
      const value = object[key]
      if (Array.isArray(value)) return value as readonly unknown[]
      if (value === null && !('error' in object)) return []
    }
    return null
  }
}

export const topArray: Items = (document) => (Array.isArray(document) ? document : null)

/** `{ "<id>": { ... } }`, where every value has a field that only a model's row has: an error's object has none. */
export function byId(fields: readonly string[]): Items {
  return (document) => {
    const object = asObject(document)
    const entries = Object.entries(object ?? {})
    const isRow = (row: JsonObject | null) => row !== null && fields.some((field) => Object.hasOwn(row, field))
    if (entries.length === 0 || 'error' in (object ?? {}) || !entries.every(([, value]) => isRow(asObject(value))))
      return null
    return entries.map(([id, value]) => ({ id, ...asObject(value) }))
  }
}

/** The first form that fits. */
export function anyOf(...forms: readonly Items[]): Items {
  return (document) => {
    for (const form of forms) {
      const items = form(document)
      if (items !== null) return items
    }
    return null
  }
}
