/** Help pages, from the command table. */
import { type Argument, type Command, type Example, type Flag, takesValue } from './command.ts'
import { COMMANDS, FRONT_PAGE, GLOBAL_FLAGS, GROUPS } from './commands.ts'
import { findCommand, isGroup, nextWords, unknownCommand } from './parse.ts'
import { valueRule } from './values.ts'

/** How titles look: bold on a terminal, plain elsewhere. */
export type Title = (text: string) => string

const ABOUT = 'signalbox: every model you can run, from one local daemon'
const FRONT_EXAMPLES: readonly Example[] = [
  { line: 'signalbox models -q sonnet', does: 'who serves it, what it costs' },
  { line: 'signalbox models openai --available true', does: 'what you can run right now' },
  { line: 'signalbox explain openai/gpt-5.2', does: 'why it reads as it does' },
]

const argumentForm = ({ name, required, many }: Argument) => {
  const word = many === undefined ? name : `${name}…`
  return required ? `<${word}>` : `[${word}]`
}

export const usageOf = ({ path, arguments: args, flags }: Command): string =>
  ['signalbox', ...path, ...args.map(argumentForm), ...(flags.length > 0 ? ['[options]'] : [])].join(' ')

export function flagForm(flag: Flag): string {
  const value = takesValue(flag) ? ` <${flag.choices?.join('|') ?? valueRule(flag.value ?? 'text').placeholder}>` : ''
  return `${flag.short === undefined ? '    ' : `-${flag.short}, `}--${flag.name}${value}`
}

export const flagText = ({ description, default: standard }: Flag): string =>
  standard === undefined ? description : `${description} Default: ${standard}.`

export const visible = (flags: readonly Flag[]): readonly Flag[] => flags.filter(({ hidden }) => hidden === undefined)

type Row = readonly [string, string]

const widest = (rows: readonly Row[]) => Math.max(...rows.map(([left]) => left.length))

/** Two columns; the first as wide as its widest cell unless told. */
const columns = (rows: readonly Row[], width = widest(rows)): readonly string[] =>
  rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`)

const section = (title: string, rows: readonly Row[]): readonly string[] =>
  rows.length === 0 ? [] : ['', title, ...columns(rows)]

const exampleRows = (examples: readonly Example[]) => examples.map(({ line, does }) => [line, does] as const)

function entryRow(name: string): Row {
  const words = name.split(' ')
  const command = findCommand(words)
  if (command !== undefined) return [[name, ...command.arguments.map(argumentForm)].join(' '), command.summary]
  return [`${name} ${nextWords(words).join('|')}`, GROUPS.find(({ path }) => path.join(' ') === name)?.summary ?? '']
}

/** One first column for the whole page, so that all of it lines up. */
function frontPage(title: Title): readonly string[] {
  const parts = FRONT_PAGE.map((part) => ({ title: part.title, rows: part.entries.map(entryRow) }))
  const all = [...parts, { title: 'Try', rows: exampleRows(FRONT_EXAMPLES) }]
  const width = widest(all.flatMap(({ rows }) => rows))
  const body = all.flatMap((part) => [title(part.title), ...columns(part.rows, width)])
  return [ABOUT, '', ...body, '', 'More: signalbox help <command>, or --help after any command']
}

function groupPage(words: readonly string[], title: Title): readonly string[] {
  const name = words.join(' ')
  const inside = COMMANDS.filter(
    ({ path, hidden }) => hidden === undefined && words.every((word, i) => path[i] === word),
  )
  const rows = inside.map(
    ({ path, arguments: args, summary }) => [[...path, ...args.map(argumentForm)].join(' '), summary] as const,
  )
  return [
    GROUPS.find(({ path }) => path.join(' ') === name)?.summary ?? '',
    ...section(title('Commands'), rows),
    '',
    `More: signalbox ${name} <command> --help`,
  ]
}

function commandPage(command: Command, title: Title): readonly string[] {
  return [
    command.summary,
    ...(command.about === undefined ? [] : [command.about]),
    '',
    `${title('Usage')}  ${usageOf(command)}`,
    ...section(
      title('Arguments'),
      command.arguments.map(({ name, description, choices }) => [
        name,
        choices ? `${description} One of ${choices.join(', ')}.` : description,
      ]),
    ),
    ...section(
      title('Options'),
      visible(command.flags).map((flag) => [flagForm(flag), flagText(flag)]),
    ),
    ...section(
      title('Everywhere'),
      GLOBAL_FLAGS.map((flag) => [flagForm(flag), flagText(flag)]),
    ),
    ...section(title('Examples'), exampleRows(command.examples)),
  ]
}

/** The page for a command, for a group of them, or with no words the front page. */
export function helpPage(words: readonly string[], title: Title = (text) => text): string {
  const command = findCommand(words)
  if (command !== undefined) return `${commandPage(command, title).join('\n')}\n`
  if (words.length === 0) return `${frontPage(title).join('\n')}\n`
  if (isGroup(words)) return `${groupPage(words, title).join('\n')}\n`
  const known = words.findIndex((_, i) => !isGroup(words.slice(0, i + 1)))
  throw unknownCommand(words.slice(0, known), words[known] ?? '')
}
