/** argv to an invocation. Every mistake is a `usage` error that names what was probably meant; nothing is guessed. */
import { SignalboxError } from '@signalbox/contract/errors'
import { type Argument, type Command, type Flag, type Invocation, takesValue } from './command.ts'
import { COMMANDS, GLOBAL_FLAGS, GROUPS } from './commands.ts'
import { nearest } from './nearest.ts'
import { valueRule } from './values.ts'

const nameOf = (command: { readonly path: readonly string[] }) => command.path.join(' ')
const startsWith = (path: readonly string[], words: readonly string[]) => words.every((word, i) => path[i] === word)

export const findCommand = (words: readonly string[]): Command | undefined =>
  COMMANDS.find(({ path }) => path.length === words.length && startsWith(path, words))

export const isGroup = (words: readonly string[]): boolean =>
  words.length === 0 || GROUPS.some(({ path }) => path.length === words.length && startsWith(path, words))

/** The words that may follow these. */
export const nextWords = (words: readonly string[]): readonly string[] => [
  ...new Set(
    COMMANDS.filter((command) => command.hidden === undefined && startsWith(command.path, words)).flatMap(
      ({ path }) => path[words.length] ?? [],
    ),
  ),
]

export const flagsOf = (command: Command | undefined): readonly Flag[] => [...(command?.flags ?? []), ...GLOBAL_FLAGS]

const helpHint = (words: readonly string[]) => `signalbox ${[...words, '--help'].join(' ')}`

export function unknownCommand(words: readonly string[], word: string): SignalboxError {
  const listed = COMMANDS.filter((command) => command.hidden === undefined)
  const here = nearest(word, nextWords(words)).map((name) => [...words, name].join(' '))
  const elsewhere = listed.filter(({ path }) => path.at(-1) === word).map(nameOf)
  const candidates = [...new Set([...here, ...elsewhere])]
  return new SignalboxError('usage', `there is no command "${[...words, word].join(' ')}"`, {
    ...(candidates.length > 0 && { candidates }),
    hint: helpHint(words),
  })
}

function unknownFlag(text: string, command: Command | undefined, words: readonly string[]): SignalboxError {
  const visible = flagsOf(command).filter((flag) => flag.hidden === undefined)
  const candidates = nearest(
    text.replace(/^-+/, ''),
    visible.map(({ name }) => name),
  ).map((name) => `--${name}`)
  return new SignalboxError('usage', `there is no flag "${text}"${command ? ` for "${nameOf(command)}"` : ''}`, {
    ...(candidates.length > 0 && { candidates }),
    hint: helpHint(words),
  })
}

function check(what: string, text: string, rule: Pick<Flag, 'value' | 'choices'>, words: readonly string[]): string {
  if (rule.choices !== undefined) {
    if (rule.choices.includes(text)) return text
    const expected = rule.choices.join(', ')
    const candidates = nearest(text, rule.choices)
    throw new SignalboxError('usage', `${what} cannot be "${text}"`, {
      expected: `one of ${expected}`,
      ...(candidates.length > 0 && { candidates }),
      hint: helpHint(words),
    })
  }
  const value = valueRule(rule.value ?? 'text')
  if (value.accepts(text)) return text
  const lower = text.trim().toLowerCase()
  const candidates = value.accepts(lower) ? [lower] : nearest(text, value.known ?? [])
  const said = text.trim() === '' ? `${what} is blank` : `${what} cannot be "${text}"`
  throw new SignalboxError('usage', said, {
    expected: value.expected,
    ...(candidates.length > 0 && { candidates }),
    hint: helpHint(words),
  })
}

interface Split {
  readonly words: readonly string[]
  readonly given: readonly (readonly [flag: Flag, value: string | undefined])[]
}

/** Whether the flag takes a value can depend on the command, so the command's words are found first. */
function commandWords(argv: readonly string[]): readonly string[] {
  const words: string[] = []
  for (let i = 0; i < argv.length; i++) {
    const text = argv[i] ?? ''
    if (text === '--') break
    if (text.startsWith('-') && text !== '-') {
      const flag = GLOBAL_FLAGS.find(({ name }) => text === `--${name}`)
      if (flag !== undefined && takesValue(flag)) i++
      continue
    }
    const longer = [...words, text]
    if (findCommand(longer) === undefined && !isGroup(longer)) break
    words.push(text)
    if (findCommand(words) !== undefined) break
  }
  return words
}

