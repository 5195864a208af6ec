/** `signalbox auth`: what it reads, what it refuses, and what it never repeats. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCli } from '../harness/cli.ts'
import { run, SIGNALBOX } from '../harness/process.ts'
import { until, within } from '../harness/until.ts'
import { entryOf, keysSeen, openWorld, post, takes, type World } from './world.ts'

const KEY = 'sk-proj-CANARY0123456789abcdef'

let world: World
beforeAll(async () => {
  world = await openWorld(takes(KEY))
})
afterAll(() => world[Symbol.asyncDispose]())

const stored = async () => (await entryOf(world)).credential?.ref ?? null

describe('a key on the command line', () => {
  it.each([
    ['as an argument', ['auth', 'add', 'openai', KEY]],
    ['after --', ['auth', 'add', 'openai', '--', KEY]],
    ['after a global flag', ['--no-start', 'auth', 'add', 'openai', KEY]],
    ['in the place of the provider', ['auth', 'add', KEY]],
    ['in the place of the provider, in lower case', ['auth', 'add', KEY.toLowerCase()]],
    ['as an unknown flag', ['auth', 'add', 'openai', `--key=${KEY}`]],
    ['as an unknown short flag', ['auth', 'add', 'openai', `-k${KEY}`]],
    ['as an output format', ['auth', 'add', 'openai', '-o', KEY]],
  ])('%s is a usage error that does not repeat it', async (_, args) => {
    const { code, stdout, stderr } = await runCli(world.home, args, { input: 'another-key' })
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain('standard input')
    expect(stderr.toLowerCase()).not.toContain('canary')
    expect(await stored()).toBeNull()
  })
})

describe('a key on standard input', () => {
  it.each([
    ['nothing', '', 'the key is empty'],
    ['white space', ' \n\t\n', 'the key is empty'],
    ['two lines', `${KEY}\n${KEY}\n`, 'more than one line'],
    ['a file by mistake', 'x'.repeat(100_000), 'too long'],
    ['a masked key', 'sk-•••••••••••', 'malformed'],
  ])('that is %s is a clear error, and nothing is stored', async (_, input, said) => {
    const { code, stdout, stderr } = await runCli(world.home, ['auth', 'add', 'openai'], { input })
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(said)
    expect(stderr).not.toContain('CANARY')
    expect(await stored()).toBeNull()
  })

  it('is taken without the white space around it', async () => {
    expect((await runCli(world.home, ['auth', 'add', 'openai'], { input: `  ${KEY}\r\n` })).code).toBe(0)
    expect((await runCli(world.home, ['auth', 'test', 'openai'])).code).toBe(0)
    expect(keysSeen(world)).toContain(`Bearer ${KEY}`)
    await post(world, '/api/auth/openai/remove')
  })

  it('for a provider that nobody knows is an error with the nearest ones', async () => {
    const { code, stderr } = await runCli(world.home, ['auth', 'add', 'opnai'], { input: KEY })
    expect(code).toBe(1)
    expect(stderr).toMatch(/did you mean: .*openai/)
    expect(stderr).not.toContain('CANARY')
  })
})

/** `script` gives it a terminal; what the terminal shows is in stdout. */
async function typed(keys: string) {
  const command = await run('script', ['-qec', `'${SIGNALBOX}' auth add openai --name typed`, '/dev/null'], {
    env: world.home.env,
  })
  await until('the prompt', () => command.stdout().includes('not shown'))
  command.child.stdin?.write(keys)
  const { code } = await within('auth add', command.exited)
  return { code, shown: command.stdout() }
}

describe.skipIf(process.platform !== 'linux')('a key that is typed', () => {
  it('is not shown, and can be corrected', async () => {
    const { code, shown } = await typed(`wrong\u0015${KEY}xy\u007f\u007f\r`)
    expect(shown).toContain('stored:openai/typed')
    expect(code).toBe(0)
    expect(shown).not.toContain('CANARY')
    expect(shown).not.toContain('wrong')
    expect((await runCli(world.home, ['auth', 'test', 'openai'])).code).toBe(0)
    await post(world, '/api/auth/openai/remove', { name: 'typed' })
  })

  it.each([
    ['Ctrl-C', '\u0003', 'no key was given'],
    ['only Enter', '\r', 'the key is empty'],
    ['a paste of two lines', `${KEY}\r${KEY}\r`, 'more than one line'],
  ])('as %s stores nothing', async (_, keys, said) => {
    const { code, shown } = await typed(keys)
    expect(code).toBe(2)
    expect(shown).toContain(said)
    expect(shown).not.toContain('CANARY')
    expect(await stored()).toBeNull()
  })
})

describe('the other commands', () => {
  it('show one provider with every place that was looked at', async () => {
    const { code, stdout } = await runCli(world.home, ['auth', 'list', 'openai'])
    expect(code).toBe(0)
    expect(stdout).toMatch(/^PROVIDER .*\nopenai .*no_credential .*signalbox auth add openai\n/)
    expect(stdout).toContain('env:OPENAI_API_KEY: there is none')
    expect(stdout).toContain('Credentials are in ')
  })

  it('remove with exit 1 what was not stored', async () => {
    const { code, stdout, stderr } = await runCli(world.home, ['auth', 'remove', 'openai', '-o', 'json'])
    expect({ code, stderr }).toEqual({ code: 1, stderr: 'error: nothing is stored under this name\n' })
    expect(JSON.parse(stdout)).toMatchObject({ removed: false, provider: { provider_id: 'openai' } })
  })

  it('complete from the command table', async () => {
    const words = async (...line: string[]) => (await runCli(world.home, ['__complete', '--', ...line])).stdout
    expect((await words('auth', '')).split('\n').map((line) => line.split('\t')[0])).toEqual([
      'list',
      'add',
      'remove',
      'test',
      '',
    ])
    expect(await words('auth', 'add', 'opena')).toMatch(/^openai\t/)
  })
})
