import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runCommand } from './command.ts'
import { createCommandValues } from './command-values.ts'
import { secret } from './testing/samples.ts'

let dir: string
let stop: AbortController
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'signalbox-command-'))
  stop = new AbortController()
})
afterEach(() => {
  stop.abort()
  rmSync(dir, { recursive: true, force: true })
})

const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`
/** A reference that runs this JavaScript. */
const script = (code: string) => `!${quoted(process.execPath)} -e ${quoted(code)}`

const run = async (reference: string, more: { timeoutMs?: number; environment?: Record<string, string> } = {}) => {
  const environment = { PATH: process.env.PATH, ...more.environment }
  const value = await runCommand(reference, { secret, directory: dir, signal: stop.signal, ...more, environment })
  return value.reveal()
}
const problem = (name: string) => expect.objectContaining({ name: 'CommandError', problem: name })

describe('a command reference', () => {
  it('is the first line that the command prints, trimmed', async () => {
    expect(await run(`!printf '  the-key \\r\\nsecond line\\n'`)).toBe('the-key')
    expect(await run('!printf no-line-feed')).toBe('no-line-feed')
  })

  it('is run without a shell', async () => {
    expect(await run(`!printf %s '$HOME; touch pwned'`)).toBe('$HOME; touch pwned')
    await expect(run('!printf x; touch pwned')).rejects.toThrow(problem('shell_syntax'))
    expect(existsSync(join(dir, 'pwned'))).toBe(false)
  })

  it('runs in an environment without secrets, outside of any project (CAT-210)', async () => {
    const environment = { OPENAI_API_KEY: 'canary', HOME: '/home/x' }
    const printed = await run(script('console.log(JSON.stringify([process.env, process.cwd()]))'), { environment })
    expect(printed).toContain('/home/x')
    expect(printed).not.toContain('canary')
    expect(printed).toContain(dir)
  })

  it.each<[string, string]>([
    ['!', 'no_command'],
    ["!''", 'no_command'],
    ['!/nowhere/canary-program canary-argument', 'not_started'],
    [`!sh -c 'echo canary-output; echo canary-error >&2; exit 3'`, 'failed'],
    [`!sh -c 'echo canary-output; kill -9 $$'`, 'failed'],
    ['!true canary-argument', 'no_output'],
    [`!printf '\\ncanary-second-line'`, 'no_output'],
    [`!printf 'canary\\001output'`, 'malformed_output'],
    [`!printf 'canary\\377\\376'`, 'malformed_output'],
    [`!head -c 20000 /dev/zero`, 'malformed_output'],
    ['!yes canary-output', 'too_much_output'],
  ])('that gives nothing says why, and nothing of the line or the output: %s', async (reference, name) => {
    const error: unknown = await run(reference).catch((thrown: unknown) => thrown)
    expect(error).toEqual(problem(name))
    expect(inspect(error, { depth: null, showHidden: true }).replaceAll(import.meta.filename, '')).not.toContain(
      'canary',
    )
  })

  it('that hangs is killed at its deadline with all that it started', async () => {
    const pidFile = join(dir, 'pid')
    const hang = `require('fs').writeFileSync(${JSON.stringify(pidFile)}, String(process.pid)); setInterval(() => {}, 1e6)`
    writeFileSync(join(dir, 'hang.js'), hang)
    const reference = `!sh -c ${quoted(`${process.execPath} hang.js & wait`)}`
    await expect(run(reference, { timeoutMs: 1_500 })).rejects.toThrow(problem('timed_out'))
    await vanished(Number(readFileSync(pidFile, 'utf8')))
  })

  it('whose background process keeps the output open ends at the deadline all the same', async () => {
    const pidFile = join(dir, 'pid')
    const child = `require('child_process').spawn('sleep', ['60'], { detached: true, stdio: ['ignore', 1, 'ignore'] })`
    const code = `const child = ${child}; require('fs').writeFileSync('pid', String(child.pid)); child.unref()`
    await expect(run(script(code), { timeoutMs: 1_500 })).rejects.toThrow(problem('timed_out'))
    process.kill(Number(readFileSync(pidFile, 'utf8')), 'SIGKILL')
  })

  it('ends when the daemon stops', async () => {
    const running = run('!sleep 30')
    stop.abort()
    await expect(running).rejects.toThrow(problem('stopped'))
    await expect(run('!printf x')).rejects.toThrow(problem('stopped'))
  })
})

describe('the values of command references', () => {
  it('are asked for once, also by many at a time, until they are forgotten', async () => {
    let runs = 0
    const values = createCommandValues(async () => secret(`value-${++runs}`))
    const first = await Promise.all([values.value('!a'), values.value('!a'), values.value('!a')])
    expect(first.map((value) => value.reveal())).toEqual(['value-1', 'value-1', 'value-1'])
    expect((await values.value('!a')).reveal()).toBe('value-1')
    values.forget('!a')
    expect((await values.value('!a')).reveal()).toBe('value-2')
  })

  it('are asked for again after a failure', async () => {
    let runs = 0
    const values = createCommandValues(async () => {
      runs++
      if (runs === 1) throw new Error('not now')
      return secret('value')
    })
    await expect(values.value('!a')).rejects.toThrow('not now')
    expect((await values.value('!a')).reveal()).toBe('value')
  })
})

/** SIGKILL was sent; the kernel takes a moment to take the process away. */
async function vanished(pid: number): Promise<void> {
  const gone = () => {
    try {
      // A dead process that nobody has waited for yet still has an entry.
      return readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ')
    } catch {
      // Expected: it is gone.
      return true
    }
  }
  await expect.poll(gone).toBe(true)
}
