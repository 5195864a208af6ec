import { describe, expect, it } from 'vitest'
import { COMMANDS } from './commands.ts'
import { candidatesFor, type Ids } from './complete.ts'

const ids: Ids = {
  providers: () => Promise.resolve(['anthropic', 'openai']),
  sources: () => Promise.resolve(['config', 'provider_live:openai']),
  models: (provider) => Promise.resolve(provider === 'openai' ? ['gpt-5.2', 'gpt-5.2:mini'] : []),
}

const offered = async (...words: string[]) => (await candidatesFor(words, ids)).map(({ value }) => value)

describe('completion', () => {
  it('offers every command of the table, and none that is hidden (CAT-109)', async () => {
    const first = new Set(COMMANDS.filter(({ hidden }) => hidden === undefined).map(({ path }) => path[0]))
    expect(await offered('')).toEqual([...first])
  })

  it('offers every flag of every command (CAT-109)', async () => {
    for (const { path, flags } of COMMANDS) {
      const wanted = flags.filter(({ hidden }) => hidden === undefined).map(({ name }) => `--${name}`)
      expect(await offered(...path, '--')).toEqual(expect.arrayContaining(wanted))
    }
  })

  it.each<[string[], string[]]>([
    [['m'], ['models']],
    [['provider', ''], ['models']],
    [['provider', 'models', 're'], ['refresh']],
    [
      ['models', ''],
      ['anthropic', 'openai'],
    ],
    [['models', '--refresh', 'open'], ['openai']],
    [['models', 'openai', ''], []],
    [
      ['models', '--source', ''],
      ['config', 'provider_live:openai'],
    ],
    [['models', '--source', 'provider_live:o'], ['provider_live:openai']],
    [
      ['models', '-o', 'json'],
      ['json', 'jsonl'],
    ],
    [['models', '--available=u'], ['--available=unknown']],
    [['explain', 'open'], ['openai/']],
    [['explain', 'openai/gpt-5.2:'], ['openai/gpt-5.2:mini']],
    [
      ['help', 'daemon', 'sta'],
      ['start', 'status'],
    ],
    [['completion', 'z'], ['zsh']],
    [['nonsense', 'x'], []],
    [['--home', '/tmp', 'mod'], ['models']],
    [['daemon', 'run', '--b'], []],
  ])('after %j offers %j', async (words, expected) => {
    expect(await offered(...words)).toEqual(expected)
  })

  it('does not offer a flag twice', async () => {
    expect(await offered('models', '--refresh', '--ref')).toEqual([])
  })
})