function split(argv: readonly string[], command: Command | undefined, path: readonly string[]): Split {
  const words: string[] = []
  const given: Split['given'][number][] = []
  const known = flagsOf(command)
  for (let i = 0; i < argv.length; i++) {
    const text = argv[i] ?? ''
    if (text === '--') {
      words.push(...argv.slice(i + 1))
      break
    }
    if (!text.startsWith('-') || text === '-') {
      words.push(text)
      continue
    }
    const long = /^--([^=]+)(?:=(.*))?$/s.exec(text)
    const flag = long
      ? known.find(({ name }) => name === long[1])
      : known.find(({ short }) => short !== undefined && short === text[1])
    if (flag === undefined) throw unknownFlag(text.split('=')[0] ?? text, command, path)
    let value = long ? long[2] : text.length > 2 ? text.slice(2) : undefined
    if (!takesValue(flag)) {
      if (value !== undefined)
        throw new SignalboxError('usage', `--${flag.name} takes no value`, { hint: helpHint(path) })
    } else if (value === undefined) {
      i++
      value = argv[i]
      if (value === undefined) {
        const expected = flag.choices ? `one of ${flag.choices.join(', ')}` : valueRule(flag.value ?? 'text').expected
        throw new SignalboxError('usage', `--${flag.name} needs a value`, { expected, hint: helpHint(path) })
      }
    }
    given.push([flag, value])
  }
  return { words, given }
}

function checkArguments(command: Command, args: readonly string[], path: readonly string[]): void {
  const last: Argument | undefined = command.arguments.at(-1)
  const missing = command.arguments.find((argument, i) => argument.required && args[i] === undefined)
  if (missing !== undefined) {
    const expected = missing.choices ? `one of ${missing.choices.join(', ')}` : valueRule(missing.value).expected
    throw new SignalboxError('usage', `"${nameOf(command)}" needs <${missing.name}>`, {
      expected,
      hint: helpHint(path),
    })
  }
  if (args.length > command.arguments.length && last?.many === undefined) {
    const extra = args[command.arguments.length] ?? ''
    throw new SignalboxError('usage', `"${extra}" is one argument too many for "${nameOf(command)}"`, {
      hint: helpHint(path),
    })
  }
  for (const [i, text] of args.entries()) {
    const argument = command.arguments[i] ?? last
    if (argument !== undefined) check(`<${argument.name}>`, text, argument, path)
  }
}

const builtin = (word: 'help' | 'version', args: readonly string[], flags: ReadonlyMap<string, string>): Invocation => {
  const command = findCommand([word])
  if (command === undefined) throw new SignalboxError('internal', `the command table has no "${word}"`)
  return { command, args, flags }
}

export function parse(argv: readonly string[]): Invocation {
  // Completion hands over somebody's half-typed line: none of it is ours to judge.
  const completing = argv[0] === '__complete' ? findCommand(['__complete']) : undefined
  if (completing !== undefined)
    return { command: completing, args: argv.slice(argv[1] === '--' ? 2 : 1), flags: new Map([['no-start', 'true']]) }

  const path = commandWords(argv)
  const command = findCommand(path)
  const { words, given } = split(argv, command, path)
  const flags = new Map<string, string>()
  for (const [flag, value] of given)
    flags.set(flag.name, value === undefined ? 'true' : check(`--${flag.name}`, value, flag, path))
  if (flags.has('version')) return builtin('version', [], flags)
  const args = words.slice(path.length)
  if (flags.has('help') || words.length === 0) return builtin('help', command === undefined ? words : path, flags)
  if (command === undefined) {
    const [word] = args
    if (word !== undefined) throw unknownCommand(path, word)
    throw new SignalboxError('usage', `"${path.join(' ')}" needs a command`, {
      expected: `one of ${nextWords(path).join(', ')}`,
      hint: helpHint(path),
    })
  }
  checkArguments(command, args, path)
  for (const flag of command.flags)
    if (flag.default !== undefined && !flags.has(flag.name)) flags.set(flag.name, flag.default)
  return { command, args, flags }
}
