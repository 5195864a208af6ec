import { describe, expect, it } from 'vitest'
import { Model } from '../../packages/contract/src/model.ts'
import { QUIET_CONFIG } from '../harness/temp-home.ts'
import { oneDaemon } from './one-daemon.ts'

const daemon = oneDaemon(
  () =>
    `${QUIET_CONFIG}\n[[providers.acme.models.curated]]\nid = "m"\ndisplay_name = "<b>A & B</b> 'ü' \\u2028 \\"q\\""\n`,
)

const PATHS = [
  '/api/providers/models',
  '/api/providers/models?limit=3',
  '/api/providers/models?q=sonnet',
  '/api/providers/models?source_id=builtin&limit=10',
  '/api/providers/models?provider_id=nobody',
  '/api/config/check',
  '/api/providers/models?include_stale=true&limit=5',
  '/api/providers/models?available=unknown&provider_id=openai',
  '/api/providers/acme/models',
  '/api/providers/models/status',
  '/api/providers/acme/models/status',
  '/api/explain?provider_id=openai&model_id=gpt-5.2',
  '/api/explain?provider_id=openai&model_id=gpt-5.x',
  '/api/providers/nobody/models',
  '/api/providers/models?limit=0',
  '/api/daemon',
  '/api/config',
]
const ACCEPTS = ['application/json', 'application/x-ndjson', 'text/plain']

describe('the two doors', () => {
  it.each(PATHS)('answer %s with the same bytes (CAT-050)', async (path) => {
    for (const accept of ACCEPTS) {
      const [tcp, socket] = await Promise.all([
        daemon().overTcp(path, { headers: { accept } }),
        daemon().overSocket(path, { headers: { accept } }),
      ])
      expect(tcp.status).toBe(socket.status)
      expect(tcp.headers['content-type']).toBe(socket.headers['content-type'])
      expect(tcp.body.equals(socket.body)).toBe(true)
    }
  })
})

describe('JSON', () => {
  it.each(PATHS)('of %s is compact, with one final line feed (CAT-051)', async (path) => {
    const answer = await daemon().overTcp(path)
    const text = answer.text()
    expect(text).toBe(`${JSON.stringify(answer.json())}\n`)
    expect(answer.headers['content-length']).toBe(String(answer.body.length))
  })

  it('has the keys in the order of the contract and escapes no HTML (CAT-051)', async () => {
    const text = (await daemon().overTcp('/api/providers/acme/models')).text()
    expect(text).toContain(`"display_name":"<b>A & B</b> 'ü' \u2028 \\"q\\""`)
    const [model] = (JSON.parse(text) as { models: object[] }).models
    expect(Object.keys(model ?? {})).toEqual(Object.keys(Model.shape))
  })
})
