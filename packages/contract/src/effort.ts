import { z } from '@hono/zod-openapi'

/** How hard a model is asked to think, weakest first. The words are ours; wire values are mapped at the edge. */
export const EFFORTS = ['off', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const
export const Effort = z.enum(EFFORTS).openapi('Effort')
export type Effort = z.infer<typeof Effort>
