import type { ProviderId } from '@signalbox/contract/ids'
import { describe, expect, it } from 'vitest'
import { CallError } from '../../http/failures.ts'
import type { Dialect } from './dialect.ts'
import { DIALECTS } from './dialects.ts'
import { type Get, listModels, PAGES_MAX, ROWS_MAX } from './list-pages.ts'

const provider_id = 'acme' as ProviderId

/** A server that answers these paths and is asked for a record of all calls. */
function server(answer: (url: URL) => unknown) {
  const asked: string[] = []
  const get: Get = async (url) => {
    asked.push(url.replace('http://h', ''))
    const document = answer(new URL(url))
    if (typeof document !== 'number') return { document, damaged: false }
    throw new CallError({ kind: 'status', status: document, retryAfter: null }, `HTTP ${document}`)
  }
  return { asked, get }
}

const list = (dialect: Dialect, get: Get) => listModels({ provider_id, dialect, base_url: 'http://h', get })
const ids = (names: readonly string[]) => names.map((id) => ({ id }))

describe('a list of several pages', () => {
  it('is followed to its end, with the headers of the dialect (CAT-154, CAT-212)', async () => {
    const seen: unknown[] = []
    const { asked, get } = server(({ searchParams }) => {
      const after = searchParams.get('after_id')
      if (after === null) return { data: ids(['a', 'b']), has_more: true, last_id: 'b' }
      return after === 'b' ? { data: ids(['c']), has_more: true, last_id: 'c' } : { data: ids(['d']), has_more: false }
    })
    const { rows } = await list(DIALECTS.anthropic, (url, headers) => {
      seen.push(headers)
      return get(url, headers)
    })
    expect(rows.map(({ model_id }) => model_id)).toEqual(['a', 'b', 'c', 'd'])
    expect(asked).toEqual([
      '/v1/models?limit=1000',
      '/v1/models?limit=1000&after_id=b',
      '/v1/models?limit=1000&after_id=c',
    ])
    expect(seen).toEqual(Array(3).fill({ 'anthropic-version': '2023-06-01' }))
  })

  it('is failed at the first cursor that comes again (CAT-154)', async () => {
    let page = 0
    const { asked, get } = server(() => ({ models: [{ name: `m${page}` }], nextPageToken: ['x', 'y', 'x'][page++] }))
    await expect(list(DIALECTS.google, get)).rejects.toThrow('repeats a page')
    expect(asked).toHaveLength(3)
  })

  it('is failed when it has no end after 100 pages (CAT-154)', async () => {
    let page = 0
    const { asked, get } = server(() => ({ models: [{ name: `m${page}` }], nextPageToken: `t${page++}` }))
    await expect(list(DIALECTS.google, get)).rejects.toMatchObject({
      code: 'source_failed',
      message: /more than 100 pages/,
    })
    expect(asked).toHaveLength(PAGES_MAX)
  })

  it('may have exactly 100 pages (CAT-154)', async () => {
    let page = 0
    const { get } = server(() => ({
      models: [{ name: `m${page}` }],
      nextPageToken: ++page < PAGES_MAX ? `t${page}` : '',
    }))
    expect((await list(DIALECTS.google, get)).rows).toHaveLength(PAGES_MAX)
  })

  it('is failed when it is cut off, or when a later page fails (CAT-154)', async () => {
    const cut = server(() => ({ data: ids(['a']), has_more: true, last_id: null }))
    await expect(list(DIALECTS.anthropic, cut.get)).rejects.toThrow('cut off')
    const broken = server(({ searchParams }) =>
      searchParams.has('pageToken') ? 500 : { models: [{ name: 'a' }], nextPageToken: 'x' },
    )
    await expect(list(DIALECTS.google, broken.get)).rejects.toThrow('HTTP 500')
    const changed = server(({ searchParams }) =>
      searchParams.has('pageToken') ? {} : { models: [{ name: 'a' }], nextPageToken: 'x' },
    )
    await expect(list(DIALECTS.google, changed.get)).rejects.toMatchObject({ failure: { kind: 'not_a_list' } })
  })

  it('is failed when it holds more models than any provider has (CAT-154)', async () => {
    const names = Array.from({ length: ROWS_MAX + 1 }, (_, at) => `m${at}`)
    await expect(list(DIALECTS.openai, server(() => ({ data: ids(names) })).get)).rejects.toThrow(
      'more than 20000 models',
    )
  })

  it('rejects an id that an earlier page had, under the provider that was asked (CAT-155)', async () => {
    const { get } = server(({ searchParams }) =>
      searchParams.has('pageToken')
        ? { models: [{ name: 'a' }, { name: 'b' }] }
        : { models: [{ name: 'a' }], nextPageToken: 'x' },
    )
    const { rows, rejected } = await list(DIALECTS.google, get)
    expect(rows.map(({ model_id }) => model_id)).toEqual(['a', 'b'])
    expect(rejected).toEqual([{ provider_id, model_id: 'a', reason: 'the id is repeated' }])
  })
})

