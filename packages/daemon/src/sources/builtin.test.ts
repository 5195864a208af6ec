import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ProviderId } from '@signalbox/contract/ids'
import { Model } from '@signalbox/contract/model'
import type { StatedRow } from '@signalbox/contract/row'
import { compareBytes } from '@signalbox/core/bytes'
import { FIELDS } from '@signalbox/core/catalog/facts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { builtinSource, loadBuiltin } from './builtin.ts'
import { contentHash, encodeBuiltin } from './builtin-file.ts'
import { builtinProvider } from './builtin-provider.ts'
import { API_KINDS } from './models-dev/api-kind.ts'
import { translateModelsDev } from './models-dev/translate.ts'

const SHIPPED = join(import.meta.dirname, '../../../../data/builtin.json')

let dir: string
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'signalbox-builtin-'))
})
afterAll(() => rmSync(dir, { recursive: true, force: true }))

function write(text: string | Buffer): string {
  const file = join(dir, 'builtin.json')
  writeFileSync(file, text)
  return file
}

/** Every kind of fact, stated and unstated; ids that differ only in what must not be normalised; text that is hard to write. */
const DOCUMENT = {
  zeta: {
    name: 'Zeta',
    api: 'https://zeta.test/v1',
    npm: '@ai-sdk/openai-compatible',
    env: ['ZETA_API_KEY'],
    doc: 'https://zeta.test/docs',
    models: Object.fromEntries(
      [
        {
          id: 'vendor/M:free',
          name: 'M',
          reasoning: false,
          tool_call: true,
          cost: { input: 0, output: 0 },
          limit: { context: 0 },
        },
        {
          id: 'vendor/m:free',
          name: 'M',
          reasoning: true,
          tool_call: false,
          status: 'deprecated',
          release_date: '2026-01',
        },
        { id: 'lone\ud800', name: 'tab\tand \u0007 and "\\"\u2028', family: 'ü', status: 'beta' },
        { id: '\u{1f600}' },
        { id: '\ue000' },
        {
          id: 'all',
          reasoning_options: [{ type: 'effort', values: ['none', 'high'] }],
          modalities: { input: ['text', 'image'], output: ['text'] },
          limit: { context: 9_007_199_254_740_991, input: 1, output: 2 },
          cost: {
            input: 0.1,
            output: 1e-7,
            cache_read: 1e21,
            cache_write: 3,
            tiers: [{ input: 1, output: 2, tier: { type: 'context', size: 200_000 } }],
          },
        },
      ].map((model) => [model.id, model]),
    ),
  },
  acme: { models: { same: { id: 'same', cost: { input: 1 } }, other: { id: 'other', cost: { input: 1 } } } },
  hollow: { models: {} },
}

function build(date = '2026-09-27'): string {
  const { lists, providers } = translateModelsDev(DOCUMENT)
  return encodeBuiltin({
    date,
    lists,
    providers: new Map(providers.map((one) => [one.provider_id, builtinProvider(one, [])])),
  })
}

const sorted = (rows: readonly StatedRow[]) => rows.toSorted((a, b) => compareBytes(a.model_id, b.model_id))

