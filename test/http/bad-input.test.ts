import { describe, expect, it } from 'vitest'
import type { Sent } from '../harness/http.ts'
import { QUIET_CONFIG } from '../harness/temp-home.ts'
import { errorOf, modelsOf, oneDaemon, refreshesDuring, statusesOf } from './one-daemon.ts'

const daemon = oneDaemon(() => `${QUIET_CONFIG}\n[[providers.acme.models.curated]]\nid = "m"\n`)
const get = (path: string) => daemon().overTcp(`/api/providers${path}`)
const errorAt = async (path: string) => errorOf(await get(path))
const REFRESH = '/api/providers/models/refresh'
/** On the socket, where writes are not limited. */
const post = (sent: Sent, path = REFRESH) => daemon().overSocket(path, { method: 'POST', ...sent })
const postJson = (body: string, path = REFRESH) => post({ body, headers: { 'content-type': 'application/json' } }, path)

describe('a provider id', () => {
  const MALFORMED = ['OpenAI', '-x', '.x', '_x', 'a%20b', 'a%2Fb', '%C3%A4', 'a:b', 'a%00b', '__proto__', '%zz', '%ff']
  it.each(MALFORMED)('like %s is refused with the allowed form (CAT-141)', async (id) => {
    for (const path of [
      `/${id}/models`,
      `/${id}/models/status`,
      `/models?provider_id=${id}`,
      `/models/status?provider_id=${id}`,
    ]) {
      const error = await errorAt(path)
      expect(error).toMatchObject({ code: 'invalid_request', field: 'provider_id' })
      expect(error.expected).toContain('lower-case letters, digits')
    }
    expect(errorOf(await postJson('{}', `/api/providers/${id}/models/refresh`)).code).toBe('invalid_request')
  })

  it('that is empty is refused as a filter (CAT-141)', async () => {
    expect(await errorAt('/models?provider_id=')).toMatchObject({ code: 'invalid_request', field: 'provider_id' })
  })

  it('that nobody knows is not found on a path, with the nearest (CAT-142)', async () => {
    for (const path of ['/opnai/models', '/opnai/models/status']) {
      const error = await errorAt(path)
      expect(error).toMatchObject({ code: 'unknown_provider', field: 'provider_id' })
      expect(error.candidates).toContain('openai')
    }
    for (const id of ['constructor', 'tostring', 'hasownproperty', '0']) {
      expect((await errorAt(`/${id}/models`)).code).toBe('unknown_provider')
    }
  })

  it('that nobody knows is an empty list as a filter, starts nothing and leaves no trace (CAT-142)', async () => {
    const started = await refreshesDuring(daemon(), async () => {
      expect(modelsOf(await get('/models?provider_id=opnai'))).toEqual([])
      expect(
        statusesOf(await get('/models/status?provider_id=opnai')).filter(({ provider_id }) => provider_id !== null),
      ).toEqual([])
      expect(errorOf(await get('/opnai/models?refresh=true')).code).toBe('unknown_provider')
      expect(errorOf(await postJson('{"force":true}', '/api/providers/opnai/models/refresh')).code).toBe(
        'unknown_provider',
      )
    })
    expect(started).toEqual([])
    expect(statusesOf(await get('/models/status')).some(({ provider_id }) => provider_id === 'opnai')).toBe(false)
  })
})

describe('a source id', () => {
  const WRONG = [
    'foo',
    '',
    'provider_live:',
    'provider_live:openai',
    'acp_session:x',
    'extension:nobody',
    'CONFIG',
    'config%20',
    '__proto__',
  ]
  it.each(WRONG)('like "%s" is refused on every route, with those that exist (CAT-143)', async (id) => {
    const paths = ['/models', '/models/status', '/acme/models', '/acme/models/status']
    const answers = await Promise.all(paths.map((path) => get(`${path}?source_id=${id}`)))
    answers.push(await postJson(JSON.stringify({ source_id: decodeURIComponent(id) })))
    answers.push(
      await postJson(JSON.stringify({ source_id: decodeURIComponent(id) }), '/api/providers/acme/models/refresh'),
    )
    for (const answer of answers) {
      const error = errorOf(answer)
      expect(error).toMatchObject({ code: 'invalid_request', field: 'source_id' })
      for (const known of ['config', 'builtin', 'models_dev']) expect(error.expected).toContain(known)
    }
  })
})

