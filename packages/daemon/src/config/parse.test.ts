import type { ConfigProblem } from '@signalbox/contract/daemon'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MAX_CONFIG_BYTES, parseConfig } from './parse.ts'

const FILE = 'config.toml'

async function good(text: string) {
  const parsed = await parseConfig(text, FILE)
  if (!parsed.ok) throw new Error(parsed.problems.map(({ message }) => message).join('\n'))
  return parsed.config
}

async function problems(text: string): Promise<readonly ConfigProblem[]> {
  const parsed = await parseConfig(text, FILE)
  return parsed.ok ? [] : parsed.problems
}

/** The only problem of a text that must have exactly one. */
async function problem(text: string): Promise<ConfigProblem> {
  const found = await problems(text)
  expect(found).toHaveLength(1)
  return found[0] as ConfigProblem
}

const places = (found: readonly ConfigProblem[]) => found.map(({ line, column, path }) => `${line}:${column} ${path}`)

describe('a good file', () => {
  it('takes the documented defaults when it is empty (CAT-134)', async () => {
    const config = await good('')
    expect(config.model_catalog.sources.models_dev).toEqual({
      enabled: true,
      endpoint: 'https://models.dev/api.json',
      ttl: '24h',
      timeout: '10s',
    })
    expect(config.daemon).toMatchObject({ host: 'localhost', port: 7365, log_level: 'info' })
    expect(config.providers).toEqual({})
    expect(await good('# only a comment\r\n\r\n')).toEqual(config)
  })

  it('takes every key of models.dev and overrides one without the others (CAT-134)', async () => {
    const table = '[model_catalog.sources.models_dev]\n'
    const whole = await good(
      `${table}enabled = false\nendpoint = "http://localhost:8/x"\nttl = "1h30m"\ntimeout = "250ms"`,
    )
    expect(whole.model_catalog.sources.models_dev).toEqual({
      enabled: false,
      endpoint: 'http://localhost:8/x',
      ttl: '1h30m',
      timeout: '250ms',
    })
    const one = await good(`${table}ttl = "2h"`)
    expect(one.model_catalog.sources.models_dev).toMatchObject({ enabled: true, ttl: '2h', timeout: '10s' })
  })

  it('takes any text as default model, curated or not (CAT-135)', async () => {
    const config = await good('[providers."llama.cpp".models]\ndefault = "Org/Model:Q4@v1"')
    expect(config.providers['llama.cpp']?.models).toEqual({ default: 'Org/Model:Q4@v1', curated: [] })
  })

  it('takes every key of a curated model (CAT-136)', async () => {
    const config = await good(`[[providers.codex.models.curated]]
id = "gpt-5.2"
display_name = "GPT 5.2"
context_window = 400_000
max_input_tokens = 272000
max_output_tokens = 128000
supports_tools = true
supports_reasoning = true
reasoning_efforts = ["low", "high"]
default_reasoning_effort = "high"
cost_input_per_million = 1.75
cost_output_per_million = 0
`)
    expect(config.providers.codex?.models.curated).toEqual([
      {
        id: 'gpt-5.2',
        display_name: 'GPT 5.2',
        context_window: 400_000,
        max_input_tokens: 272_000,
        max_output_tokens: 128_000,
        supports_tools: true,
        supports_reasoning: true,
        reasoning_efforts: ['low', 'high'],
        default_reasoning_effort: 'high',
        cost_input_per_million: 1.75,
        cost_output_per_million: 0,
      },
    ])
  })

  it('may start with a byte order mark and end its lines with CRLF', async () => {
    const config = await good('\ufeff[daemon]\r\nport = 1234\r\n')
    expect(config.daemon.port).toBe(1234)
  })

  it('may name a provider like a member of every object', async () => {
    const config = await good('[providers.constructor.models]\ndefault = "m"')
    expect(Object.keys(config.providers)).toEqual(['constructor'])
  })
})

