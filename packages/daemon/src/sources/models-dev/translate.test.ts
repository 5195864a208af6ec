import { NO_FACTS } from '@signalbox/core/catalog/facts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { translateModelsDev } from './translate.ts'
import { ROW_BYTES_MAX } from './weigh.ts'

/** Parsed text, because own `__proto__` keys exist only in JSON. */
const provider = (...models: readonly string[]) =>
  JSON.parse(`{"acme":{"id":"acme","models":{${models.map((model, at) => `"m${at}":${model}`).join()}}}}`) as unknown

const only = (fields: object) => {
  const { lists, rejected } = translateModelsDev({ acme: { models: { m: { id: 'm', ...fields } } } })
  expect(rejected).toEqual([])
  const facts = lists[0]?.rows[0]?.facts
  if (facts === undefined) throw new Error('the model was not translated')
  return facts
}

const reasons = (document: unknown) => translateModelsDev(document).rejected

describe('a models.dev model', () => {
  it('becomes a row with every fact it states', () => {
    const facts = only({
      name: 'Model M',
      description: 'never kept',
      family: 'em',
      reasoning: true,
      tool_call: false,
      release_date: '2026-03-05',
      status: 'beta',
      modalities: { input: ['text', 'image'], output: ['text'] },
      limit: { context: 1_050_000, input: 922_000, output: 128_000 },
      cost: { input: 2.5, output: 15, cache_read: 0.25, cache_write: 3 },
    })
    expect(facts).toEqual({
      ...NO_FACTS,
      display_name: 'Model M',
      family: 'em',
      supports_reasoning: true,
      supports_tools: false,
      release_date: '2026-03-05',
      lifecycle: 'preview',
      modalities: { input: ['text', 'image'], output: ['text'] },
      context_window: 1_050_000,
      max_input_tokens: 922_000,
      max_output_tokens: 128_000,
      cost_input_per_million: 2.5,
      cost_output_per_million: 15,
      cost_cache_read_per_million: 0.25,
      cost_cache_write_per_million: 3,
    })
    expect(JSON.stringify(facts)).not.toContain('never kept')
  })

  it('states nothing where it says nothing or nonsense', () => {
    expect(only({})).toEqual(NO_FACTS)
    const nonsense = {
      name: 5,
      family: '',
      reasoning: 'yes',
      tool_call: 1,
      release_date: 'soon',
      status: 'constructor',
    }
    expect(only({ ...nonsense, modalities: { input: ['text'] }, limit: 7, cost: [1], reasoning_options: {} })).toEqual(
      NO_FACTS,
    )
  })

  it('has the keys of every other row in the same order', () => {
    expect(Object.keys(only({ cost: { output: 1 }, name: 'x' }))).toEqual(Object.keys(NO_FACTS))
  })

  it.each([0, -1, 1.5, '8000', null, 2 ** 60])('has an unknown limit where it says %j (CAT-179)', (limit) => {
    const facts = only({ limit: { context: limit, input: limit, output: limit } })
    expect([facts.context_window, facts.max_input_tokens, facts.max_output_tokens]).toEqual([null, null, null])
  })

  it.each([
    [0, 0],
    [-0, 0],
    [0.075, 0.075],
    [-1, null],
    ['1', null],
    [null, null],
  ])('reads the price %j as %j (CAT-179)', (price, expected) => {
    expect(only({ cost: { input: price } }).cost_input_per_million).toBe(expected)
  })

  it('keeps efforts in their order, none as off, without unknown or repeated words (CAT-180)', () => {
    const options = [
      { type: 'toggle' },
      { type: 'effort', values: ['high', 'none', null, 'default', 'low', 'high'] },
      { type: 'budget_tokens', min: 1024, values: ['max'] },
    ]
    expect(only({ reasoning_options: options }).reasoning_efforts).toEqual(['high', 'off', 'low'])
  })

  it.each([
    [[]],
    [[{ type: 'toggle' }]],
    [[{ type: 'effort', values: [null, 'default'] }]],
    [[{ type: 'effort' }]],
    [null],
  ])('has unknown efforts where its options are %j (CAT-180)', (reasoning_options) => {
    expect(only({ reasoning: true, reasoning_options }).reasoning_efforts).toBeNull()
  })

  it.each([
    ['deprecated', 'deprecated'],
    ['beta', 'preview'],
    ['alpha', 'preview'],
    [undefined, null],
  ])('with status %j has lifecycle %j', (status, expected) => {
    expect(only({ status }).lifecycle).toBe(expected)
  })

  it.each(['2026', '2026-03', '2026-03-05'])('keeps the release date %s', (release_date) => {
    expect(only({ release_date }).release_date).toBe(release_date)
  })

  it('orders price tiers by size and drops those it cannot use', () => {
    const tiers = [
      { input: 8, tier: { type: 'context', size: 512_000 } },
      { input: 4, output: 0, cache_read: 1, cache_write: 2, tier: { type: 'context', size: 128_000 } },
      { input: 9, tier: { type: 'context', size: 128_000 } },
      { input: 1, tier: { type: 'time', size: 1 } },
      { input: 1, tier: { type: 'context', size: 0 } },
      { tier: { type: 'context', size: 5 } },
    ]
    const unstated = { output_per_million: null, cache_read_per_million: null, cache_write_per_million: null }
    expect(only({ cost: { tiers, context_over_200k: { input: 7 } } }).cost_tiers).toEqual([
      {
        above_context_tokens: 128_000,
        input_per_million: 4,
        output_per_million: 0,
        cache_read_per_million: 1,
        cache_write_per_million: 2,
      },
      { above_context_tokens: 512_000, input_per_million: 8, ...unstated },
    ])
  })

  it('takes the legacy tier where there are no others', () => {
    expect(only({ cost: { context_over_200k: { input: 7, output: 14 } } }).cost_tiers).toEqual([
      {
        above_context_tokens: 200_000,
        input_per_million: 7,
        output_per_million: 14,
        cache_read_per_million: null,
        cache_write_per_million: null,
      },
    ])
  })
})