describe('a query parameter', () => {
  it.each([
    ['refresh', 'yes'],
    ['refresh', 'TRUE'],
    ['refresh', ''],
    ['include_stale', '2'],
    ['include_stale', 'null'],
    ['limit', '0'],
    ['limit', '100001'],
    ['limit', '-1'],
    ['limit', '1.5'],
    ['limit', '1e3'],
    ['limit', ''],
    ['limit', '%201'],
    ['limit', '9'.repeat(400)],
    ['available', 'maybe'],
    ['available', 'null'],
  ])('%s=%s is refused by name (CAT-144)', async (name, value) => {
    const started = await refreshesDuring(daemon(), async () => {
      for (const path of ['/models', '/acme/models']) {
        expect(await errorAt(`${path}?${name}=${value}`)).toMatchObject({
          code: 'invalid_request',
          field: name,
          expected: expect.any(String),
        })
      }
    })
    expect(started).toEqual([])
  })

  it.each(['true', 'false', '1', '0'])('that is a flag takes %s (CAT-144)', async (value) => {
    expect((await get(`/models?limit=1&include_stale=${value}`)).status).toBe(200)
  })

  it.each([
    ['/models?includestale=1', 'includestale', ['include_stale']],
    ['/models?Limit=1', 'Limit', ['limit']],
    ['/acme/models?avaliable=true', 'avaliable', ['available']],
    ['/models/status?sourceid=config', 'sourceid', ['source_id']],
    ['/models/status?limit=1', 'limit', undefined],
    ['/models?zzzzzzzz=1', 'zzzzzzzz', undefined],
    ['/models?=1', '', ['q']],
    ['/acme/models?provider_id=acme', 'provider_id', undefined],
    ['/acme/models/status?provider_id=acme', 'provider_id', undefined],
  ])('in %s is unknown, and the nearest is named (CAT-145)', async (path, field, candidates) => {
    const error = await errorAt(path)
    expect(error).toMatchObject({ code: 'invalid_request', field })
    expect(error.candidates).toEqual(candidates)
  })

  it.each(['/models?q=a&q=b', '/models?limit=1&limit=1', '/acme/models?refresh=0&refresh=1'])(
    'given twice in %s is refused (CAT-145)',
    async (path) => {
      expect(await errorAt(path)).toMatchObject({ code: 'invalid_request', expected: 'once' })
    },
  )

  it('on a refresh route is refused, whichever it is (CAT-145)', async () => {
    const started = await refreshesDuring(daemon(), async () => {
      for (const query of ['force=true', 'source_id=config', 'refresh=1', '__proto__=1']) {
        for (const path of [REFRESH, '/api/providers/acme/models/refresh']) {
          expect(errorOf(await postJson('{}', `${path}?${query}`))).toMatchObject({
            code: 'invalid_request',
            field: query.split('=')[0],
          })
        }
      }
    })
    expect(started).toEqual([])
  })
})

