import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BuiltCli, buildCli, finish, newHome } from './built-cli.cases.ts'
import { COMMANDS } from './commands.ts'
import { always, standIn } from './stand-in.cases.ts'

let cli: BuiltCli
let home: string
let bin: string
beforeAll(async () => {
  cli = await buildCli()
  home = newHome()
  bin = join(cli.dir, 'bin')
  mkdirSync(bin)
  writeFileSync(join(bin, 'signalbox'), `#!/bin/sh\nexec "${process.execPath}" "${cli.program}" "$@"\n`)
  chmodSync(join(bin, 'signalbox'), 0o755)
})
afterAll(() => {
  cli[Symbol.dispose]()
  rmSync(home, { recursive: true, force: true })
})

/** What Tab offers at the end of the line, in a real bash that split the words its own way. */
async function tab(line: string, words: readonly string[]): Promise<readonly string[]> {
  const script = `source <(signalbox completion bash)
COMP_LINE=$1 COMP_POINT=\${#1}; shift
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
_signalbox
printf '%s\\n' "\${COMPREPLY[@]}"`
  const env = { ...process.env, SIGNALBOX_HOME: home, PATH: `${bin}${delimiter}${process.env.PATH ?? ''}` }
  const { stdout, stderr } = await finish(spawn('bash', ['--norc', '-c', script, 'bash', line, ...words], { env }))
  expect(stderr).toBe('')
  return stdout.split('\n').filter((text) => text !== '')
}

const sources = ['config', 'provider_live:openai', 'provider_live:anthropic']
const status = sources
  .map((source_id) => `${JSON.stringify({ source_id, provider_id: source_id.split(':')[1] ?? 'openai' })}\n`)
  .join('')

describe('bash completion', () => {
  it('offers the commands and flags of the table (CAT-109)', async () => {
    expect(await tab('signalbox ', ['signalbox', ''])).toEqual([
      ...new Set(COMMANDS.filter(({ hidden }) => hidden === undefined).map(({ path }) => path[0])),
    ])
    expect(await tab('signalbox provider models re', ['signalbox', 'provider', 'models', 're'])).toEqual(['refresh'])
    expect(await tab('signalbox models --inc', ['signalbox', 'models', '--inc'])).toEqual(['--include-stale'])
    expect(await tab('signalbox models -o ', ['signalbox', 'models', '-o', ''])).toEqual(['table', 'json', 'jsonl'])
  })

  it('offers provider ids while a daemon runs, and starts none', async () => {
    expect(await tab('signalbox models ', ['signalbox', 'models', ''])).toEqual([])
    await using daemon = await standIn(home, always(200, status))
    expect(await tab('signalbox models ', ['signalbox', 'models', ''])).toEqual(['anthropic', 'openai'])
    expect(await tab('signalbox models op', ['signalbox', 'models', 'op'])).toEqual(['openai'])
    expect(daemon.asked).toHaveLength(2)
  })

  it('completes values in which bash splits words', async () => {
    await using _daemon = await standIn(home, always(200, status))
    expect(
      await tab('signalbox models --source provider_live:o', [
        'signalbox',
        'models',
        '--source',
        'provider_live',
        ':',
        'o',
      ]),
    ).toEqual(['openai'])
    expect(
      await tab('signalbox models --source provider_live:', ['signalbox', 'models', '--source', 'provider_live', ':']),
    ).toEqual(['anthropic', 'openai'])
    expect(await tab('signalbox models --output=js', ['signalbox', 'models', '--output', '=', 'js'])).toEqual([
      'json',
      'jsonl',
    ])
  })
})
