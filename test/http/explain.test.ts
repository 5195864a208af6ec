import { describe, expect, it } from 'vitest'
import { Explanation } from '../../packages/contract/src/explain.ts'
import { runCli } from '../harness/cli.ts'
import { QUIET_CONFIG } from '../harness/temp-home.ts'
import { errorOf, modelsOf, oneDaemon } from './one-daemon.ts'

const daemon = oneDaemon(
  () => `${QUIET_CONFIG}
[[providers.openai.models.curated]]
id = "gpt-5.2"
display_name = "Mine"
supports_reasoning = false

[[providers.acme.models.curated]]
id = "org/Model:free"
`,
)
const explain = (provider_id: string, model_id: string) =>
  daemon().overTcp(`/api/explain?${new URLSearchParams({ provider_id, model_id })}`)
const explanation = async (provider_id: string, model_id: string) => {
  const answer = await explain(provider_id, model_id)
  expect(answer.status).toBe(200)
  return Explanation.parse(answer.json())
}

describe('explain', () => {
  it('gives every merged field with its winner and every loser (CAT-168)', async () => {
    const { fields, provider_id, model_id } = await explanation('openai', 'gpt-5.2')
    expect([provider_id, model_id]).toEqual(['openai', 'gpt-5.2'])
    const field = (name: string) => fields.find((candidate) => candidate.field === name)
    expect(field('display_name')).toMatchObject({
      value: 'Mine',
      winner: { source_id: 'config', value: 'Mine', stale: false, refreshed_at: expect.stringMatching(/Z$/) },
      losers: [{ source_id: 'builtin', value: 'GPT-5.2', stale: false }],
    })
    expect(field('supports_reasoning')).toMatchObject({
      value: false,
      winner: { source_id: 'config' },
      losers: [{ source_id: 'builtin', value: true }],
    })
    expect(field('context_window')).toMatchObject({ winner: { source_id: 'builtin' }, losers: [] })
  })

  it('gives the values that the list shows, and a rule where no row holds the value (CAT-168)', async () => {
    const model = modelsOf(await daemon().overTcp('/api/providers/openai/models?q=gpt-5.2')).find(
      ({ model_id }) => model_id === 'gpt-5.2',
    )
    const { fields } = await explanation('openai', 'gpt-5.2')
    const shown = (path: string) =>
      path.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown> | null)?.[key] ?? null, model)
    for (const { field, value } of fields) expect([field, value]).toEqual([field, shown(field)])
    const efforts = fields.find(({ field }) => field === 'reasoning_efforts')
    expect(efforts?.rule).toContain('supports_reasoning is false')
  })

  it('says why nothing decided the availability (CAT-169)', async () => {
    const { availability, left_out, stale } = await explanation('acme', 'org/Model:free')
    expect(availability).toEqual({
      available: null,
      availability_state: 'unknown',
      availability_reason: 'not_probed',
      availability_evidence: null,
      decided_by: null,
      why: expect.stringContaining('config'),
    })
    expect([left_out, stale]).toEqual([[], false])
  })

  it('takes ids with slashes and colons, and the CLI prints the same bytes (CAT-170)', async () => {
    const answer = await explain('acme', 'org/Model:free')
    expect(answer.json()).toMatchObject({ provider_id: 'acme', model_id: 'org/Model:free' })
    const printed = await runCli(daemon().home, ['explain', 'acme/org/Model:free', '-o', 'json'])
    expect([printed.code, printed.stdout]).toEqual([0, answer.text()])
  })

  it.each([
    ['', 'provider_id'],
    ['provider_id=openai', 'model_id'],
    ['model_id=gpt-5.2', 'provider_id'],
    ['provider_id=openai&model_id=', 'model_id'],
    ['provider_id=OpenAI&model_id=gpt-5.2', 'provider_id'],
    ['provider_id=openai&model_id=a&model_id=b', 'model_id'],
    ['provider_id=openai&model_id=a&x=1', 'x'],
  ])('with "%s" is refused, naming %s (CAT-171)', async (query, field) => {
    expect(errorOf(await daemon().overTcp(`/api/explain?${query}`))).toMatchObject({ code: 'invalid_request', field })
  })

  it('of an unlisted model names the nearest (CAT-171)', async () => {
    const misspelt = errorOf(await explain('openai', 'gpt-5.22'))
    expect(misspelt.code).toBe('unknown_model')
    expect(misspelt.candidates?.[0]).toBe('openai/gpt-5.2')
    expect(errorOf(await explain('opena', 'gpt-5.2')).candidates?.[0]).toBe('openai/gpt-5.2')
    const elsewhere = errorOf(await explain('acme', 'gpt-5.2')).candidates ?? []
    expect(elsewhere.length).toBeGreaterThan(0)
    for (const candidate of elsewhere) expect(candidate).toMatch(/\/gpt-5\.2$/)
    expect(errorOf(await explain('acme', 'ORG/model:free')).candidates).toEqual(['acme/org/Model:free'])
    expect(errorOf(await explain('acme', '__proto__')).code).toBe('unknown_model')
  })
})