describe('values that are not allowed', () => {
  it.each([
    ['endpoint', '"/api.json"', 'http'],
    ['endpoint', '"ftp://models.dev/x"', 'http'],
    ['endpoint', '"https://user:hunter2@models.dev/x"', 'without user name'],
    ['ttl', '"0s"', 'positive duration'],
    ['ttl', '"-1h"', 'positive duration'],
    ['timeout', '""', 'positive duration'],
    ['timeout', '10', 'positive duration'],
    ['enabled', '"true"', 'true or false'],
  ])('models.dev %s = %s is an error at the value that says what to write (CAT-134)', async (key, value, expected) => {
    const found = await problem(`[model_catalog.sources.models_dev]\n${key} = ${value}`)
    expect(found).toMatchObject({
      file: FILE,
      line: 2,
      column: key.length + 4,
      path: `model_catalog.sources.models_dev.${key}`,
    })
    expect(found.expected).toContain(expected)
    expect(found.message).toContain(found.path)
  })

  const curated = (...models: string[]) =>
    models.map((model) => `[[providers.codex.models.curated]]\n${model}\n`).join('')

  it.each([
    ['a repeated id', curated('id = "a"', 'id = "a"'), 'providers.codex.models.curated[1].id', '4:6'],
    ['a blank id', curated('id = "a"', 'id = "  "'), 'providers.codex.models.curated[1].id', '4:6'],
    ['a missing id', curated('id = "a"', 'display_name = "b"'), 'providers.codex.models.curated[1].id', '3:26'],
    ['a blank default', '[providers.codex.models]\ndefault = ""', 'providers.codex.models.default', '2:11'],
    [
      'an unknown effort',
      curated('id = "a"\nreasoning_efforts = ["low", "ultra"]'),
      'providers.codex.models.curated[0].reasoning_efforts[1]',
      '3:29',
    ],
    [
      'a repeated effort',
      curated('id = "a"\nreasoning_efforts = ["low", "high", "low"]'),
      'providers.codex.models.curated[0].reasoning_efforts[2]',
      '3:37',
    ],
    [
      'an unknown default effort',
      curated('id = "a"\ndefault_reasoning_effort = "ultra"'),
      'providers.codex.models.curated[0].default_reasoning_effort',
      '3:28',
    ],
    [
      'a default effort outside its list',
      curated('id = "a"\nreasoning_efforts = ["low"]\ndefault_reasoning_effort = "max"'),
      'providers.codex.models.curated[0].default_reasoning_effort',
      '4:28',
    ],
    [
      'a default effort of an empty list',
      curated('id = "a"\nreasoning_efforts = []\ndefault_reasoning_effort = "max"'),
      'providers.codex.models.curated[0].default_reasoning_effort',
      '4:28',
    ],
  ])('%s is an error that names the path (CAT-138)', async (_, text, path, place) => {
    const found = await problem(text)
    expect(found.path).toBe(path)
    expect(`${found.line}:${found.column}`).toBe(place)
    expect(found.message).toContain(path)
    expect(found.expected).not.toBe('')
  })

  it('finds a path inside inline tables and dotted keys too (CAT-138)', async () => {
    const found = await problems(
      'providers.codex.models = { curated = [{ id = "a" }, { id = "a" }] }\nproviders.x.models.default = 1',
    )
    expect(places(found)).toEqual(['1:60 providers.codex.models.curated[1].id', '2:30 providers.x.models.default'])
  })

  it.each([
    ['a date', '2026-01-01', 'a date or time'],
    ['a time', '10:00:00', 'a date or time'],
    ['a huge integer', '99999999999999999999999999', 'a whole number above 2^53'],
    ['not a number', 'nan', 'nan or inf'],
    ['a list', '["x"]', 'a list'],
    ['a table', '{ x = 1 }', 'a table'],
    ['a boolean', 'true', 'true or false'],
  ])('%s where text is wanted says what was found', async (_, value, kind) => {
    const found = await problem(`[providers.x]\ndisplay_name = ${value}`)
    expect(found).toMatchObject({
      line: 2,
      column: 16,
      path: 'providers.x.display_name',
      expected: 'text that is not blank',
    })
    expect(found.message).toContain(`found ${kind}`)
  })

  it.each(['1.5', '-1', '0', '"8"', '9007199254740993', 'inf'])('a context window of %s is an error', async (value) => {
    const found = await problem(curated(`id = "a"\ncontext_window = ${value}`))
    expect(found.expected).toBe('a positive whole number')
  })

  it.each(['"0.0.0.0"', '"192.168.1.2"', '"example.com"', '""'])(
    'a host of %s is an error that names the key',
    async (host) => {
      const found = await problem(`[daemon]\nhost = ${host}`)
      expect(found).toMatchObject({ path: 'daemon.host', line: 2, column: 8 })
      expect(found.expected).toContain('loopback')
    },
  )

  it.each(['"Open AI"', '"-x"', 'OpenAI', '""', '__proto__'])('a provider named %s is an error', async (id) => {
    const found = await problem(`[providers.${id}.models]\ndefault = "m"`)
    expect(found).toMatchObject({ line: 1, column: 12 })
    expect(found.expected).toContain('a provider id')
  })
})

