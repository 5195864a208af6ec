import type { z } from '@hono/zod-openapi'
import type { ProviderId } from '@signalbox/contract/ids'
import { AllProvidersStatusQuery, StatusQuery } from '@signalbox/contract/queries'
import { type SourceStatus, StatusList } from '@signalbox/contract/status'
import type { Answer } from '../answer.ts'
import { escapeControls } from '../canonical-json.ts'
import { renderStatuses } from '../render/status-table.ts'
import { CONTENT_TYPE, type Representation } from '../representation.ts'
import type { Router } from '../router.ts'
import type { Services } from '../services.ts'
import { ProviderPath, requireProvider, requireSource } from './scope.ts'

export function statusRoutes(router: Router, services: Services): void {
  const answer = async (
    provider_id: ProviderId | undefined,
    { source_id, refresh }: z.output<typeof StatusQuery>,
    representation: Representation,
  ): Promise<Answer> => {
    requireSource(services, source_id)
    if (refresh) await services.refresh.refresh({ provider_id, source_id, force: true })
    const sources = services.catalog.statuses.statuses({ provider_id, source_id }, services.clock.now())
    return statusAnswer(sources, { sources }, representation)
  }

  router.add(
    {
      method: 'get',
      path: '/api/providers/models/status',
      tag: 'Catalog',
      summary: 'How every source is doing',
      query: AllProvidersStatusQuery,
      answer: StatusList,
    },
    ({ query: { provider_id, ...query }, representation }) => answer(provider_id, query, representation),
  )
  router.add(
    {
      method: 'get',
      path: '/api/providers/{provider_id}/models/status',
      tag: 'Catalog',
      summary: 'How the sources of one provider are doing',
      params: ProviderPath,
      query: StatusQuery,
      answer: StatusList,
    },
    ({ params: { provider_id }, query, representation }) => {
      requireProvider(services, provider_id)
      return answer(provider_id, query, representation)
    },
  )
}

/** Statuses in the representation asked for; `body` is what JSON shows. */
export function statusAnswer(
  statuses: readonly SourceStatus[],
  body: unknown,
  representation: Representation,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  const type = CONTENT_TYPE[representation.kind]
  return {
    kind: 'bytes',
    status,
    type,
    headers,
    body: escapeControls(Buffer.from(renderBody(statuses, body, representation))),
  }
}

function renderBody(statuses: readonly SourceStatus[], body: unknown, representation: Representation): string {
  switch (representation.kind) {
    case 'json':
      return `${JSON.stringify(body)}\n`
    case 'jsonl':
      return statuses.map((status) => `${JSON.stringify(status)}\n`).join('')
    case 'table':
      return renderStatuses(statuses, representation)
  }
}