describe('a built-in catalog', () => {
  it('holds exactly what was translated, in byte order', () => {
    const { lists } = loadBuiltin(write(build()))
    const expected = translateModelsDev(DOCUMENT).lists.toSorted((a, b) => compareBytes(a.provider_id, b.provider_id))
    expect(lists.map(({ provider_id, rows }) => ({ provider_id, rows }))).toEqual(
      expected.map(({ provider_id, rows }) => ({ provider_id, rows: sorted(rows) })),
    )
    // The same keys in the same order, so that both sources' rows have one shape.
    expect(Object.keys(lists[2]?.rows[0]?.facts ?? {})).toEqual(FIELDS)
  })

  it('stamps its lists with the date of the data and lets them never age (CAT-174)', () => {
    const catalog = loadBuiltin(write(build()))
    expect(catalog).toMatchObject({ date: '2026-09-27', refreshedAt: Date.UTC(2026, 8, 27) })
    expect(catalog.lists[0]).toMatchObject({
      source_id: 'builtin',
      provider_id: 'acme',
      refreshed_at: Date.UTC(2026, 8, 27),
      fresh_until: null,
      failed: false,
    })
  })

  it('says what is known about each provider', () => {
    const { providers } = loadBuiltin(write(build()))
    expect([...providers]).toEqual([
      ['acme', { name: null, base_url: null, api: null, env: [], docs: null }],
      ['hollow', { name: null, base_url: null, api: null, env: [], docs: null }],
      [
        'zeta',
        {
          name: 'Zeta',
          base_url: 'https://zeta.test/v1',
          api: 'openai-completions',
          env: ['ZETA_API_KEY'],
          docs: 'https://zeta.test/docs',
        },
      ],
    ])
  })

  it('decodes a list once, and keeps it through a copy of the list', () => {
    const [list] = loadBuiltin(write(build())).lists
    expect(list?.rows).toBe(list?.rows)
    expect({ ...list }.rows).toBe(list?.rows)
  })

  it('is the same bytes for the same content in any order, and one JSON document', () => {
    const { lists, providers } = translateModelsDev(DOCUMENT)
    const described = new Map(providers.map((one) => [one.provider_id, builtinProvider(one, [])]))
    const turned = lists.toReversed().map(({ provider_id, rows }) => ({ provider_id, rows: rows.toReversed() }))
    const text = build()
    expect(encodeBuiltin({ date: '2026-09-27', lists: turned, providers: described })).toBe(text)
    expect(JSON.parse(text)).toHaveLength(3 + lists.length)
  })

  it('has another hash for another date, because the date is in its rows', () => {
    expect(loadBuiltin(write(build('2026-09-28'))).hash).not.toBe(loadBuiltin(write(build())).hash)
  })

  it('refuses to be built from rows that state what it cannot hold', () => {
    const [list] = translateModelsDev(DOCUMENT).lists
    const [row] = list?.rows ?? []
    if (list === undefined || row === undefined) throw new Error('the document has rows')
    const stated: StatedRow = { ...row, available: true }
    const content = { date: '2026-09-27', lists: [{ ...list, rows: [stated] }], providers: new Map() }
    expect(() => encodeBuiltin(content)).toThrow(RangeError)
  })
})

describe('a built-in catalog that is not as it was shipped', () => {
  const refuses = (file: string, message: string) =>
    expect(() => loadBuiltin(file)).toThrow(
      expect.objectContaining({ code: 'internal', message: expect.stringContaining(message) }),
    )

  it('is refused when it is missing or a directory', () => {
    refuses(join(dir, 'absent.json'), 'the built-in catalog cannot be read (ENOENT)')
    refuses(dir, 'the built-in catalog cannot be read (EISDIR)')
  })

  it.each([
    ['empty', ''],
    ['other JSON', '{}'],
    ['only its beginning', '[\n{"format":1}\n'],
  ])('is refused when it is %s', (_, text) => refuses(write(text), 'damaged: it is incomplete'))

  it.each([
    ['garbage', 'x', 'a line of it is not JSON'],
    ['null', 'null', 'it has no header'],
    ['another format', '{"format":2}', 'its format is not 1'],
    ['no date', '{"format":1,"date":"soon"}', 'its header has no date'],
    ['no hash', '{"format":1,"date":"2026-09-27"}', 'its header is incomplete'],
  ])('is refused when its header is %s', (_, header, message) => {
    const [first, , ...rest] = build().split('\n')
    refuses(write([first, `${header},`, ...rest].join('\n')), message)
  })

  it('is refused when it is cut short or changed in any byte of its content', () => {
    const good = Buffer.from(build())
    const content = good.indexOf('\n', 2) + 1
    refuses(write(good.subarray(0, good.length - 1)), 'its content is not what its header says')
    for (const at of [content, content + 40, good.length - 10]) {
      const bad = Buffer.from(good)
      bad[at] = (bad[at] ?? 0) ^ 1
      refuses(write(bad), 'its content is not what its header says')
    }
  })

  it.each([
    ['providers', { providers: 2, models: 1 }, ''],
    ['models', { providers: 1, models: 2 }, '[0],\n'],
    ['lines', { providers: 1, models: 1 }, ''],
  ])('is refused when it holds other %s than its header says', (_, counts, columns) => {
    const content = `[["a",1,null,null,null,[],null]],\n{},\n${columns}]\n`
    const header = { format: 1, date: '2026-09-27', sha256: contentHash('2026-09-27', content), ...counts }
    refuses(write(`[\n${JSON.stringify(header)},\n${content}`), 'it does not hold as much as its header says')
  })
})

