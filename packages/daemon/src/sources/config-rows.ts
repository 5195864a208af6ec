/** What the operator's configuration states about models. */
import type { ConfigFile, CuratedModel, ProviderConfig } from '@signalbox/contract/config'
import { ModelId, ProviderId, SourceId } from '@signalbox/contract/ids'
import type { Facts, RowList, StatedRow } from '@signalbox/contract/row'
import { compareBytes } from '@signalbox/core/bytes'
import { NO_FACTS } from '@signalbox/core/catalog/facts'

export const CONFIG_SOURCE = SourceId.parse('config')

/**
 * One list per provider that names a default or curated models, both in byte order: the order in the file means nothing.
 * A default that is not curated is a row that states only that the model exists.
 */
export function configRows(config: ConfigFile, changedAt: number): RowList[] {
  return Object.entries(config.providers)
    .map(([id, provider]) => ({
      source_id: CONFIG_SOURCE,
      provider_id: ProviderId.parse(id),
      refreshed_at: changedAt,
      fresh_until: null,
      failed: false,
      rows: providerRows(provider, changedAt),
    }))
    .filter(({ rows }) => rows.length > 0)
    .sort((a, b) => compareBytes(a.provider_id, b.provider_id))
}

function providerRows({ models }: ProviderConfig, changedAt: number): StatedRow[] {
  const facts = new Map(models.curated.map((model) => [model.id, factsOf(model)]))
  if (models.default !== undefined && !facts.has(models.default)) facts.set(models.default, NO_FACTS)
  return [...facts]
    .map(([id, stated]) => ({
      model_id: ModelId.parse(id),
      facts: stated,
      available: null,
      denial: null,
      refreshed_at: changedAt,
      expires_at: null,
      declared_stale: false,
    }))
    .sort((a, b) => compareBytes(a.model_id, b.model_id))
}

function factsOf(model: CuratedModel): Facts {
  return {
    ...NO_FACTS,
    display_name: model.display_name ?? null,
    context_window: model.context_window ?? null,
    max_input_tokens: model.max_input_tokens ?? null,
    max_output_tokens: model.max_output_tokens ?? null,
    supports_tools: model.supports_tools ?? null,
    supports_reasoning: model.supports_reasoning ?? null,
    reasoning_efforts: model.reasoning_efforts ?? null,
    default_reasoning_effort: model.default_reasoning_effort ?? null,
    cost_input_per_million: model.cost_input_per_million ?? null,
    cost_output_per_million: model.cost_output_per_million ?? null,
  }
}