describe('keys that do not exist', () => {
  it.each([
    ['[deamon]\nport = 1', '1:2 deamon', 'daemon'],
    ['[daemon]\nhots = "::1"', '2:1 daemon.hots', 'host'],
    ['[daemon]\nPort = 1', '2:1 daemon.Port', 'port'],
    [
      '[[providers.x.models.curated]]\nid = "a"\ncontext_windw = 1',
      '3:1 providers.x.models.curated[0].context_windw',
      'context_window',
    ],
    [
      'model_catalog = { sources = { models_dev = { tttl = "1h" } } }',
      '1:46 model_catalog.sources.models_dev.tttl',
      'ttl',
    ],
  ])('are told with their place and the nearest key: %j (CAT-139)', async (text, place, nearest) => {
    const found = await problem(text)
    expect(places([found])).toEqual([place])
    expect(found.expected).toBe(nearest)
    expect(found.message).toContain(nearest)
  })

  it('are told with the keys that exist when none is near (CAT-139)', async () => {
    const found = await problem('[providers.x]\nqqq = 1')
    expect(found.expected).toBe('one of display_name, kind, base_url, auth, api_key, api_key_env, models')
  })

  it.each([
    ['default_model = "gpt"', 'models.default'],
    ['supported_models = ["gpt"]', 'models.curated'],
    ['supports_reasoning_effort = true', 'models.curated[].reasoning_efforts'],
  ])('and were retired say what to write instead: %s (CAT-139)', async (line, instead) => {
    const found = await problem(`[providers.codex]\n${line}`)
    expect(found).toMatchObject({ line: 2, column: 1, expected: instead })
    expect(found.message).toContain(`write ${instead}`)
  })

  it('are errors also when named like members of every object (CAT-139)', async () => {
    const found = await problems('__proto__ = 1\n[constructor]\n[providers.x]\ntoString = 1\n__proto__.y = 1')
    expect(places(found)).toEqual([
      '1:1 __proto__',
      '2:2 constructor',
      '4:1 providers.x.toString',
      '5:1 providers.x.__proto__',
    ])
  })

  it('cannot write escape sequences to a terminal', async () => {
    const found = await problem('"\\u001b]0;x\\u0007\\u009b" = 1')
    expect(found.message + found.path).not.toMatch(/\p{Cc}/u)
  })
})

describe('many problems', () => {
  it('are all told at once in the order of the file, those across fields too (CAT-139)', async () => {
    const found = await problems(`unknown = 1
[daemon]
port = 1.5
[providers.codex]
default_model = "gpt"
kind = "robot"
[[providers.codex.models.curated]]
id = "a"
context_window = 1.5
reasoning_efforts = ["low", "ultra", "low"]
default_reasoning_effort = "max"
[[providers.codex.models.curated]]
id = "a"
[providers."Bad Id"]
x = 1
[providers.q.models.discovery]
command = "a"
endpoint = "http://localhost/x"
`)
    expect(places(found)).toEqual([
      '1:1 unknown',
      '3:8 daemon.port',
      '5:1 providers.codex.default_model',
      '6:8 providers.codex.kind',
      '9:18 providers.codex.models.curated[0].context_window',
      '10:29 providers.codex.models.curated[0].reasoning_efforts[1]',
      '10:38 providers.codex.models.curated[0].reasoning_efforts[2]',
      '11:28 providers.codex.models.curated[0].default_reasoning_effort',
      '13:6 providers.codex.models.curated[1].id',
      '14:12 providers."Bad Id"',
      '15:1 providers."Bad Id".x',
      '17:11 providers.q.models.discovery.command',
    ])
  })

  it('keep their places in a file with byte order mark and CRLF (CAT-139)', async () => {
    expect(places(await problems('\ufeffa = 1\r\n[daemon]\r\nb = "\u00e9" # x\r\nc = 1\r\n'))).toEqual([
      '1:1 a',
      '3:1 daemon.b',
      '4:1 daemon.c',
    ])
  })
})

describe('text that is not TOML', () => {
  it.each([
    ['a repeated key', '[daemon]\nport = 1\nport = 2', '3:1'],
    ['a repeated table', '[daemon]\n[providers.x]\n[daemon]', '3:2'],
    ['a list of tables that was a table', '[providers.x.models.curated]\n[[providers.x.models.curated]]', '2:3'],
    ['a value without quotes', '[daemon]\nhost = localhost', '2:8'],
    ['an open string', 'a = "x', '1:5'],
    ['a missing value', 'a =', '1:4'],
    ['no key', '= 1', '1:1'],
    ['two pairs on a line', 'a = 1 b = 2', '1:7'],
    ['JSON', '{"daemon": {}}', '1:1'],
    ['a lone carriage return', 'a = 1\rb = 2', '1:6'],
    ['a NUL', '[daemon]\n# \0', '2:3'],
    ['endless nesting', `a = ${'['.repeat(50_000)}`, '1:69'],
  ])('%s is an error with its place', async (_, text, place) => {
    const found = await problem(text)
    expect(`${found.line}:${found.column}`).toBe(place)
    expect(found.expected).toBeTruthy()
    expect(found.message).not.toContain('\n')
  })

  it('is refused above 1 MiB, without being read', async () => {
    const found = await problem(`# ${'x'.repeat(5 * MAX_CONFIG_BYTES)}`)
    expect(found.message).toContain('1 MiB')
    expect(await problems(`#${'x'.repeat(MAX_CONFIG_BYTES - 1)}`)).toEqual([])
  })

  it('counts bytes, not characters, for that', async () => {
    expect(await problems(`#${'é'.repeat(MAX_CONFIG_BYTES / 2)}`)).toHaveLength(1)
  })
})

