/** Which providers and sources a request may name. */

import { z } from '@hono/zod-openapi'
import { SignalboxError } from '@signalbox/contract/errors'
import { ProviderId } from '@signalbox/contract/ids'
import { nearest } from '@signalbox/core/nearest'
import type { Services } from '../services.ts'

export const ProviderPath = z.strictObject({ provider_id: ProviderId.openapi({ param: { in: 'path' } }) })

/** A well-formed id that nobody knows is a mistake on a path; as a filter it just matches nothing. */
export function requireProvider(services: Services, provider_id: ProviderId): void {
  const known = services.providers()
  if (known.includes(provider_id)) return
  throw new SignalboxError('unknown_provider', `no source knows the provider "${provider_id}"`, {
    field: 'provider_id',
    candidates: nearest(provider_id, known),
  })
}

export function requireSource(services: Services, source_id: string | undefined): void {
  if (source_id === undefined) return
  const known = services.catalog.statuses.sources.map((source) => source.id)
  if (known.some((id) => id === source_id)) return
  throw new SignalboxError('invalid_request', `there is no source "${source_id}"`, {
    field: 'source_id',
    expected: known.join(', '),
    candidates: nearest(source_id, known),
  })
}
