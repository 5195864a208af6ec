import { SignalboxError } from '@signalbox/contract/errors'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { COMMANDS } from './commands.ts'
import { parse } from './parse.ts'

function usageError(argv: readonly string[]): SignalboxError {
  try {
    parse(argv)
  } catch (error) {
    if (error instanceof SignalboxError && error.code === 'usage') return error
    throw error
  }
  throw new Error(`"${argv.join(' ')}" was understood`)
}

const read = (line: string) => {
  const { command, args, flags } = parse(line.split(' '))
  return { command: command.path.join(' '), args, flags: Object.fromEntries(flags) }
}

describe('parse', () => {
  it('understands a command, its argument and its flags in any order (CAT-102)', () => {
    const expected = {
      command: 'provider models list',
      args: ['openai'],
      flags: { source: 'models_dev', refresh: 'true', 'include-stale': 'true', output: 'json' },
    }
    expect(read('provider models list openai --source models_dev --refresh --include-stale -o json')).toEqual(expected)
    expect(read('provider -ojson models --refresh list --include-stale --source=models_dev openai')).toEqual(expected)
  })

  it('takes the same flags for models and for provider models list (CAT-108)', () => {
    const [models, list] = ['models', 'provider models list'].map((name) =>
      COMMANDS.find(({ path }) => path.join(' ') === name),
    )
    expect(models?.flags).toBe(list?.flags)
    expect(models?.route).toBe(list?.route)
  })

  it('takes a value that looks like a flag after "=" or as the next word', () => {
    expect(read('models -q -mini').flags).toMatchObject({ query: '-mini' })
    expect(read('models --query=--mini').flags).toMatchObject({ query: '--mini' })
  })

  it('lets the last of a repeated flag win, so that an alias can be overridden', () => {
    expect(read('models -o json -o table').flags.output).toBe('table')
  })

  it('takes words after -- as arguments', () => {
    expect(usageError(['models', '--', '--refresh']).message).toBe('<provider> cannot be "--refresh"')
  })

  it('fills in the documented defaults', () => {
    expect(read('models').flags).toEqual({ output: 'table' })
    expect(read('logs').flags).toEqual({ lines: '50', output: 'text' })
  })

  it('turns --help and --version into their commands wherever they stand', () => {
    expect(read('provider models refresh --help')).toMatchObject({
      command: 'help',
      args: ['provider', 'models', 'refresh'],
    })
    expect(read('daemon -h')).toMatchObject({ command: 'help', args: ['daemon'] })
    expect(read('models --version')).toMatchObject({ command: 'version' })
    expect(parse([]).command.path).toEqual(['help'])
  })

  it('judges nothing of a half-typed line that is to be completed', () => {
    expect(parse(['__complete', '--', 'models', '--sour']).args).toEqual(['models', '--sour'])
  })

  it.each([
    ['modles', 'there is no command "modles"', ['models']],
    ['provider model list', 'there is no command "provider model"', ['provider models']],
    ['list', 'there is no command "list"', ['provider models list', 'auth list']],
    ['daemon stpo', 'there is no command "daemon stpo"', ['daemon stop']],
    ['models --sorce models_dev', 'there is no flag "--sorce" for "models"', ['--source']],
    ['models --no-strat', 'there is no flag "--no-strat" for "models"', ['--no-start']],
    ['models -o jsno', '--output cannot be "jsno"', ['json']],
    ['models --available yes', '--available cannot be "yes"', undefined],
    ['models --source model_dev', '--source cannot be "model_dev"', ['models_dev']],
    ['models OpenAI', '<provider> cannot be "OpenAI"', ['openai']],
    ['completion bsh', '<shell> cannot be "bsh"', ['bash', 'zsh']],
  ])('names what "%s" was probably meant to be (CAT-110)', (line, message, candidates) => {
    const error = usageError(line.split(' '))
    expect(error.message).toBe(message)
    expect(error.details.candidates).toEqual(candidates)
  })

  it.each([
    [['models', ''], '<provider> is blank'],
    [['models', '  '], '<provider> is blank'],
    [['models', '../x'], '<provider> cannot be "../x"'],
    [['models', 'a', 'b'], '"b" is one argument too many for "models"'],
    [['models', '--limit'], '--limit needs a value'],
    [['models', '--limit', '0'], '--limit cannot be "0"'],
    [['models', '--limit', '100001'], '--limit cannot be "100001"'],
    [['models', '--limit=1e3'], '--limit cannot be "1e3"'],
    [['models', '--refresh=yes'], '--refresh takes no value'],
    [['models', '-x'], 'there is no flag "-x" for "models"'],
    [['provider', 'models', 'refresh', '--request-id', 'a b'], '--request-id cannot be "a b"'],
    [['explain'], '"explain" needs <provider/model>'],
    [['explain', 'gpt-5.2'], '<provider/model> cannot be "gpt-5.2"'],
    [['explain', '/gpt-5.2'], '<provider/model> cannot be "/gpt-5.2"'],
    [['explain', 'openai/'], '<provider/model> cannot be "openai/"'],
    [['provider'], '"provider" needs a command'],
    [['daemon'], '"daemon" needs a command'],
    [['completion'], '"completion" needs <shell>'],
    [['logs', '-n', '-1'], '--lines cannot be "-1"'],
    [['--home', ' ', 'models'], '--home is blank'],
    [['--home'], '--home needs a value'],
  ])('refuses %j (CAT-110)', (argv, message) => {
    expect(usageError(argv).message).toBe(message)
  })

  it('says of every refused value what would have been right (CAT-110)', () => {
    expect(usageError(['models', '--available', 'yes']).details.expected).toBe('one of true, false, unknown')
    expect(usageError(['models', '']).details.expected).toContain('provider id')
    expect(usageError(['daemon']).details.expected).toBe('one of run, start, stop, status')
  })

  it('offers no hidden command or flag', () => {
    expect(usageError(['__complet']).details.candidates).toBeUndefined()
    expect(usageError(['daemon', 'run', '--backgroun']).details.candidates).toBeUndefined()
  })

  it('answers any words with an invocation or a usage error', () => {
    const word = fc.oneof(
      fc.constantFrom(
        'models',
        'provider',
        'daemon',
        'run',
        '-o',
        '--',
        '-',
        '--home',
        '--limit=',
        '-q',
        '__complete',
        'help',
      ),
      fc.string(),
    )
    fc.assert(
      fc.property(fc.array(word, { maxLength: 6 }), (argv) => {
        try {
          expect(COMMANDS).toContain(parse(argv).command)
        } catch (error) {
          expect(error).toMatchObject({ code: 'usage' })
        }
      }),
    )
  })
})
