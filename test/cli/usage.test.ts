/** A command line that is not understood: exit 2, the nearest valid name, and nobody is asked. */

import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCli } from '../harness/cli.ts'
import { type TempHome, tempHome } from '../harness/temp-home.ts'

const WRONG: readonly (readonly [string, readonly string[], string])[] = [
  ['an unknown flag', ['models', '--refrsh'], '--refresh'],
  ['an unknown command', ['modles'], 'models'],
  ['an unknown subcommand', ['daemon', 'strat'], 'start'],
  ['a blank provider', ['models', ''], 'provider'],
  ['a provider of spaces', ['provider', 'models', 'list', '  '], 'provider'],
  ['a provider that cannot be one', ['provider', 'models', 'refresh', 'Open AI'], 'provider'],
  ['a bad choice', ['models', '-o', 'jsn'], 'json'],
  ['a bad availability', ['models', '--available', 'maybe'], 'true'],
  ['a limit that is no number', ['models', '--limit', 'ten'], '--limit'],
  ['a limit of 0', ['models', '--limit', '0'], '--limit'],
  ['a source that cannot be one', ['models', '--source', 'model_dev'], 'models_dev'],
  ['a flag without its value', ['models', '--source'], '--source'],
  ['a value for a switch', ['models', '--refresh=yes'], '--refresh'],
  ['one argument too many', ['models', 'openai', 'anthropic'], 'anthropic'],
  ['a blank request id', ['provider', 'models', 'refresh', '--request-id', ''], '--request-id'],
  ['a model without a provider', ['explain', 'gpt'], 'provider/model'],
  ['no model', ['explain'], 'provider/model'],
  ['an unknown shell', ['completion', 'bsh'], 'bash'],
]

let home: TempHome
let connections = 0
const listener = createServer((socket) => {
  connections++
  socket.destroy()
})
beforeAll(async () => {
  home = await tempHome()
  const runDir = join(home.dir, 'run')
  await mkdir(runDir, { mode: 0o700 })
  await once(listener.listen(join(runDir, 'signalbox.sock')), 'listening')
})
afterAll(async () => {
  listener.close()
  await home[Symbol.asyncDispose]()
})

describe('a usage error', () => {
  it.each(WRONG)('%s exits 2, says what would be right, and asks nobody (CAT-110)', async (_, args, named) => {
    const { code, stdout, stderr } = await runCli(home, args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(named)
    expect(stderr).toMatch(/^error: /)
    expect(connections).toBe(0)
    expect(existsSync(home.paths.logFile)).toBe(false)
  })

  it('a command line that is understood does ask (CAT-110)', async () => {
    expect((await runCli(home, ['models', '--no-start'])).code).toBe(3)
    expect(connections).toBe(1)
  })
})