describe('a refresh body', () => {
  it.each([
    ['[]', 'body'],
    ['null', 'body'],
    ['"x"', 'body'],
    ['1', 'body'],
    ['{', 'body'],
    ['{"force":true}x', 'body'],
    ['{force:true}', 'body'],
    ['\ufeff{}', 'body'],
    ['{"frce":true}', 'frce'],
    ['{"force":"true"}', 'force'],
    ['{"force":1}', 'force'],
    ['{"force":null}', 'force'],
    ['{"source_id":5}', 'source_id'],
    ['{"source_id":["config"]}', 'source_id'],
    ['{"request_id":""}', 'request_id'],
    ['{"request_id":"a b"}', 'request_id'],
    [`{"request_id":"${'a'.repeat(129)}"}`, 'request_id'],
    ['{"request_id":"a\\nb"}', 'request_id'],
    ['{"provider_id":"acme"}', 'provider_id'],
  ])('%s is refused, naming the field, and nothing runs (CAT-146)', async (body, field) => {
    const started = await refreshesDuring(daemon(), async () => {
      for (const path of [REFRESH, '/api/providers/acme/models/refresh']) {
        expect(errorOf(await postJson(body, path))).toMatchObject({
          code: 'invalid_request',
          field,
          expected: expect.any(String),
        })
      }
    })
    expect(started).toEqual([])
  })

  it('may be absent, empty or blank', async () => {
    expect((await post({})).status).toBe(200)
    expect((await postJson('')).status).toBe(200)
    expect((await postJson(' \r\n')).status).toBe(200)
  })

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonx',
    'text/json',
    'application/json-patch+json',
  ])('of type %s is refused, and nothing runs (CAT-147)', async (type) => {
    const started = await refreshesDuring(daemon(), async () => {
      const error = errorOf(await post({ body: '{"force":true}', headers: { 'content-type': type } }))
      expect(error).toMatchObject({ code: 'unsupported_media_type', expected: 'application/json' })
      expect(errorOf(await post({ body: '{"force":true}' })).code).toBe('unsupported_media_type')
    })
    expect(started).toEqual([])
  })

  it.each(['application/json; charset=utf-8', 'Application/JSON'])('of type %s is taken (CAT-147)', async (type) => {
    expect((await post({ body: '{}', headers: { 'content-type': type } })).status).toBe(200)
  })
})

describe('a path', () => {
  it.each([
    '/api',
    '/api/',
    '/api/nope',
    '/api/providers',
    '/api/providers/',
    '/api/providers/acme',
    '/api/providers/models/',
    '/api/providers/acme/models/x',
    '/api/daemon/',
    '/api/providers//models',
    '/',
  ])('like %s is not found, with an error body (CAT-148)', async (path) => {
    for (const method of ['GET', 'POST', 'DELETE'])
      expect(errorOf(await daemon().overTcp(path, { method })).code).toBe('not_found')
    expect(errorOf(await daemon().overSocket(path)).code).toBe('not_found')
  })

  it.each([
    ['/api/providers/models', 'POST', 'GET, HEAD'],
    ['/api/providers/acme/models', 'DELETE', 'GET, HEAD'],
    ['/api/providers/models/status', 'PUT', 'GET, HEAD'],
    ['/api/providers/models/refresh', 'GET', 'POST'],
    ['/api/providers/models/refresh', 'HEAD', 'POST'],
    ['/api/providers/acme/models/refresh', 'GET', 'POST'],
    ['/api/explain', 'PATCH', 'GET, HEAD'],
    ['/api/daemon/stop', 'GET', 'POST'],
    ['/api/daemon', 'TRACE', 'GET, HEAD'],
    ['/api/events', 'OPTIONS', 'GET, HEAD'],
  ])('%s does not take %s and says what it takes (CAT-148)', async (path, method, allow) => {
    for (const door of ['overTcp', 'overSocket'] as const) {
      const answer = await daemon()[door](path, { method })
      expect([answer.status, answer.headers.allow]).toEqual([405, allow])
      if (method !== 'HEAD') expect(errorOf(answer)).toMatchObject({ code: 'method_not_allowed', expected: allow })
    }
  })
})

describe('an error', () => {
  it('has its body on both doors and a registered code (CAT-140)', async () => {
    const paths = [
      '/api/nope',
      '/api/providers/X/models',
      '/api/providers/nobody/models',
      '/api/providers/models?limit=0',
      '/api/explain',
    ]
    for (const path of paths) {
      const [tcp, socket] = [await daemon().overTcp(path), await daemon().overSocket(path)]
      expect(errorOf(tcp)).toEqual(errorOf(socket))
      expect(Object.keys(errorOf(tcp)).slice(0, 2)).toEqual(['code', 'message'])
    }
  })

  it('is JSON also where a table was asked for (CAT-140)', async () => {
    expect(errorOf(await daemon().overTcp('/api/nope', { headers: { accept: 'text/plain' } })).code).toBe('not_found')
  })
})
