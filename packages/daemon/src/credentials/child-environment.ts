/** The environment of a program that we run: ours without the names that look like a secret. */
import type { Environment } from './value.ts'

/** Anywhere in a name. */
const TELLING = /token|secret|passw|passphrase|credential|cookie|bearer|api_?key|private_?key/i
/** Only as a word of a name, between underscores: `KEY` is in `MONKEY` too. */
const TELLING_WORDS: ReadonlySet<string> = new Set(['KEY', 'KEYS', 'PASS', 'PAT', 'AUTH', 'DSN', 'PIN'])
/** Say where something is, not what: the agents and stores that a command asks for the secret. */
const HARMLESS: ReadonlySet<string> = new Set(['SSH_AUTH_SOCK', 'PASSWORD_STORE_DIR'])

export function looksSecret(name: string): boolean {
  if (HARMLESS.has(name)) return false
  return (
    TELLING.test(name) ||
    name
      .toUpperCase()
      .split(/[^A-Z0-9]+/)
      .some((word) => TELLING_WORDS.has(word))
  )
}

/** `keep` are the names that this program may have all the same, such as its own provider's credential. */
export function childEnvironment(environment: Environment, keep: readonly string[] = []): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).filter(
      (entry): entry is [string, string] =>
        entry[1] !== undefined && (keep.includes(entry[0]) || !looksSecret(entry[0])),
    ),
  )
}
