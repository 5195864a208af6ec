/** Merged models as the contract shows them. Key order is the contract's, so equal models are equal bytes. */
import type { Cost, Model } from '@signalbox/contract/model'
import type { OpenAIModel } from '@signalbox/contract/openai'
import type { Facts } from '@signalbox/contract/row'
import { rfc3339 } from '../time.ts'
import type { Availability } from './availability.ts'
import type { MergedModel } from './merge.ts'

export function projectModel(model: MergedModel): Model {
  const { facts, availability } = model
  return {
    provider_id: model.provider_id,
    model_id: model.model_id,
    display_name: facts.display_name,
    sources: model.rows.map((row) => ({
      source_id: row.source_id,
      source_kind: row.source_kind,
      priority: row.priority,
      stale: row.stale,
      refreshed_at: rfc3339(row.refreshed_at),
    })),
    available: availability.available,
    availability_state: availability.state,
    availability_reason: availability.reason,
    availability_evidence: projectEvidence(availability),
    stale: model.stale,
    refreshed_at: rfc3339(model.refreshed_at),
    context_window: facts.context_window,
    max_input_tokens: facts.max_input_tokens,
    max_output_tokens: facts.max_output_tokens,
    supports_tools: facts.supports_tools,
    supports_reasoning: facts.supports_reasoning,
    reasoning_efforts: facts.reasoning_efforts,
    default_reasoning_effort: facts.default_reasoning_effort,
    family: facts.family,
    modalities: facts.modalities,
    release_date: facts.release_date,
    lifecycle: facts.lifecycle,
    cost: projectCost(facts),
  }
}

export function projectEvidence({ evidence }: Availability): Model['availability_evidence'] {
  if (evidence === null) return null
  const { row, stale } = evidence
  return {
    source_id: row.source_id,
    observed_at: rfc3339(row.refreshed_at),
    expires_at: row.expires_at === null ? null : rfc3339(row.expires_at),
    stale,
  }
}

/** Null when nobody states any price. */
function projectCost(facts: Facts): Cost | null {
  const cost = {
    input_per_million: facts.cost_input_per_million,
    output_per_million: facts.cost_output_per_million,
    cache_read_per_million: facts.cost_cache_read_per_million,
    cache_write_per_million: facts.cost_cache_write_per_million,
    tiers: facts.cost_tiers,
  }
  return Object.values(cost).every((value) => value === null) ? null : cost
}

export function projectOpenAIModel(model: MergedModel): OpenAIModel {
  const { facts, availability } = model
  return {
    id: model.model_id,
    object: 'model',
    created: 0,
    owned_by: model.provider_id,
    signalbox: {
      provider_id: model.provider_id,
      model_id: model.model_id,
      display_name: facts.display_name,
      sources: model.rows.map((row) => row.source_id),
      available: availability.available,
      availability_state: availability.state,
      stale: model.stale,
      supports_tools: facts.supports_tools,
      supports_reasoning: facts.supports_reasoning,
      reasoning_efforts: facts.reasoning_efforts,
      context_window: facts.context_window,
      max_output_tokens: facts.max_output_tokens,
    },
  }
}
