import type { z } from '@hono/zod-openapi'
import { RefreshFailureBody } from '@signalbox/contract/error-body'
import { SignalboxError } from '@signalbox/contract/errors'
import type { ProviderId } from '@signalbox/contract/ids'
import { RefreshAnswer, RefreshRequest } from '@signalbox/contract/status'
import type { Answer } from '../answer.ts'
import type { Representation } from '../representation.ts'
import type { Router } from '../router.ts'
import type { Services } from '../services.ts'
import { ProviderPath, requireProvider, requireSource } from './scope.ts'
import { statusAnswer } from './status.ts'

const otherAnswers = {
  503: { description: 'Every source that was tried failed and none holds a row', schema: RefreshFailureBody },
}

export function refreshRoutes(router: Router, services: Services): void {
  const answer = async (
    provider_id: ProviderId | undefined,
    { source_id, force, request_id }: z.output<typeof RefreshRequest>,
    representation: Representation,
  ): Promise<Answer> => {
    requireSource(services, source_id)
    const { refresh_request_id, sources, outcome, nothingLeft } = await services.refresh.refresh({
      provider_id,
      source_id,
      force,
      request_id,
    })
    const headers = { 'Signalbox-Outcome': outcome }
    if (!nothingLeft) return statusAnswer(sources, { refresh_request_id, sources }, representation, 200, headers)
    const error = new SignalboxError(
      'all_sources_failed',
      'every source that was tried failed, and none holds an earlier row',
      {
        hint: 'each status says why in last_error',
      },
    )
    const body = { ...error.toJSON(), refresh_request_id, sources }
    return statusAnswer(sources, body, representation, error.status, { ...headers, 'Signalbox-Error': error.code })
  }

  router.add(
    {
      method: 'post',
      path: '/api/providers/models/refresh',
      tag: 'Catalog',
      summary: 'Refresh the sources of all providers',
      body: RefreshRequest,
      answer: RefreshAnswer,
      otherAnswers,
    },
    ({ body, representation }) => answer(undefined, body, representation),
  )
  router.add(
    {
      method: 'post',
      path: '/api/providers/{provider_id}/models/refresh',
      tag: 'Catalog',
      summary: 'Refresh the sources of one provider',
      params: ProviderPath,
      body: RefreshRequest,
      answer: RefreshAnswer,
      otherAnswers,
    },
    ({ params: { provider_id }, body, representation }) => {
      requireProvider(services, provider_id)
      return answer(provider_id, body, representation)
    },
  )
}
