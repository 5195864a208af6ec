/** Why a model reads as it does, from the same merge that made it. */
import type { Explanation, FieldExplanation, FieldStatement } from '@signalbox/contract/explain'
import type { AvailabilityReason } from '@signalbox/contract/model'
import type { Row } from '@signalbox/contract/row'
import { rfc3339 } from '../time.ts'
import { canProve } from './availability.ts'
import { FIELDS, type Field, isMissing } from './facts.ts'
import type { FieldRule, MergedModel } from './merge.ts'
import { projectEvidence } from './project.ts'

/** Where each field stands in the list's JSON. */
const FIELD_PATH: Partial<Record<Field, string>> = {
  cost_input_per_million: 'cost.input_per_million',
  cost_output_per_million: 'cost.output_per_million',
  cost_cache_read_per_million: 'cost.cache_read_per_million',
  cost_cache_write_per_million: 'cost.cache_write_per_million',
  cost_tiers: 'cost.tiers',
}

const RULE_TEXT: Readonly<Record<FieldRule, string>> = {
  implied_by_efforts: 'true, because the same row states reasoning efforts',
  cleared_no_reasoning: 'cleared, because the merged supports_reasoning is false',
  cleared_not_in_efforts: 'cleared, because it is not one of the merged reasoning_efforts',
}

/** Explain every field and the availability of `model`, merged without `includeStale`, as of snapshot `generation`. */
export function explainModel(model: MergedModel, generation: number): Explanation {
  return {
    provider_id: model.provider_id,
    model_id: model.model_id,
    generation,
    availability: explainAvailability(model),
    stale: model.stale,
    fields: FIELDS.map((field) => explainField(model, field)),
    left_out: model.rows
      .filter((row) => isLeftOut(model, row))
      .map((row) => ({
        source_id: row.source_id,
        refreshed_at: rfc3339(row.refreshed_at),
        why: 'stale, and a fresh row is there; include_stale=true lets it supply fields',
      })),
  }
}

function explainField(model: MergedModel, field: Field): FieldExplanation {
  const origin = model.origins[field]
  const winner = model.rows[origin.row]
  const losers = model.rows.filter((row) => row !== winner && !isMissing(row.facts[field]))
  return {
    field: FIELD_PATH[field] ?? field,
    value: model.facts[field],
    winner: winner === undefined ? null : statement(winner, field),
    rule: origin.rule === null ? null : RULE_TEXT[origin.rule],
    losers: losers.map((row) => statement(row, field)),
  }
}

function statement(row: Row, field: Field): FieldStatement {
  return {
    source_id: row.source_id,
    refreshed_at: rfc3339(row.refreshed_at),
    stale: row.stale,
    value: row.facts[field],
  }
}

function isLeftOut(model: MergedModel, row: Row): boolean {
  return row.stale && model.rows.some((other) => !other.stale)
}

function explainAvailability(model: MergedModel): Explanation['availability'] {
  const { available, state, reason, evidence } = model.availability
  return {
    available,
    availability_state: state,
    availability_reason: reason,
    availability_evidence: projectEvidence(model.availability),
    decided_by: evidence?.row.source_id ?? null,
    why: evidence === null ? whyUndecided(model) : whyDecided(model, evidence.row),
  }
}

function whyDecided(model: MergedModel, row: Row): string {
  const others = model.rows.some((other) => other !== row && canProve(other) && other.available !== null)
  const rank = others ? ', the highest-ranking row that states it' : ''
  return `${row.source_id} says available: ${row.available}${rank}${row.stale ? '; that row is stale' : ''}`
}

function whyUndecided(model: MergedModel): string {
  const silent = model.rows.filter(canProve)
  if (silent.length > 0) {
    return `${silent.map((row) => row.source_id).join(', ')} ${silent.length === 1 ? 'does' : 'do'} not say`
  }
  const kinds = model.rows.map((row) => row.source_id).join(', ')
  const stated = `only a live or extension row can prove availability; this model is stated by ${kinds}`
  const because = WHY_UNPROVEN[model.availability.reason]
  return because === undefined ? stated : `${because}; ${stated}`
}

/** What each reason means for a person who asks. */
const WHY_UNPROVEN: Partial<Record<AvailabilityReason, string>> = {
  no_credential:
    'the provider needs a credential and none was found (signalbox auth list says where it was looked for)',
  credential_rejected: 'the provider does not accept the credential',
  not_listed: 'the provider’s own list does not have it, though an unlisted model may work',
  rate_limited: 'the provider asks to be called less often',
  provider_unreachable: 'the provider could not be asked',
  offline: 'nobody is asked while offline',
  source_disabled: 'asking the provider is disabled',
}
