/** `docs/cli.md`, from the command table. */
import type { Command } from './command.ts'
import { COMMANDS, GLOBAL_FLAGS } from './commands.ts'
import { flagForm, flagText, usageOf, visible } from './help.ts'

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('<', '&lt;')

const table = (head: readonly [string, string], rows: readonly (readonly [string, string])[]): readonly string[] =>
  rows.length === 0
    ? []
    : [
        `| ${head.join(' | ')} |`,
        '|---|---|',
        ...rows.map(([left, right]) => `| \`${left.replaceAll('|', '\\|')}\` | ${cell(right)} |`),
        '',
      ]

const flagRows = (flags: Command['flags']) =>
  visible(flags).map((flag) => [flagForm(flag).trim(), flagText(flag)] as const)

function commandSection(command: Command): readonly string[] {
  const { path, summary, about, arguments: args, examples } = command
  return [
    `## signalbox ${path.join(' ')}`,
    '',
    `${summary}.${about === undefined ? '' : ` ${about}`}`,
    '',
    '```',
    usageOf(command),
    '```',
    '',
    ...table(
      ['argument', 'meaning'],
      args.map(({ name, description, choices }) => [
        name,
        choices ? `${description} One of ${choices.join(', ')}.` : description,
      ]),
    ),
    ...table(['option', 'meaning'], flagRows(command.flags)),
    '```sh',
    ...examples.map(({ line, does }) => `${line}  # ${does}`),
    '```',
    '',
  ]
}

export function cliPage(): string {
  const listed = COMMANDS.filter(({ hidden }) => hidden === undefined)
  const lines = [
    '# The command line',
    '',
    '<!-- Generated from packages/cli/src/commands.ts by scripts/generate-cli-docs.ts. Do not edit. -->',
    '',
    ...table(
      ['command', 'does'],
      listed.map(({ path, summary }) => [`signalbox ${path.join(' ')}`, summary]),
    ),
    '## Everywhere',
    '',
    ...table(['option', 'meaning'], flagRows(GLOBAL_FLAGS)),
    'Options may stand anywhere after the program’s name; `--name value` and `--name=value` are the same, and `--` ends them.',
    '',
    'A command that needs the daemon starts it in the background when none runs.',
    '',
    '| exit code | meaning |',
    '|---|---|',
    '| 0 | done |',
    '| 1 | it failed; the reason is on stderr |',
    '| 2 | the command line is not understood; nothing was asked of the daemon |',
    '| 3 | no daemon runs, and none could be or may be started |',
    '',
    'With `-o json` and `-o jsonl` an error is the daemon’s JSON error body, on stderr. Colour is used on a terminal only;',
    '`NO_COLOR` turns it off, `FORCE_COLOR` on.',
    '',
    ...listed.flatMap(commandSection),
  ]
  return `${lines.join('\n').trimEnd()}\n`
}
