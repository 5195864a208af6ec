import type { ProviderId } from '@signalbox/contract/ids'
import { ModelList } from '@signalbox/contract/model'
import { AllProvidersListQuery, type ListQuery, ListQuery as ProviderListQuery } from '@signalbox/contract/queries'
import type { Answer } from '../answer.ts'
import type { ModelBodies } from '../model-bodies.ts'
import { CONTENT_TYPE, type Representation } from '../representation.ts'
import type { Router } from '../router.ts'
import type { Services } from '../services.ts'
import { ProviderPath, requireProvider, requireSource } from './scope.ts'

export function modelRoutes(router: Router, services: Services, bodies: ModelBodies): void {
  const answer = async (
    provider_id: ProviderId | undefined,
    query: ListQuery,
    representation: Representation,
  ): Promise<Answer> => {
    const { refresh, source_id, ...filters } = query
    requireSource(services, source_id)
    if (refresh) await services.refresh.refresh({ provider_id, source_id, force: true })
    const snapshot = services.catalog.snapshot()
    const { body, total } = bodies.list(snapshot, { provider_id, source_id, ...filters }, representation)
    const headers = { 'X-Total-Count': String(total) }
    return {
      kind: 'encoded',
      type: CONTENT_TYPE[representation.kind],
      body,
      headers,
      snapshot: refresh ? undefined : snapshot,
    }
  }

  router.add(
    {
      method: 'get',
      path: '/api/providers/models',
      tag: 'Catalog',
      summary: 'List the models of all providers',
      query: AllProvidersListQuery,
      answer: ModelList,
    },
    ({ query: { provider_id, ...query }, representation }) => answer(provider_id, query, representation),
  )
  router.add(
    {
      method: 'get',
      path: '/api/providers/{provider_id}/models',
      tag: 'Catalog',
      summary: 'List the models of one provider',
      params: ProviderPath,
      query: ProviderListQuery,
      answer: ModelList,
    },
    ({ params: { provider_id }, query, representation }) => {
      requireProvider(services, provider_id)
      return answer(provider_id, query, representation)
    },
  )
}
