/** The merged, read-only projection of one `(provider_id, model_id)`. Key order here is the order on the wire. */
import { z } from '@hono/zod-openapi'
import { Effort } from './effort.ts'
import { SourceKind } from './ids.ts'

/** UTC RFC 3339 in whole seconds. */
export const Timestamp = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
  .openapi({ format: 'date-time', example: '2026-05-07T18:32:11Z' })

export const AVAILABILITY_STATES = [
  'available_live',
  'available_stale',
  'unavailable_live',
  'unavailable_stale',
  'unknown',
] as const
export const AvailabilityState = z.enum(AVAILABILITY_STATES).openapi('AvailabilityState')
export type AvailabilityState = z.infer<typeof AvailabilityState>

/** Why a row says that a model cannot be used. */
export const DENIALS = ['denied', 'not_entitled', 'retired'] as const
export type Denial = (typeof DENIALS)[number]

/** Why nothing proves a model either way. */
export const UNKNOWN_REASONS = [
  'no_credential',
  'credential_rejected',
  'not_listed',
  'rate_limited',
  'provider_unreachable',
  'evidence_expired',
  'offline',
  'source_disabled',
  'not_probed',
] as const
export type UnknownReason = (typeof UNKNOWN_REASONS)[number]

export const AvailabilityReason = z.enum(['proven', ...DENIALS, ...UNKNOWN_REASONS]).openapi('AvailabilityReason')
export type AvailabilityReason = z.infer<typeof AvailabilityReason>

export const LIFECYCLES = ['active', 'preview', 'deprecated', 'retired'] as const
export const Lifecycle = z.enum(LIFECYCLES).openapi('Lifecycle')
export type Lifecycle = z.infer<typeof Lifecycle>

export const SourceRef = z
  .strictObject({
    source_id: z.string(),
    source_kind: SourceKind,
    priority: z.int(),
    stale: z.boolean(),
    refreshed_at: Timestamp,
  })
  .openapi('SourceRef')
export type SourceRef = z.infer<typeof SourceRef>

export const AvailabilityEvidence = z
  .strictObject({
    source_id: z.string(),
    observed_at: Timestamp,
    expires_at: Timestamp.nullable(),
    stale: z.boolean(),
  })
  .openapi('AvailabilityEvidence', { description: 'What was seen and when. Readers compute the age.' })
export type AvailabilityEvidence = z.infer<typeof AvailabilityEvidence>

export const Modalities = z
  .strictObject({ input: z.array(z.string()).readonly(), output: z.array(z.string()).readonly() })
  .openapi('Modalities')
export type Modalities = z.infer<typeof Modalities>

const price = z.number().nonnegative().nullable()

/** Prices that hold above a context size. */
export const PriceTier = z
  .strictObject({
    above_context_tokens: z.int().positive(),
    input_per_million: price,
    output_per_million: price,
    cache_read_per_million: price,
    cache_write_per_million: price,
  })
  .openapi('PriceTier')
export type PriceTier = z.infer<typeof PriceTier>

export const Cost = z
  .strictObject({
    input_per_million: price,
    output_per_million: price,
    cache_read_per_million: price,
    cache_write_per_million: price,
    tiers: z.array(PriceTier).readonly().nullable(),
  })
  .openapi('Cost', { description: 'USD per million tokens. 0 means free; null means that nobody states it.' })
export type Cost = z.infer<typeof Cost>

const tokens = z.int().positive().nullable()

export const Model = z
  .strictObject({
    provider_id: z.string(),
    model_id: z.string(),
    display_name: z.string().nullable(),
    sources: z.array(SourceRef).readonly(),
    available: z.boolean().nullable(),
    availability_state: AvailabilityState,
    availability_reason: AvailabilityReason,
    availability_evidence: AvailabilityEvidence.nullable(),
    stale: z.boolean(),
    refreshed_at: Timestamp,
    context_window: tokens,
    max_input_tokens: tokens,
    max_output_tokens: tokens,
    supports_tools: z.boolean().nullable(),
    supports_reasoning: z.boolean().nullable(),
    reasoning_efforts: z.array(Effort).readonly().nullable(),
    default_reasoning_effort: Effort.nullable(),
    family: z.string().nullable(),
    modalities: Modalities.nullable(),
    release_date: z.string().nullable().openapi({ example: '2025-12-11' }),
    lifecycle: Lifecycle.nullable(),
    cost: Cost.nullable(),
  })
  .openapi('Model')
export type Model = z.infer<typeof Model>

export const ModelList = z.strictObject({ models: z.array(Model).readonly() }).openapi('ModelList')
export type ModelList = z.infer<typeof ModelList>
