/** A daemon whose models.dev is a server on loopback, and what tests ask of the two. */
import { expect } from 'vitest'
import { ModelList } from '../../packages/contract/src/model.ts'
import { RefreshAnswer, type SourceStatus, StatusList } from '../../packages/contract/src/status.ts'
import type { RunningDaemon } from '../harness/daemon.ts'
import { type FakeServer, json } from '../harness/fake-server.ts'
import type { Received } from '../harness/http.ts'
import { until } from '../harness/until.ts'

export interface ModelsDevSettings {
  readonly endpoint: string
  readonly enabled?: boolean
  readonly timeout?: string
  readonly ttl?: string
}

export function modelsDevConfig({ endpoint, enabled = true, timeout = '10s', ttl = '24h' }: ModelsDevSettings): string {
  return `[daemon]
port = 0

[model_catalog.sources.models_dev]
enabled = ${enabled}
endpoint = "${endpoint}"
timeout = "${timeout}"
ttl = "${ttl}"
`
}

export const configFor = (server: FakeServer, settings: Partial<ModelsDevSettings> = {}) =>
  modelsDevConfig({ endpoint: `${server.url}/api.json`, ...settings })

/** The document of models.dev: `{ acme: ['a'] }`. None of these providers is in the built-in catalog. */
export const document = (stated: Readonly<Record<string, readonly string[]>>) =>
  Object.fromEntries(
    Object.entries(stated).map(([id, models]) => [
      id,
      { id, name: id, models: Object.fromEntries(models.map((model) => [model, { id: model, name: model }])) },
    ]),
  )

export const serves = (
  stated: Readonly<Record<string, readonly string[]>>,
  headers: Readonly<Record<string, string>> = {},
) => json(document(stated), { headers })

export const REFRESH = '/api/providers/models/refresh'
export const MODELS_DEV = { source_id: 'models_dev', force: true } as const

export const refresh = (
  daemon: RunningDaemon,
  body: Readonly<Record<string, unknown>> = MODELS_DEV,
): Promise<Received> => daemon.overSocket(REFRESH, { method: 'POST', body })

export function sourcesOf(answer: Received): readonly SourceStatus[] {
  expect(answer.status).toBe(200)
  return RefreshAnswer.parse(answer.json()).sources
}

/** Of models.dev, or of another source. */
export async function statuses(daemon: RunningDaemon, source_id = 'models_dev'): Promise<readonly SourceStatus[]> {
  const answer = await daemon.overSocket(`/api/providers/models/status?source_id=${source_id}`)
  expect(answer.status).toBe(200)
  return StatusList.parse(answer.json()).sources
}

/** Waits for what the scheduler asks for after the start. */
export const firstRun = (daemon: RunningDaemon): Promise<readonly SourceStatus[]> =>
  until('the first refresh of models.dev', async () => {
    const found = await statuses(daemon)
    return found.some(({ refresh_state }) => refresh_state === 'succeeded' || refresh_state === 'failed') && found
  })

export async function modelIds(daemon: RunningDaemon, provider_id: string): Promise<string[]> {
  const answer = await daemon.overSocket(`/api/providers/models?provider_id=${provider_id}`)
  expect(answer.status).toBe(200)
  return ModelList.parse(answer.json()).models.map(({ model_id }) => model_id)
}
