import { OpenAIModelList } from '@signalbox/contract/openai'
import { OpenAIListQuery } from '@signalbox/contract/queries'
import { JSON_TYPE } from '../answer.ts'
import type { ModelBodies } from '../model-bodies.ts'
import type { Router } from '../router.ts'
import type { Services } from '../services.ts'

/** On TCP only. */
export function openaiRoute(router: Router, services: Services, bodies: ModelBodies): void {
  router.add(
    {
      method: 'get',
      path: '/api/openai/v1/models',
      tag: 'OpenAI',
      summary: 'The model list for OpenAI clients',
      query: OpenAIListQuery,
      answer: OpenAIModelList,
    },
    ({ query: { provider_id } }) => {
      const snapshot = services.catalog.snapshot()
      const { body } = bodies.openai(snapshot, { provider_id })
      return { kind: 'encoded', type: JSON_TYPE, body, snapshot }
    },
  )
}
