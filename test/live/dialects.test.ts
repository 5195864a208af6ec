/** Each provider's own list, from a server on loopback that answers as that provider does, through the real daemon. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Model } from '../../packages/contract/src/model.ts'
import { type RunningDaemon, startDaemon } from '../harness/daemon.ts'
import { type Answer, type FakeServer, json, type SeenRequest, startFakeServer } from '../harness/fake-server.ts'
import { QUIET_CONFIG, type TempHome, tempHome } from '../harness/temp-home.ts'
import { until } from '../harness/until.ts'
import { modelsOf, statusesOf } from '../http/one-daemon.ts'

interface Case {
  readonly id: string
  readonly env: string
  /** Below the fake server; the daemon adds the list's own path. */
  readonly base: string
  readonly header: readonly [name: string, prefix: string]
  readonly pages: Readonly<Record<string, unknown>>
  readonly shows: Readonly<Record<string, Partial<Model>>>
  readonly hides?: readonly string[]
}

const BEARER = ['authorization', 'Bearer '] as const
const openaiList = (...data: unknown[]) => ({ object: 'list', data })

const CASES: readonly Case[] = [
  {
    id: 'anthropic',
    env: 'ANTHROPIC_API_KEY',
    base: '',
    header: ['x-api-key', ''],
    pages: {
      '/v1/models?limit=1000': {
        data: [{ type: 'model', id: 'claude-a', display_name: 'Claude A' }],
        has_more: true,
        first_id: 'claude-a',
        last_id: 'claude-a',
      },
      '/v1/models?limit=1000&after_id=claude-a': {
        data: [{ type: 'model', id: 'claude-b', display_name: 'Claude B' }],
        has_more: false,
        last_id: 'claude-b',
      },
    },
    shows: { 'claude-a': { display_name: 'Claude A' }, 'claude-b': { display_name: 'Claude B' } },
  },
  {
    id: 'google',
    env: 'GEMINI_API_KEY',
    base: '/v1beta',
    header: ['x-goog-api-key', ''],
    pages: {
      '/v1beta/models?pageSize=1000': {
        models: [
          {
            name: 'models/gemini-x',
            displayName: 'Gemini X',
            inputTokenLimit: 1000,
            outputTokenLimit: 200,
            supportedGenerationMethods: ['generateContent'],
          },
          { name: 'models/embedding-x', supportedGenerationMethods: ['embedContent'] },
        ],
        nextPageToken: 'more',
      },
      '/v1beta/models?pageSize=1000&pageToken=more': {
        models: [{ name: 'models/gemini-y', supportedGenerationMethods: ['generateContent'] }],
      },
    },
    shows: { 'gemini-x': { display_name: 'Gemini X', max_input_tokens: 1000, max_output_tokens: 200 }, 'gemini-y': {} },
    hides: ['embedding-x', 'models/gemini-x'],
  },
  {
    id: 'openrouter',
    env: 'OPENROUTER_API_KEY',
    base: '/api/v1',
    header: BEARER,
    pages: {
      '/api/v1/models': {
        data: [
          {
            id: 'z-ai/glm-x:free',
            name: 'GLM X',
            context_length: 5000,
            pricing: { prompt: '0.00000175', completion: '0.000014' },
            supported_parameters: ['tools'],
          },
        ],
      },
    },
    shows: { 'z-ai/glm-x:free': { display_name: 'GLM X', context_window: 5000, supports_tools: true } },
  },
  {
    id: 'mistral',
    env: 'MISTRAL_API_KEY',
    base: '/v1',
    header: BEARER,
    pages: {
      '/v1/models': openaiList({
        id: 'mistral-x',
        max_context_length: 777,
        capabilities: { completion_chat: true, function_calling: true },
      }),
    },
    shows: { 'mistral-x': { context_window: 777 } },
  },
  {
    id: 'groq',
    env: 'GROQ_API_KEY',
    base: '/openai/v1',
    header: BEARER,
    pages: {
      '/openai/v1/models': openaiList({ id: 'groq-x', active: true, context_window: 888, max_completion_tokens: 99 }),
    },
    shows: { 'groq-x': { context_window: 888, max_output_tokens: 99 } },
  },
  {
    id: 'deepseek',
    env: 'DEEPSEEK_API_KEY',
    base: '',
    header: BEARER,
    pages: { '/models': openaiList({ id: 'deepseek-x' }) },
    shows: { 'deepseek-x': {} },
  },
  {
    id: 'cerebras',
    env: 'CEREBRAS_API_KEY',
    base: '/v1',
    header: BEARER,
    pages: { '/v1/models': openaiList({ id: 'cerebras-x' }) },
    shows: { 'cerebras-x': {} },
  },
  {
    id: 'zai',
    env: 'ZAI_API_KEY',
    base: '/api/paas/v4',
    header: BEARER,
    pages: { '/api/paas/v4/models': openaiList({ id: 'glm-x' }) },
    shows: { 'glm-x': {} },
  },
  {
    id: 'house-gateway',
    env: 'HOUSE_GATEWAY_API_KEY',
    base: '/deep/path/v1',
    header: BEARER,
    pages: { '/deep/path/v1/models': openaiList({ id: 'own-model', max_model_len: 4321 }) },
    shows: { 'own-model': { context_window: 4321 } },
  },
]

