import { OpenAIModelList } from '@signalbox/contract/openai'
import { OpenAIListQuery } from '@signalbox/contract/queries'
import { JSON_TYPE } from '../answer.ts'
import type { ModelBodies } from '../model-bodies.ts'
import type { Router } from '../router.ts'
import type { Services } from '../services.ts'

const spec = {
  method: 'get',
  path: '/api/openai/v1/models',
  tag: 'OpenAI',
  summary: 'The model list for OpenAI clients; on TCP only',
  query: OpenAIListQuery,
  answer: OpenAIModelList,
} as const

/** Served on TCP; on the socket it is only in the document, which is the same on both. */
export function openaiRoute(router: Router, services: Services, bodies: ModelBodies, door: 'tcp' | 'socket'): void {
  if (door === 'socket') {
    router.describe(spec)
    return
  }
  router.add(spec, ({ query: { provider_id } }) => {
    const snapshot = services.catalog.snapshot()
    const { body } = bodies.openai(snapshot, { provider_id })
    return { kind: 'encoded', type: JSON_TYPE, body, snapshot }
  })
}
