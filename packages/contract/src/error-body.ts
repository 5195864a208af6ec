import { z } from '@hono/zod-openapi'
import { SourceStatus } from './status.ts'

const error = z.strictObject({
  code: z.string(),
  message: z.string(),
  field: z.string().optional(),
  expected: z.string().optional(),
  candidates: z.array(z.string()).readonly().optional(),
  hint: z.string().optional(),
})

export const ErrorBody = z.strictObject({ error }).openapi('ErrorBody')

/** A refresh in which nothing worked still says how each source fared. */
export const RefreshFailureBody = z
  .strictObject({ error, refresh_request_id: z.string(), sources: z.array(SourceStatus).readonly() })
  .openapi('RefreshFailureBody')
