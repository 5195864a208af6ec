/** How an error ends a command: what is said on stderr, and the exit code. */
import { ERRORS, type ErrorBody, SignalboxError } from '@signalbox/contract/errors'
import { AnsweredError } from './answered-error.ts'
import { printable, printableJson } from './sanitize.ts'

export interface ErrorReport {
  readonly text: string
  readonly exit: number
}

const FAULT_EXIT = 1

const exitOf = (code: string): number => Object.entries(ERRORS).find(([name]) => name === code)?.[1].exit ?? FAULT_EXIT

/** `error:`, then what would have been right and what to do, a line each. */
export function describeError({ error }: ErrorBody): string {
  const { message, field, expected, candidates, hint } = error
  const where = field !== undefined && !message.includes(field) ? `${field}: ` : ''
  const lines = [`error: ${where}${message}`]
  if (expected !== undefined && !message.includes(expected)) lines.push(`expected: ${expected}`)
  if (candidates !== undefined && candidates.length > 0) lines.push(`did you mean: ${candidates.join(', ')}`)
  if (hint !== undefined) lines.push(`hint: ${hint}`)
  return lines.map((line) => `${printable(line)}\n`).join('')
}

export function reportError(error: unknown, asJson: boolean): ErrorReport {
  if (error instanceof AnsweredError) {
    const json = printableJson(error.json)
    return {
      text: asJson ? (json.endsWith('\n') ? json : `${json}\n`) : describeError(error.body),
      exit: exitOf(error.body.error.code),
    }
  }
  const known = error instanceof SignalboxError ? error : fault(error)
  const body = known.toJSON()
  return { text: asJson ? `${printableJson(JSON.stringify(body))}\n` : describeError(body), exit: exitOf(known.code) }
}

/** Nothing should get here; when it does, the person needs the words to report it. */
function fault(error: unknown): SignalboxError {
  const said = error instanceof Error ? error.message : String(error)
  return new SignalboxError('internal', said === '' ? 'an unnamed fault' : said, {}, { cause: error })
}
