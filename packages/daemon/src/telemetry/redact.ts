/**
 * Redaction of rendered text: after JSON, URLs and stack traces have become characters, because a secret hides in all of
 * them. Values that we know are found in every spelling; values that we do not know by their form or their name.
 */
import { redactPairs } from './secret-pairs.ts'
import { REDACTED, redactShapes } from './secret-shapes.ts'
import { spellings } from './secret-spellings.ts'

export { REDACTED }

/** Below this a "secret" is a word such as `ollama` or `none`, and hiding it would hide ids. */
export const SECRET_MIN_LENGTH = 8

export interface Secrets {
  /** From now on this value is hidden everywhere. False when it is too short to be told from ordinary text. */
  add(value: string): boolean
  redact(text: string): string
}

export function createSecrets(): Secrets {
  const known = new Map<string, RegExp>()
  return {
    add(value) {
      // Files and environments bring line ends along that are not sent.
      const secret = value.trim()
      if (secret.length < SECRET_MIN_LENGTH) return false
      if (!known.has(secret)) known.set(secret, new RegExp(spellings(secret), 'g'))
      return true
    },
    redact(text) {
      let rest = text
      for (const pattern of known.values()) rest = rest.replace(pattern, REDACTED)
      return redactPairs(redactShapes(rest))
    },
  }
}