describe('secrets', () => {
  const SECRET = 'sk-canary-4242424242'

  it.each([
    `[providers.x]\napi_key = ["${SECRET}"]`,
    `[providers.x]\napi_keys = "${SECRET}"`,
    `[providers.x]\nkind = "${SECRET}"`,
    `[providers.x]\nbase_url = "${SECRET}"`,
    `[providers.x]\nbase_url = "https://u:${SECRET}@host/"`,
    `[providers.x]\nmodels = "${SECRET}"`,
    `[model_catalog.sources.models_dev]\nttl = "${SECRET}"`,
    `[daemon]\nhost = "${SECRET}"`,
    `key = ${SECRET}`,
    `key = "${SECRET}`,
    `key = 1 ${SECRET}`,
    `key = 1\nkey = "${SECRET}"`,
  ])('are not repeated in any message: %j', async (text) => {
    const found = await problems(text)
    expect(found.length).toBeGreaterThan(0)
    expect(JSON.stringify(found)).not.toContain('canary')
  })
})

describe('any text', () => {
  const pieces = fc.constantFrom(
    ...[
      '[',
      ']',
      '[[',
      ']]',
      '{',
      '}',
      '=',
      '.',
      ',',
      '"',
      "'",
      '"""',
      '\n',
      '\r\n',
      '#',
      ' ',
      '\\u',
      '\0',
      '\ufeff',
      '1',
      '-',
      'e',
      'nan',
      'true',
    ],
    ...[
      '2026-01-01',
      '0x',
      'daemon',
      'providers',
      'models',
      'curated',
      'id',
      'default',
      '__proto__',
      'reasoning_efforts',
      'low',
      'x',
      'é',
      '💥',
    ],
  )
  const tomlLike = fc.array(pieces, { maxLength: 60 }).map((parts) => parts.join(''))

  it('gives a configuration or problems with their places, and never throws', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(tomlLike, fc.string({ unit: 'binary' })), async (text) => {
        const parsed = await parseConfig(text, FILE)
        if (parsed.ok) return
        expect(parsed.problems.length).toBeGreaterThan(0)
        for (const found of parsed.problems) {
          expect(found.line).toBeGreaterThan(0)
          expect(found.column).toBeGreaterThan(0)
        }
      }),
      { numRuns: 2_000 },
    )
  })

  const value = fc.letrec((tie) => ({
    node: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom('1', '-1', '1.5', 'nan', '"low"', '"x"', '""', 'true', '2026-01-01', '99999999999999999999'),
      fc.array(tie('node'), { maxLength: 3 }).map((items) => `[${items.join(', ')}]`),
      fc
        .dictionary(
          fc.constantFrom('id', 'x', 'default', 'curated', 'reasoning_efforts', 'default_reasoning_effort', 'models'),
          tie('node'),
          { maxKeys: 3 },
        )
        .map(
          (table) =>
            `{ ${Object.entries(table)
              .map(([key, item]) => `${key} = ${item}`)
              .join(', ')} }`,
        ),
    ),
  })).node

  it('that is TOML of any shape gives problems with path, place and what to write', async () => {
    const path = fc.constantFrom(
      'daemon',
      'providers',
      'providers.x',
      'providers.x.models',
      'providers.x.models.curated',
      'model_catalog',
    )
    await fc.assert(
      fc.asyncProperty(path, value, async (key, toml) => {
        const parsed = await parseConfig(`${key} = ${String(toml)}`, FILE)
        if (parsed.ok) return
        for (const found of parsed.problems) {
          expect(found.line).toBe(1)
          expect(found.column).toBeGreaterThan(0)
          expect(found.path).toMatch(/^[a-z]/)
          expect(found.expected).toBeTruthy()
          expect(found.expected).not.toBe('another value')
        }
      }),
      { numRuns: 1_000 },
    )
  })
})
