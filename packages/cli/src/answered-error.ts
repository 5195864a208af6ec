import type { ErrorBody } from '@signalbox/contract/errors'

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

const textOrNone = (value: unknown) => (typeof value === 'string' ? value : undefined)

/** Anything may answer on a socket: what is not a native error body is said to be none. */
function readBody(status: number, text: string): ErrorBody {
  const fallback: ErrorBody = {
    error: { code: 'internal', message: `the daemon answered with status ${status}`, hint: 'signalbox logs' },
  }
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return fallback // an empty or plain-text body
    throw error
  }
  const body = isRecord(parsed) ? parsed.error : undefined
  if (!isRecord(body) || typeof body.code !== 'string' || typeof body.message !== 'string') return fallback
  const candidates = Array.isArray(body.candidates)
    ? body.candidates.filter((one) => typeof one === 'string')
    : undefined
  return {
    error: {
      code: body.code,
      message: body.message,
      field: textOrNone(body.field),
      expected: textOrNone(body.expected),
      candidates,
      hint: textOrNone(body.hint),
    },
  }
}

/** An error that the daemon answered. Its code may be one that this CLI has not heard of. */
export class AnsweredError extends Error {
  readonly body: ErrorBody
  /** What to print for a program: the daemon's bytes when they were an error body. */
  readonly json: string

  private constructor(body: ErrorBody, json: string) {
    super(body.error.message)
    this.name = 'AnsweredError'
    this.body = body
    this.json = json
  }

  static parse(status: number, text: string): AnsweredError {
    const body = readBody(status, text)
    return new AnsweredError(body, text.trimStart().startsWith('{') ? text : JSON.stringify(body))
  }
}
