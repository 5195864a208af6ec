import type { SignalboxError } from '@signalbox/contract/errors'
import { notAList } from './failures.ts'

/** Someone else's JSON. The parser's own message quotes the text, so it is not passed on (CAT-077). */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    // SyntaxError is bad text; a RangeError would be a fault of ours.
    throw error instanceof SyntaxError ? notJson() : error
  }
}

export function notJson(): SignalboxError {
  return notAList('the answer is cut short or not valid JSON')
}
