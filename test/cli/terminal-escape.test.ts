/** Attack: text of a source that a terminal would obey (title changes, cursor moves, colours, reordered letters). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CliOptions, runCli } from '../harness/cli.ts'
import { type RunningDaemon, startDaemon } from '../harness/daemon.ts'
import { QUIET_CONFIG, type TempHome, tempHome } from '../harness/temp-home.ts'

const ID = 'a\u001b]0;owned\u0007/b\u009b2J:c'
const NAME = '\u001b[5mblink\u0008\u007f\u009b31m\rover'
const CONFIG = `${QUIET_CONFIG}
[providers.evil]
display_name = ${tomlText(NAME)}
[[providers.evil.models.curated]]
id = ${tomlText(ID)}
display_name = ${tomlText(NAME)}
`

function tomlText(text: string): string {
  const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  return `"${text.replaceAll(/[^\x20-\x7e]/g, escaped)}"`
}

/** What our own tables send: bold, dim and colours. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they begin with ESC
const OUR_COLOURS = /\u001b\[(?:0|1|2|31|32|33)m/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
const OBEYED = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/

let home: TempHome
let daemon: RunningDaemon
beforeAll(async () => {
  home = await tempHome()
  daemon = await startDaemon({ home, config: CONFIG })
})
afterAll(async () => {
  await daemon.stop()
  await home[Symbol.asyncDispose]()
})
const cli = (args: readonly string[], options?: CliOptions) => runCli(home, args, options)

const COMMANDS: readonly (readonly [string, readonly string[]])[] = [
  ['a list', ['models', 'evil']],
  ['a search', ['models', '-q', 'owned']],
  ['an explanation', ['explain', `evil/${ID}`]],
  ['statuses', ['provider', 'models', 'status', 'evil']],
  ['a refresh', ['provider', 'models', 'refresh', 'evil', '--force']],
  ['the configuration', ['config', 'show']],
  ['a check of it', ['config', 'check']],
  ['the daemon', ['daemon', 'status']],
  ['the log', ['logs']],
]

describe('escape characters in ids and names', () => {
  it.each(COMMANDS)('never reach a terminal or a pipe raw in %s (CAT-150)', async (_, command) => {
    for (const format of [[], ...(command[0] === 'config' ? [] : [['-o', 'json']])]) {
      const args = [...command, ...format]
      const piped = await cli(args)
      expect(piped.code).toBe(0)
      expect(`${piped.stdout}${piped.stderr}`).not.toMatch(OBEYED)
      const shown = await cli(args, { tty: true, env: { TERM: 'xterm' } })
      expect(shown.stdout.replaceAll(OUR_COLOURS, '').replaceAll('\r\n', '\n')).not.toMatch(OBEYED)
    }
  })

  it('are shown as escapes in tables, so that nothing is hidden (CAT-150)', async () => {
    expect((await cli(['models', 'evil'])).stdout).toContain('a\\u{1b}]0;owned\\u{7}/b\\u{9b}2J:c')
  })

  it('are kept in JSON, escaped: reading it gives the very id back (CAT-150)', async () => {
    const { stdout } = await cli(['models', 'evil', '-o', 'json'])
    expect(JSON.parse(stdout).models).toMatchObject([{ model_id: ID, display_name: NAME }])
  })

  it('do not reach the terminal in an error either (CAT-150)', async () => {
    const { code, stderr } = await cli(['explain', `evil/${ID}x`])
    expect(code).toBe(1)
    expect(stderr).toContain('owned')
    expect(stderr).not.toMatch(OBEYED)
  })
})
