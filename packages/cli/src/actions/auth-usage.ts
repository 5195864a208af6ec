/** Somebody may have put the key on the line of `auth add`: no mistake of that line is quoted back. */
import { SignalboxError } from '@signalbox/contract/errors'

const ONLY_FROM_INPUT =
  'signalbox auth add <provider> [--name <name>], with the key on standard input or typed when asked'

export const notAsArgument = (): SignalboxError =>
  new SignalboxError('usage', 'the command line is not understood; it is not repeated here, as it may hold a key', {
    expected: ONLY_FROM_INPUT,
    hint: 'a key that was on a command line is in the history of your shell: remove it there',
  })

/** The same error, or one that quotes nothing where a key may stand. */
export function withoutQuotes(error: unknown, argv: readonly string[]): unknown {
  const isUsage = error instanceof SignalboxError && error.code === 'usage'
  const auth = argv.indexOf('auth')
  if (!isUsage || auth < 0 || !argv.slice(auth).includes('add') || error instanceof KeyInputError) return error
  return notAsArgument()
}

/** What is wrong with the key that was typed or piped: says nothing of it, so it is shown as it is. */
export class KeyInputError extends SignalboxError {
  constructor(message: string) {
    super('usage', message, { expected: 'one line with the key', hint: 'signalbox auth add --help' })
  }
}
