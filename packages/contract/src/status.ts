/** How each source is doing, and what a refresh is asked and answers. */
import { z } from '@hono/zod-openapi'
import { RequestId, SourceKind } from './ids.ts'
import { Timestamp } from './model.ts'

export const RefreshState = z.enum(['idle', 'refreshing', 'succeeded', 'failed', 'disabled']).openapi('RefreshState')
export type RefreshState = z.infer<typeof RefreshState>

export const SourceStatus = z
  .strictObject({
    source_id: z.string(),
    provider_id: z.string().nullable(),
    source_kind: SourceKind,
    refresh_state: RefreshState,
    last_refresh: Timestamp.nullable(),
    next_refresh: Timestamp.nullable(),
    last_success: Timestamp.nullable(),
    row_count: z.int().nonnegative(),
    stale: z.boolean(),
    last_error: z.string().nullable(),
  })
  .openapi('SourceStatus', {
    description: 'One per source and provider. `provider_id` is null only while a source has named no provider yet.',
  })
export type SourceStatus = z.infer<typeof SourceStatus>

export const StatusList = z.strictObject({ sources: z.array(SourceStatus).readonly() }).openapi('StatusList')

export const RefreshRequest = z
  .strictObject({
    source_id: z.string().optional(),
    force: z.boolean().default(false),
    request_id: RequestId.optional(),
  })
  .openapi('RefreshRequest')

export const RefreshAnswer = z
  .strictObject({ refresh_request_id: z.string(), sources: z.array(SourceStatus).readonly() })
  .openapi('RefreshAnswer')
export type RefreshAnswer = z.infer<typeof RefreshAnswer>