const keyOf = (id: string) => `canary-key-of-${id}-0123456789`

describe('each provider’s own list', () => {
  let server: FakeServer
  let home: TempHome
  let daemon: RunningDaemon

  /** `/<id><base>/…` is that provider. */
  const answer = ({ url }: SeenRequest): Answer => {
    const [, id = ''] = url.split('/')
    const page = CASES.find((one) => one.id === id)?.pages[url.slice(id.length + 1)]
    return page === undefined ? { kind: 'reply', status: 404 } : json(page)
  }

  beforeAll(async () => {
    server = await startFakeServer(answer)
    const providers = CASES.map(({ id, base }) => `[providers.${id}]\nbase_url = "${server.url}/${id}${base}"\n`)
    home = await tempHome(`${QUIET_CONFIG}\n${providers.join('\n')}`)
    daemon = await startDaemon({ home, env: Object.fromEntries(CASES.map(({ id, env }) => [env, keyOf(id)])) })
  })
  afterAll(async () => {
    await daemon?.[Symbol.asyncDispose]()
    await home?.[Symbol.asyncDispose]()
    await server?.close()
  })

  it.each(CASES)(
    'is asked with its own header and read in its own words: $id (CAT-212) (CAT-213) (CAT-214) (CAT-217)',
    async (one) => {
      const path = `/api/providers/${one.id}/models`
      await until(`${one.id} to answer`, async () => {
        const [status] = statusesOf(await daemon.overSocket(`${path}/status?source_id=provider_live:${one.id}`))
        if (status?.refresh_state === 'failed') throw new Error(status.last_error ?? 'failed')
        return status?.refresh_state === 'succeeded'
      })
      const models = new Map(modelsOf(await daemon.overSocket(path)).map((model) => [model.model_id, model]))
      for (const [model_id, facts] of Object.entries(one.shows)) {
        expect(models.get(model_id), model_id).toMatchObject({
          available: true,
          availability_reason: 'proven',
          ...facts,
        })
      }
      for (const model_id of one.hides ?? []) expect(models.get(model_id)?.available ?? null, model_id).toBeNull()

      const own = server.requests.filter(({ url }) => url.startsWith(`/${one.id}/`))
      expect(own.map(({ url }) => url.slice(one.id.length + 1))).toEqual(Object.keys(one.pages))
      const [name, prefix] = one.header
      for (const { headers } of own) {
        expect(headers[name]).toBe(`${prefix}${keyOf(one.id)}`)
        const sent = Object.values(headers).filter((value) => String(value).includes('canary-key-of-'))
        expect(sent).toHaveLength(1)
      }
    },
  )

  it('has prices per million, whatever unit it states them in (CAT-214)', async () => {
    const [model] = modelsOf(await daemon.overSocket('/api/providers/openrouter/models?q=glm-x:free'))
    expect(model?.cost).toMatchObject({ input_per_million: 1.75, output_per_million: 14 })
  })

  it('leaves no key in the log, the database, a status or an answer', async () => {
    const { readdir, readFile } = await import('node:fs/promises')
    const answers = await Promise.all(
      ['/api/providers/models/status', '/api/daemon', '/api/config', '/api/providers/openrouter/models'].map((path) =>
        daemon.overSocket(path),
      ),
    )
    const files = (await readdir(home.dir, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
    const texts = await Promise.all(files.map((entry) => readFile(`${entry.parentPath}/${entry.name}`, 'latin1')))
    const everything = [...answers.map((one) => one.text()), ...texts, daemon.stdout(), daemon.stderr()].join('\n')
    expect(everything.length).toBeGreaterThan(10_000)
    expect(everything).not.toContain('canary-key-of-')
  })
})
