/** What a request says, checked against the contract: every problem names the field and what was expected. */

import type { z } from '@hono/zod-openapi'
import { SignalboxError } from '@signalbox/contract/errors'
import { nearest } from '@signalbox/core/nearest'

type ObjectSchema = z.ZodObject

/** Where the values came from, for the message. */
type Place = 'query parameter' | 'body field' | 'path segment'

/** Check `values` against `schema`. An unknown name is an error unless the schema is a loose one. */
export function checkInput<S extends ObjectSchema>(
  schema: S,
  values: Readonly<Record<string, unknown>>,
  place: Place,
): z.output<S> {
  // Checked by own keys, because `__proto__` is a name like any other to a client.
  const unknown = Object.keys(values).find((name) => !Object.hasOwn(schema.shape, name))
  if (isStrict(schema) && unknown !== undefined) throw unknownName(unknown, Object.keys(schema.shape), place)
  const result = schema.safeParse(values)
  if (result.success) return result.data
  const issue = result.error.issues[0]
  const field = issue?.path.map(String).join('.') ?? ''
  const missing = issue?.code === 'invalid_type' && !Object.hasOwn(values, field)
  const expected = expectation(issue)
  throw new SignalboxError(
    'invalid_request',
    missing ? `the ${place} "${field}" is missing` : `the ${place} "${field}" must be ${expected}`,
    {
      field,
      expected,
    },
  )
}

function unknownName(name: string, known: readonly string[], place: Place): SignalboxError {
  const candidates = nearest(name, known, 3)
  const expected = known.length === 0 ? `no ${place}` : known.join(', ')
  return new SignalboxError('invalid_request', `unknown ${place} "${name}"`, {
    field: name,
    expected,
    candidates: candidates.length === 0 ? undefined : candidates,
  })
}

function expectation(issue: z.core.$ZodIssue | undefined): string {
  // A parameter that must be absent says in its message what to do instead.
  if (issue?.code === 'invalid_type' && issue.expected !== 'never') return `a ${issue.expected}`
  return issue?.message ?? 'valid'
}

const isStrict = (schema: ObjectSchema) => schema.def.catchall?._zod.def.type === 'never'

/**
 * The query of a request target. A repeated parameter is an error: which one counts would be a guess. A loose schema
 * ignores names that are not its own.
 */
export function queryOf(target: string, schema: ObjectSchema): Record<string, string> {
  const mark = target.indexOf('?')
  if (mark < 0) return {}
  const values = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(target.slice(mark + 1))) {
    if (!isStrict(schema) && !Object.hasOwn(schema.shape, name)) continue
    if (values.has(name)) {
      throw new SignalboxError('invalid_request', `the query parameter "${name}" is given twice`, {
        field: name,
        expected: 'once',
      })
    }
    values.set(name, value)
  }
  // Defines each name, `__proto__` too, where an assignment would not.
  return Object.fromEntries(values)
}

/** A JSON object from a body; an absent or empty body is the empty object. */
export function jsonObject(body: Buffer): Record<string, unknown> {
  const text = body.toString('utf8')
  if (text.trim() === '') return {}
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    // JSON.parse only throws SyntaxError, whose message quotes the body.
    throw new SignalboxError('invalid_request', 'the body is not valid JSON', {
      field: 'body',
      expected: 'a JSON object',
    })
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new SignalboxError('invalid_request', 'the body must be a JSON object', {
      field: 'body',
      expected: 'a JSON object',
    })
  }
  return value as Record<string, unknown>
}
