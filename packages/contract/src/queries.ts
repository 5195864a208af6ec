/** Query parameters of the catalog routes. The descriptions are the documentation: OpenAPI, CLI and docs use them. */
import { z } from '@hono/zod-openapi'
import { ProviderId } from './ids.ts'

export const LIMIT_MAX = 100_000

const flag = z
  .enum(['true', 'false', '1', '0'], 'true, false, 1 or 0')
  .transform((text) => text === 'true' || text === '1')
  .openapi({ type: 'boolean' })

const source_id = z
  .string()
  .describe('Only this source: config, models_dev, builtin, provider_live:<provider> or extension:<slug>.')
const refresh = flag.default(false).describe('Refresh the same scope first, and wait for it.')

export const ListQuery = z.strictObject({
  source_id: source_id.optional(),
  refresh,
  include_stale: flag.default(false).describe('Let stale rows supply fields too.'),
  q: z.string().optional().describe('Case-insensitive substring of provider id, model id or display name.'),
  available: z
    .enum(['true', 'false', 'unknown'], 'true, false or unknown')
    .optional()
    .describe('Only models of this availability.'),
  limit: z
    .string()
    .regex(/^\d{1,9}$/, `a whole number from 1 to ${LIMIT_MAX}`)
    .transform(Number)
    .refine((n) => n >= 1 && n <= LIMIT_MAX, `a whole number from 1 to ${LIMIT_MAX}`)
    .openapi({ type: 'integer', minimum: 1, maximum: LIMIT_MAX })
    .optional()
    .describe('At most so many, after sorting; X-Total-Count has the uncut count.'),
})
export type ListQuery = z.infer<typeof ListQuery>

const provider_id = ProviderId.optional().describe('Only this provider.')
export const AllProvidersListQuery = z.strictObject({ provider_id, ...ListQuery.shape })

export const StatusQuery = z.strictObject({
  source_id: source_id.optional(),
  refresh,
  include_stale: flag.default(false).describe('Accepted, without effect: a status is never hidden.'),
})
export const AllProvidersStatusQuery = z.strictObject({ provider_id, ...StatusQuery.shape })

export const ExplainQuery = z.strictObject({
  provider_id: ProviderId.describe('The provider.'),
  model_id: z.string().min(1).describe('The model id, byte for byte.'),
})

const refused = z.never('left out: this list never refreshes; use POST /api/providers/models/refresh').optional()

/** OpenAI clients add parameters of their own, which are ignored; the two that would ask for work are refused. */
export const OpenAIListQuery = z.object({ provider_id, refresh: refused, force: refused })
