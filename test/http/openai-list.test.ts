import OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import { OpenAIModelList } from '../../packages/contract/src/openai.ts'
import { overTcpWithoutToken, rawBytes, tokenOf } from '../harness/http.ts'
import { QUIET_CONFIG } from '../harness/temp-home.ts'
import { modelsOf, oneDaemon, openaiErrorOf, refreshesDuring } from './one-daemon.ts'

const daemon = oneDaemon(
  () => `${QUIET_CONFIG}\n[[providers.mine.models.curated]]\nid = "gpt-5.2"\ncontext_window = 7\n`,
)
const PATH = '/api/openai/v1/models'
const list = async (query = '') => OpenAIModelList.parse((await daemon().overTcp(`${PATH}${query}`)).json())

describe('the OpenAI list', () => {
  it('has one entry per model of the native list, in its order (CAT-093)', async () => {
    const native = modelsOf(await daemon().overTcp('/api/providers/models?include_stale=true'))
    const { object, data } = await list()
    expect(object).toBe('list')
    expect(data.length).toBe(native.length)
    expect(data.map(({ owned_by, id }) => `${owned_by}/${id}`)).toEqual(
      native.map((model) => `${model.provider_id}/${model.model_id}`),
    )
  })

  it('is narrowed by provider_id (CAT-093)', async () => {
    const { data } = await list('?provider_id=mine')
    expect(data.map(({ id }) => id)).toEqual(['gpt-5.2'])
    expect((await list('?provider_id=nobody')).data).toEqual([])
  })

  it('repeats an id that two providers serve, unchanged (CAT-094)', async () => {
    const { data } = await list()
    const same = data.filter(({ id }) => id === 'gpt-5.2')
    expect(same.map(({ owned_by }) => owned_by)).toEqual(expect.arrayContaining(['mine', 'openai']))
    for (const { object, created } of data) expect([object, created]).toEqual(['model', 0])
  })

  it('tells in signalbox what the native list tells (CAT-095)', async () => {
    const native = modelsOf(await daemon().overTcp('/api/providers/openai/models'))
    const { data } = await list('?provider_id=openai')
    expect(data.map(({ signalbox }) => signalbox)).toEqual(
      native.map((model) => ({
        provider_id: model.provider_id,
        model_id: model.model_id,
        display_name: model.display_name,
        sources: model.sources.map(({ source_id }) => source_id),
        available: model.available,
        availability_state: model.availability_state,
        stale: model.stale,
        supports_tools: model.supports_tools,
        supports_reasoning: model.supports_reasoning,
        reasoning_efforts: model.reasoning_efforts,
        context_window: model.context_window,
        max_output_tokens: model.max_output_tokens,
      })),
    )
  })

  it.each([
    ['without a token', { headers: {} }, 401, 'unauthorized'],
    ['with a wrong token', { headers: { authorization: 'Bearer no' } }, 401, 'unauthorized'],
    ['with a foreign host', { headers: { host: 'evil.example' } }, 403, 'forbidden_host'],
    ['with a foreign origin', { headers: { origin: 'https://evil.example' } }, 403, 'forbidden_origin'],
  ])('is refused %s, in the envelope of OpenAI (CAT-097) (CAT-098)', async (_what, sent, status, code) => {
    const error = openaiErrorOf(await overTcpWithoutToken(daemon().url, PATH, sent))
    expect(error).toEqual({ status, code, type: 'invalid_request_error', param: null, message: expect.any(String) })
  })

  it('refuses too large headers in the envelope of OpenAI (CAT-097) (CAT-098)', async () => {
    const answer = await rawBytes({ url: daemon().url }, `GET ${PATH} HTTP/1.1\r\nX: ${'a'.repeat(17_000)}\r\n\r\n`)
    const [head, body] = answer.toString().split('\r\n\r\n')
    expect(head).toMatch(/^HTTP\/1\.1 431 /)
    expect(JSON.parse(body ?? '')).toMatchObject({
      error: { code: 'headers_too_large', type: 'invalid_request_error', param: null },
    })
  })

  it('names the parameter that is wrong (CAT-098)', async () => {
    const error = openaiErrorOf(await daemon().overTcp(`${PATH}?provider_id=Not%20An%20Id`))
    expect(error).toMatchObject({ status: 400, code: 'invalid_request', param: 'provider_id' })
  })

  it.each(['refresh=true', 'refresh=false', 'force=1', 'refresh', 'provider_id=mine&force=true'])(
    'refuses %s, naming the native route, and refreshes nothing (CAT-099)',
    async (query) => {
      const started = await refreshesDuring(daemon(), async () => {
        const error = openaiErrorOf(await daemon().overTcp(`${PATH}?${query}`))
        expect(error).toMatchObject({
          status: 400,
          code: 'invalid_request',
          param: query.includes('force') ? 'force' : 'refresh',
        })
        expect(error.message).toContain('POST /api/providers/models/refresh')
      })
      expect(started).toEqual([])
    },
  )

  it('ignores other parameters, repeated ones and __proto__ too (CAT-099)', async () => {
    expect((await list('?provider_id=mine&limit=1&after=x&after=y&__proto__=1&source_id=zz')).data.length).toBe(1)
  })

  it('is not on the socket (CAT-100)', async () => {
    expect(openaiErrorOf(await daemon().overSocket(PATH))).toMatchObject({ status: 404, code: 'not_found' })
  })

  it('has no other path and no other method (CAT-100)', async () => {
    for (const path of [
      '/api/openai/v1/',
      '/api/openai/v1/models/gpt-5.2',
      '/api/openai/v1/chat/completions',
      '/api/openai/v1/models/',
    ]) {
      expect(openaiErrorOf(await daemon().overTcp(path))).toMatchObject({
        status: 404,
        code: 'not_found',
        type: 'invalid_request_error',
      })
    }
    for (const method of ['POST', 'DELETE', 'PUT', 'PATCH', 'OPTIONS']) {
      const answer = await daemon().overTcp(PATH, { method })
      expect(openaiErrorOf(answer)).toMatchObject({ status: 405, code: 'method_not_allowed' })
      expect(answer.headers.allow).toBe('GET, HEAD')
    }
  })
})

describe('the official client', () => {
  const client = async (apiKey?: string) =>
    new OpenAI({
      baseURL: `${daemon().url}/api/openai/v1`,
      apiKey: apiKey ?? (await tokenOf(daemon().home)),
      maxRetries: 0,
    })

  it('lists every model and reads signalbox (CAT-101)', async () => {
    const seen: OpenAI.Model[] = []
    for await (const model of (await client()).models.list()) seen.push(model)
    expect(seen.length).toBe(daemon().status.models)
    const mine = seen.find(({ owned_by }) => owned_by === 'mine')
    expect(mine).toMatchObject({
      id: 'gpt-5.2',
      object: 'model',
      signalbox: { provider_id: 'mine', context_window: 7, sources: ['config'] },
    })
  })

  it('understands our refusals (CAT-098) (CAT-101)', async () => {
    const refused = (await client('wrong')).models.list()
    await expect(refused).rejects.toMatchObject({ status: 401, code: 'unauthorized', type: 'invalid_request_error' })
    await expect((await client()).models.retrieve('gpt-5.2')).rejects.toMatchObject({ status: 404, code: 'not_found' })
  })
})
