/** The OpenAI-compatible model list. */
import { z } from '@hono/zod-openapi'
import { Effort } from './effort.ts'
import { AvailabilityState } from './model.ts'

export const OpenAIModelSignalboxPayload = z
  .strictObject({
    provider_id: z.string(),
    model_id: z.string(),
    display_name: z.string().nullable(),
    sources: z.array(z.string()).readonly(),
    available: z.boolean().nullable(),
    availability_state: AvailabilityState,
    stale: z.boolean(),
    supports_tools: z.boolean().nullable(),
    supports_reasoning: z.boolean().nullable(),
    reasoning_efforts: z.array(Effort).readonly().nullable(),
    context_window: z.int().positive().nullable(),
    max_output_tokens: z.int().positive().nullable(),
  })
  .openapi('OpenAIModelSignalboxPayload')

export const OpenAIModel = z
  .strictObject({
    id: z.string(),
    object: z.literal('model'),
    created: z.literal(0),
    owned_by: z.string(),
    signalbox: OpenAIModelSignalboxPayload,
  })
  .openapi('OpenAIModel')
export type OpenAIModel = z.infer<typeof OpenAIModel>

export const OpenAIModelList = z
  .strictObject({ object: z.literal('list'), data: z.array(OpenAIModel).readonly() })
  .openapi('OpenAIModelList')

export const OpenAIErrorBody = z
  .strictObject({
    error: z.strictObject({
      message: z.string(),
      type: z.enum(['invalid_request_error', 'server_error']),
      param: z.string().nullable(),
      code: z.string(),
    }),
  })
  .openapi('OpenAIErrorBody')