describe('a models.dev catalog', () => {
  it('keeps provider ids and model ids byte for byte (CAT-015, CAT-177)', () => {
    const ids = ['openai/gpt-5.4', 'gpt-5.4', '@cf/Meta:Llama-4', 'a b\u0007', '\ud800']
    const models = Object.fromEntries(ids.map((id) => [id, { id }]))
    const { lists, rejected } = translateModelsDev({ 'llama.cpp_2-x': { models }, '01ai': { models: {} } })
    expect(lists.map((list) => list.provider_id)).toEqual(['llama.cpp_2-x', '01ai'])
    expect(lists[0]?.rows.map((row) => row.model_id)).toEqual(ids)
    expect(rejected).toEqual([])
  })

  it('drops and names bad rows and keeps the rest (CAT-155)', () => {
    const { lists, rejected } = translateModelsDev(
      provider(
        '{"id":"good"}',
        '{}',
        '{"id":""}',
        '{"id":7}',
        'null',
        '"text"',
        '[]',
        '{"id":"good","name":"again"}',
        '{"id":"last"}',
      ),
    )
    expect(lists[0]?.rows.map((row) => row.model_id)).toEqual(['good', 'last'])
    expect(lists[0]?.rows[0]?.facts.display_name).toBeNull()
    expect(rejected).toEqual([
      { provider_id: 'acme', model_id: null, reason: 'no id' },
      { provider_id: 'acme', model_id: null, reason: 'no id' },
      { provider_id: 'acme', model_id: null, reason: 'no id' },
      { provider_id: 'acme', model_id: null, reason: 'not an object' },
      { provider_id: 'acme', model_id: null, reason: 'not an object' },
      { provider_id: 'acme', model_id: null, reason: 'not an object' },
      { provider_id: 'acme', model_id: 'good', reason: 'the id is repeated' },
    ])
  })

  it('drops a row above 1 MiB, and not one of exactly that size (CAT-155)', () => {
    const empty = JSON.stringify({ id: 'm', description: '' }).length
    const sized = (bytes: number, unit = 'x') => ({ id: 'm', description: unit.repeat(bytes - empty) })
    const document = (model: object) => ({ acme: { models: { m: model } } })
    expect(reasons(document(sized(ROW_BYTES_MAX)))).toEqual([])
    const tooLarge = [{ provider_id: 'acme', model_id: 'm', reason: 'larger than 1 MiB' }]
    expect(reasons(document(sized(ROW_BYTES_MAX + 1)))).toEqual(tooLarge)
    // Bytes count, not characters.
    expect(reasons(document(sized(ROW_BYTES_MAX / 2, 'ä')))).toEqual([])
    expect(reasons(document(sized(ROW_BYTES_MAX / 2 + empty, 'ä')))).toEqual(tooLarge)
  })

  it('names a huge id by its beginning', () => {
    const [rejected] = reasons({ acme: { models: { m: { id: 'i'.repeat(ROW_BYTES_MAX) } } } })
    expect(rejected?.reason).toBe('larger than 1 MiB')
    expect(rejected?.model_id).toBe('i'.repeat(200))
  })

  it('drops a row that nests without end instead of exhausting the stack (CAT-155)', () => {
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`
    expect(reasons(provider(`{"id":"deep","x":${deep}}`, '{"id":"good"}'))).toEqual([
      { provider_id: 'acme', model_id: 'deep', reason: 'nested too deeply' },
    ])
  })

  it('drops the rows that invalid UTF-8 hit, and only those (CAT-155)', () => {
    const models = { a: { id: 'a', name: 'caf\ufffd' }, b: { id: 'b' }, c: { id: 'c', x: { 'k\ufffd': [1] } } }
    const document = { acme: { models } }
    expect(translateModelsDev(document, { damaged: true }).rejected).toEqual([
      { provider_id: 'acme', model_id: 'a', reason: 'not valid UTF-8' },
      { provider_id: 'acme', model_id: 'c', reason: 'not valid UTF-8' },
    ])
    expect(translateModelsDev(document).rejected).toEqual([])
  })

  it('drops providers that are none and names them', () => {
    const { lists, rejected } = translateModelsDev({
      'Bad Id': { models: {} },
      empty: null,
      flat: { models: [] },
      fine: { models: {} },
    })
    expect(lists).toEqual([{ provider_id: 'fine', rows: [] }])
    expect(rejected).toEqual([
      { provider_id: null, model_id: null, reason: 'the provider id is not well-formed' },
      { provider_id: 'empty', model_id: null, reason: 'the provider has no models object' },
      { provider_id: 'flat', model_id: null, reason: 'the provider has no models object' },
    ])
  })

  it('pollutes no prototype', () => {
    const text =
      '{"__proto__":{"models":{"m":{"id":"m"}}},"acme":{"models":{"__proto__":{"id":"__proto__","__proto__":{"name":"polluted"},"limit":{"__proto__":{"context":5}}}}}}'
    const { lists } = translateModelsDev(JSON.parse(text))
    expect(lists.map((list) => list.provider_id)).toEqual(['acme'])
    expect(lists[0]?.rows[0]).toMatchObject({ model_id: '__proto__', facts: NO_FACTS })
    expect(Object.hasOwn(Object.prototype, 'name') || Object.hasOwn(Object.prototype, 'models')).toBe(false)
  })

  it('keeps what it says about each provider', () => {
    const acme = {
      name: 'Acme',
      api: 'https://api.acme.test/v1',
      npm: '@ai-sdk/openai',
      env: ['ACME_API_KEY', 5],
      doc: 'https://acme.test',
      models: {},
    }
    expect(translateModelsDev({ acme, bare: { models: {} } }).providers).toEqual([
      {
        provider_id: 'acme',
        name: 'Acme',
        base_url: 'https://api.acme.test/v1',
        npm: '@ai-sdk/openai',
        env: ['ACME_API_KEY'],
        docs: 'https://acme.test',
      },
      { provider_id: 'bare', name: null, base_url: null, npm: null, env: [], docs: null },
    ])
  })

  it.each([null, 5, 'text', []])('refuses %j as a catalog', (document) => {
    expect(() => translateModelsDev(document)).toThrow(expect.objectContaining({ code: 'source_failed' }))
  })

  it('accounts for every model, whatever it is: a row or a rejection, and never a throw', () => {
    const model = fc.oneof(fc.jsonValue(), fc.record({ id: fc.string(), limit: fc.jsonValue(), cost: fc.jsonValue() }))
    fc.assert(
      fc.property(fc.dictionary(fc.string(), model), (models) => {
        const { lists, rejected } = translateModelsDev({ acme: { models } })
        expect((lists[0]?.rows.length ?? 0) + rejected.length).toBe(Object.keys(models).length)
      }),
    )
  })
})