describe('a server of another version', () => {
  it('is asked in turn until one path answers with a list (CAT-220)', async () => {
    const { asked, get } = server(({ pathname }) => {
      if (pathname === '/api/v1/models') return { error: 'Unexpected endpoint or method.' }
      return pathname === '/api/v0/models' ? 404 : { data: ids(['a']) }
    })
    expect((await list(DIALECTS['lm-studio'], get)).rows).toHaveLength(1)
    expect(asked).toEqual(['/api/v1/models', '/api/v0/models', '/v1/models'])
  })

  it('is told by its first refusal when no path answers, and asked no further when it refuses otherwise (CAT-217, CAT-223)', async () => {
    const none = server(() => 404)
    await expect(list(DIALECTS['openai-compatible'], none.get)).rejects.toMatchObject({ failure: { status: 404 } })
    expect(none.asked).toEqual(['/v1/models', '/models'])
    const closed = server(() => 401)
    await expect(list(DIALECTS['openai-compatible'], closed.get)).rejects.toMatchObject({ failure: { status: 401 } })
    expect(closed.asked).toEqual(['/v1/models'])
  })

  it('is asked only once where two paths are one address (CAT-217)', async () => {
    const { asked, get } = server(() => 404)
    const request = { provider_id, dialect: DIALECTS['openai-compatible'], base_url: 'http://h/v1', get }
    await expect(listModels(request)).rejects.toThrow()
    expect(asked).toEqual(['/v1/models'])
  })
})

describe('a provider with two lists', () => {
  const models = { modelSummaries: [{ modelId: 'a' }] }

  it('gives both (CAT-216)', async () => {
    const { get } = server(({ pathname }) =>
      pathname === '/foundation-models' ? models : { inferenceProfileSummaries: [{ inferenceProfileId: 'us.a' }] },
    )
    expect((await list(DIALECTS['amazon-bedrock'], get)).rows.map(({ model_id }) => model_id)).toEqual(['a', 'us.a'])
  })

  it('gives the first where the credential may not read the second, and fails where it cannot be read (CAT-154)', async () => {
    const second = (status: number) =>
      server(({ pathname }) => (pathname === '/foundation-models' ? models : status)).get
    expect((await list(DIALECTS['amazon-bedrock'], second(403))).rows).toHaveLength(1)
    await expect(list(DIALECTS['amazon-bedrock'], second(500))).rejects.toThrow('HTTP 500')
  })
})

describe('a local server', () => {
  it('is asked for what its list does not say (CAT-218)', async () => {
    const { get } = server(() => ({ models: [{ model: 'a' }] }))
    const ask = async (path: string) => (path === '/api/ps' ? { models: [{ model: 'a', context_length: 4096 }] } : null)
    const { rows, loaded } = await listModels({
      provider_id,
      dialect: DIALECTS.ollama,
      base_url: 'http://h/v1',
      get,
      ask,
    })
    expect(rows[0]?.facts.context_window).toBe(4096)
    expect(loaded).toEqual(['a'])
  })
})
