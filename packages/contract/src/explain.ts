/** Why a model reads as it does: every field with its winner and losers, availability with its evidence. */
import { z } from '@hono/zod-openapi'
import { AvailabilityEvidence, AvailabilityReason, AvailabilityState, Timestamp } from './model.ts'

export const FieldStatement = z
  .strictObject({ source_id: z.string(), refreshed_at: Timestamp, stale: z.boolean(), value: z.unknown() })
  .openapi('FieldStatement')
export type FieldStatement = z.infer<typeof FieldStatement>

export const FieldExplanation = z
  .strictObject({
    field: z.string(),
    value: z.unknown(),
    winner: FieldStatement.nullable(),
    rule: z
      .string()
      .nullable()
      .openapi({ description: 'The rule that made the value, where no row holds it as shown.' }),
    losers: z.array(FieldStatement).readonly(),
  })
  .openapi('FieldExplanation')
export type FieldExplanation = z.infer<typeof FieldExplanation>

export const LeftOutRow = z
  .strictObject({ source_id: z.string(), refreshed_at: Timestamp, why: z.string() })
  .openapi('LeftOutRow')

export const Explanation = z
  .strictObject({
    provider_id: z.string(),
    model_id: z.string(),
    generation: z.int(),
    availability: z.strictObject({
      available: z.boolean().nullable(),
      availability_state: AvailabilityState,
      availability_reason: AvailabilityReason,
      availability_evidence: AvailabilityEvidence.nullable(),
      decided_by: z.string().nullable(),
      why: z.string(),
    }),
    stale: z.boolean(),
    fields: z.array(FieldExplanation).readonly(),
    left_out: z.array(LeftOutRow).readonly().openapi({ description: 'Stale rows that supplied no field.' }),
  })
  .openapi('Explanation')
export type Explanation = z.infer<typeof Explanation>
