/** One model of models.dev as facts. Only what its fields state: an unusable value is unknown, never a default. */
import { EFFORTS, type Effort } from '@signalbox/contract/effort'
import type { Lifecycle, Modalities, PriceTier } from '@signalbox/contract/model'
import type { Facts } from '@signalbox/contract/row'
import { asBoolean, asObject, asText, asTexts, type JsonObject } from './json-value.ts'

/** Every key, in the order of `NO_FACTS`, so that all rows have one shape. */
export function modelFacts(model: JsonObject): Facts {
  const limit = asObject(model.limit)
  const cost = asObject(model.cost)
  return {
    display_name: asText(model.name),
    context_window: asTokens(limit?.context),
    max_input_tokens: asTokens(limit?.input),
    max_output_tokens: asTokens(limit?.output),
    supports_tools: asBoolean(model.tool_call),
    supports_reasoning: asBoolean(model.reasoning),
    reasoning_efforts: efforts(model.reasoning_options),
    default_reasoning_effort: null,
    family: asText(model.family),
    modalities: modalities(model.modalities),
    release_date: releaseDate(model.release_date),
    lifecycle: typeof model.status === 'string' ? (LIFECYCLE_OF.get(model.status) ?? null) : null,
    cost_input_per_million: asPrice(cost?.input),
    cost_output_per_million: asPrice(cost?.output),
    cost_cache_read_per_million: asPrice(cost?.cache_read),
    cost_cache_write_per_million: asPrice(cost?.cache_write),
    cost_tiers: cost === null ? null : (contextTiers(cost.tiers) ?? legacyTier(cost.context_over_200k)),
  }
}

const LIFECYCLE_OF: ReadonlyMap<string, Lifecycle> = new Map([
  ['deprecated', 'deprecated'],
  ['beta', 'preview'],
  ['alpha', 'preview'],
])

/** Their words for an effort; every other word is dropped. */
const EFFORT_OF: ReadonlyMap<unknown, Effort> = new Map<unknown, Effort>([
  ['none', 'off'],
  ...EFFORTS.map((effort) => [effort, effort] as const),
])

/** 143 real models have a context of 0, which means that nobody knows (CAT-179). */
function asTokens(value: unknown): number | null {
  return Number.isSafeInteger(value) && (value as number) > 0 ? (value as number) : null
}

/** 0 is a price: free. Adding 0 turns JSON's `-0` into it. */
function asPrice(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value + 0 : null
}

const DATE = /^\d{4}(-\d\d){0,2}$/

function releaseDate(value: unknown): string | null {
  return typeof value === 'string' && DATE.test(value) ? value : null
}

/** Options of other types (`toggle`, `budget_tokens`) name no effort. */
function efforts(options: unknown): readonly Effort[] | null {
  if (!Array.isArray(options)) return null
  const found: Effort[] = []
  for (const item of options) {
    const option = asObject(item)
    if (option?.type !== 'effort' || !Array.isArray(option.values)) continue
    for (const word of option.values) {
      const effort = EFFORT_OF.get(word)
      if (effort !== undefined && !found.includes(effort)) found.push(effort)
    }
  }
  return found.length === 0 ? null : found
}

/** One object holds both lists, so a half-stated one states nothing. */
function modalities(value: unknown): Modalities | null {
  const stated = asObject(value)
  const input = asTexts(stated?.input)
  const output = asTexts(stated?.output)
  return input === null || output === null || input.length + output.length === 0 ? null : { input, output }
}

function contextTiers(value: unknown): readonly PriceTier[] | null {
  if (!Array.isArray(value)) return null
  const tiers: PriceTier[] = []
  for (const item of value) {
    const stated = asObject(item)
    const condition = asObject(stated?.tier)
    if (stated === null || condition?.type !== 'context') continue
    const tier = priceTier(stated, condition.size)
    if (tier !== null && !tiers.some(({ above_context_tokens: size }) => size === tier.above_context_tokens))
      tiers.push(tier)
  }
  return tiers.length === 0 ? null : tiers.sort((a, b) => a.above_context_tokens - b.above_context_tokens)
}

/** What `tiers` replaced: one tier, whose size is in the field's name. */
function legacyTier(value: unknown): readonly PriceTier[] | null {
  const stated = asObject(value)
  const tier = stated === null ? null : priceTier(stated, 200_000)
  return tier === null ? null : [tier]
}

function priceTier(stated: JsonObject, size: unknown): PriceTier | null {
  const above_context_tokens = asTokens(size)
  if (above_context_tokens === null) return null
  const tier = {
    above_context_tokens,
    input_per_million: asPrice(stated.input),
    output_per_million: asPrice(stated.output),
    cache_read_per_million: asPrice(stated.cache_read),
    cache_write_per_million: asPrice(stated.cache_write),
  }
  const { input_per_million, output_per_million, cache_read_per_million, cache_write_per_million } = tier
  const prices = [input_per_million, output_per_million, cache_read_per_million, cache_write_per_million]
  return prices.every((price) => price === null) ? null : tier
}
