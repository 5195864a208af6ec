import { describe, expect, it } from 'vitest'
import { ERRORS } from '../../packages/contract/src/errors.ts'
import { overTcpWithoutToken } from '../harness/http.ts'
import { oneDaemon } from './one-daemon.ts'

interface Schema {
  readonly $ref?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean
}
interface Operation {
  readonly summary?: string
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly required?: boolean }[]
  readonly requestBody?: unknown
  readonly responses: Readonly<
    Record<
      string,
      { readonly description: string; readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
    >
  >
}
interface Document {
  readonly openapi: string
  readonly info: { readonly title: string; readonly version: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly securitySchemes: Readonly<Record<string, unknown>>
  }
}

const daemon = oneDaemon()
/** The document is what is tested; its form is stated above and checked below. */
const document = async () => (await daemon().overTcp('/api/openapi.json')).json() as Document

const CATALOG_ROUTES = [
  'get /api/providers/models',
  'get /api/providers/{provider_id}/models',
  'post /api/providers/models/refresh',
  'post /api/providers/{provider_id}/models/refresh',
  'get /api/providers/models/status',
  'get /api/providers/{provider_id}/models/status',
  'get /api/explain',
  'get /api/openai/v1/models',
]

const operationsOf = ({ paths }: Document) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )

describe('the OpenAPI document', () => {
  it('is 3.1 and has every catalog route (CAT-096)', async () => {
    const answer = await document()
    expect(answer).toMatchObject({ openapi: '3.1.0', info: { title: 'Signalbox', version: daemon().status.version } })
    const routes = operationsOf(answer).map(({ method, path }) => `${method} ${path}`)
    expect(routes).toEqual(expect.arrayContaining(CATALOG_ROUTES))
    expect(new Set(routes).size).toBe(routes.length)
  })

  it('names only routes that exist (CAT-096)', async () => {
    for (const { path, method } of operationsOf(await document())) {
      const answer = await daemon().overTcp(path.replace('{provider_id}', 'openai'), { method: 'PROPFIND' })
      expect([path, answer.status, answer.headers.allow]).toEqual([
        path,
        405,
        expect.stringContaining(method.toUpperCase()),
      ])
    }
  })

  it('describes every path parameter, and every answer with a content (CAT-096)', async () => {
    for (const { path, operation } of operationsOf(await document())) {
      expect(operation.summary).not.toBe('')
      const inPath = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path' && parameter.required)
      expect(inPath.map(({ name }) => `{${name}}`)).toEqual(path.match(/\{\w+\}/g) ?? [])
      expect(operation.responses['200']?.content).toBeDefined()
      for (const { description, content } of Object.values(operation.responses)) {
        expect(description).not.toBe('')
        for (const { schema } of Object.values(content)) expect(schema).toBeTypeOf('object')
      }
    }
  })

  it('has no reference that leads nowhere (CAT-096)', async () => {
    const answer = await document()
    const references = [...JSON.stringify(answer).matchAll(/"\$ref":"([^"]+)"/g)].map(
      ([, reference]) => reference ?? '',
    )
    expect(references.length).toBeGreaterThan(10)
    for (const reference of references) {
      expect(reference).toMatch(/^#\/components\/schemas\/\w+$/)
      expect(Object.keys(answer.components.schemas)).toContain(reference.split('/').at(-1))
    }
  })

  it('describes signalbox as a closed type of its own (CAT-096)', async () => {
    const { components, paths } = await document()
    const payload = components.schemas.OpenAIModelSignalboxPayload
    const keys = [
      'provider_id',
      'model_id',
      'display_name',
      'sources',
      'available',
      'availability_state',
      'stale',
      'supports_tools',
      'supports_reasoning',
      'reasoning_efforts',
      'context_window',
      'max_output_tokens',
    ]
    expect(Object.keys(payload?.properties ?? {})).toEqual(keys)
    expect([payload?.required, payload?.additionalProperties]).toEqual([keys, false])
    expect(components.schemas.OpenAIModel?.properties?.signalbox?.$ref).toBe(
      '#/components/schemas/OpenAIModelSignalboxPayload',
    )
    expect(paths['/api/openai/v1/models']?.get?.responses.default?.content['application/json']?.schema.$ref).toBe(
      '#/components/schemas/OpenAIErrorBody',
    )
  })

  it('offers the OpenAI list no parameter that it refuses (CAT-099)', async () => {
    const { paths } = await document()
    expect(paths['/api/openai/v1/models']?.get?.parameters?.map(({ name }) => name)).toEqual(['provider_id'])
  })

  it('needs the token on TCP (CAT-097)', async () => {
    expect((await overTcpWithoutToken(daemon().url, '/api/openapi.json')).status).toBe(ERRORS.unauthorized.status)
  })
})

const docs = () => daemon().overTcp('/api/docs')

describe('the page', () => {
  it('mentions every path (CAT-096)', async () => {
    const page = await docs()
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    for (const path of Object.keys((await document()).paths)) expect(page.text()).toContain(path)
  })

  it('runs no script and loads nothing', async () => {
    const page = await docs()
    const policy = page.headers['content-security-policy'] ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toMatch(/script-src|unsafe-eval|https?:|\*/)
    expect(page.text()).not.toMatch(/<script|<link|<img|<iframe|<form|javascript:|\son\w+=|\ssrc=|https?:\/\//i)
    expect(page.headers['x-content-type-options']).toBe('nosniff')
    expect(page.headers['referrer-policy']).toBe('no-referrer')
  })

  it('holds no data: no home, token or model', async () => {
    const text = (await docs()).text()
    expect(text).not.toContain(daemon().home.dir)
    expect(text).not.toContain('sonnet')
  })

  it('is checked like every route (CAT-097)', async () => {
    expect((await overTcpWithoutToken(daemon().url, '/api/docs')).status).toBe(401)
    expect((await daemon().overTcp('/api/docs', { headers: { host: 'evil.example' } })).status).toBe(403)
    expect((await daemon().overTcp('/api/docs', { headers: { origin: 'https://evil.example' } })).status).toBe(403)
  })
})