describe('the built-in source', () => {
  it('asks nobody and, read once at start, never has news (CAT-174)', async () => {
    const catalog = loadBuiltin(write(build()))
    const source = builtinSource(catalog)
    expect(source).toMatchObject({ id: 'builtin', kind: 'builtin', network: false, ttlMs: null, enabled: true })
    expect(source.identity).toBe(catalog.hash)
    const call = { provider_id: null, signal: new AbortController().signal, now: 0, validators: {} }
    expect(await source.list(call)).toEqual({ kind: 'unchanged' })
  })
})

describe('the built-in catalog that ships', () => {
  const catalog = loadBuiltin(SHIPPED)

  it('holds 8,261 models of 225 providers, as of 2026-09-27 (CAT-173)', () => {
    expect(catalog.date).toBe('2026-09-27')
    expect(catalog.lists).toHaveLength(225)
    expect(catalog.lists.reduce((sum, list) => sum + list.rows.length, 0)).toBe(8261)
  })

  it('feeds each of the 225 models.dev providers under its own id (CAT-177)', () => {
    const ids = catalog.lists.map((list) => list.provider_id)
    for (const id of ids) expect(ProviderId.safeParse(id).success).toBe(true)
    const document = Object.fromEntries(ids.map((id) => [id, { id, models: { m: { id: 'm' } } }]))
    expect(translateModelsDev(document).lists.map((list) => list.provider_id)).toEqual(ids)
    expect([...catalog.providers.keys()]).toEqual(ids)
    expect(ids).toEqual(expect.arrayContaining(['anthropic', 'google', 'moonshotai', 'openai', 'vercel']))
  })

  it('states only what the contract allows', () => {
    const {
      context_window,
      max_input_tokens,
      max_output_tokens,
      reasoning_efforts,
      modalities,
      release_date,
      lifecycle,
      cost,
    } = Model.shape
    for (const { facts } of catalog.lists.flatMap((list) => list.rows)) {
      context_window.parse(facts.context_window)
      max_input_tokens.parse(facts.max_input_tokens)
      max_output_tokens.parse(facts.max_output_tokens)
      reasoning_efforts.parse(facts.reasoning_efforts)
      modalities.parse(facts.modalities)
      release_date.parse(facts.release_date)
      lifecycle.parse(facts.lifecycle)
      cost.parse({
        input_per_million: facts.cost_input_per_million,
        output_per_million: facts.cost_output_per_million,
        cache_read_per_million: facts.cost_cache_read_per_million,
        cache_write_per_million: facts.cost_cache_write_per_million,
        tiers: facts.cost_tiers,
      })
    }
  })

  it('keeps free prices and unknown limits apart (CAT-179)', () => {
    const facts = catalog.lists.flatMap((list) => list.rows.map((row) => row.facts))
    expect(facts.filter((one) => one.context_window === null)).toHaveLength(143)
    expect(facts.some((one) => one.cost_input_per_million === 0)).toBe(true)
    expect(facts.some((one) => one.cost_input_per_million === null)).toBe(true)
  })

  it('has efforts as stated, none as off (CAT-180)', () => {
    const row = catalog.lists
      .find((list) => list.provider_id === 'openai')
      ?.rows.find((one) => one.model_id === 'gpt-5.4')
    expect(row?.facts.reasoning_efforts).toEqual(['off', 'low', 'medium', 'high', 'xhigh'])
  })

  it('names the API and address of the large providers', () => {
    const of = (id: string) => catalog.providers.get(ProviderId.parse(id))
    expect(of('anthropic')).toMatchObject({ api: 'anthropic-messages', base_url: 'https://api.anthropic.com/v1' })
    expect(of('openai')).toMatchObject({
      api: 'openai-responses',
      base_url: 'https://api.openai.com/v1',
      env: ['OPENAI_API_KEY'],
    })
    expect(of('google')).toMatchObject({ api: 'google-generative-ai' })
    for (const { api } of catalog.providers.values()) expect([...API_KINDS, null]).toContain(api)
  })

  it('holds no descriptions', () => {
    expect(readFileSync(SHIPPED, 'utf8')).not.toContain('Agent-ready GPT for coding')
  })
})
