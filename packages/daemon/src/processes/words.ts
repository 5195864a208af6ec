/**
 * A command line as words, with a shell's quotes and escapes and nothing else of a shell. What a shell would expand or
 * act on is refused rather than passed on as text: it would do something else than its writer meant.
 */
import { CommandError } from './command-error.ts'

const BLANK = /[ \t]/
const ACTIVE = /[|;&<>()`$*?[\]{}\r\n]/
/** Mean something only where a word begins. */
const ACTIVE_AT_START = /[~#]/
const ACTIVE_IN_QUOTES = /[`$]/
/** What a backslash takes the meaning from inside double quotes; before anything else it is itself. */
const ESCAPABLE_IN_QUOTES = /["\\$`]/

type State = 'plain' | 'single' | 'double'

export function splitWords(line: string): readonly string[] {
  const words: string[] = []
  let word: string | null = null
  let state: State = 'plain'
  for (let at = 0; at < line.length; at++) {
    const character = line.charAt(at)
    if (character === '\0') throw new CommandError('shell_syntax')
    if (state === 'single') {
      if (character === "'") state = 'plain'
      else word += character
    } else if (character === '\\') {
      const next = line.charAt(++at)
      if (next === '') throw new CommandError('unclosed_quote')
      word = (word ?? '') + (state === 'double' && !ESCAPABLE_IN_QUOTES.test(next) ? `\\${next}` : next)
    } else if (state === 'double') {
      if (character === '"') state = 'plain'
      else if (ACTIVE_IN_QUOTES.test(character)) throw new CommandError('shell_syntax')
      else word += character
    } else if (BLANK.test(character)) {
      if (word !== null) words.push(word)
      word = null
    } else if (character === "'" || character === '"') {
      state = character === "'" ? 'single' : 'double'
      word ??= ''
    } else if (ACTIVE.test(character) || (word === null && ACTIVE_AT_START.test(character))) {
      throw new CommandError('shell_syntax')
    } else {
      word = (word ?? '') + character
    }
  }
  if (state !== 'plain') throw new CommandError('unclosed_quote')
  if (word !== null) words.push(word)
  return words
}
