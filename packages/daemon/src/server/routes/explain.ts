import { SignalboxError } from '@signalbox/contract/errors'
import { Explanation } from '@signalbox/contract/explain'
import type { ModelId, ProviderId } from '@signalbox/contract/ids'
import { ExplainQuery } from '@signalbox/contract/queries'
import { explainModel } from '@signalbox/core/catalog/explain'
import { findModel, type Snapshot } from '@signalbox/core/catalog/snapshot'
import { nearest } from '@signalbox/core/nearest'
import { jsonAnswer, textAnswer } from '../answer.ts'
import { renderExplanation } from '../render/explanation.ts'
import type { Router } from '../router.ts'
import type { Services } from '../services.ts'

export function explainRoute(router: Router, services: Services): void {
  router.add(
    {
      method: 'get',
      path: '/api/explain',
      tag: 'Catalog',
      summary: 'Why a model reads as it does: every field with its winner and losers, availability with its evidence',
      query: ExplainQuery,
      answer: Explanation,
    },
    ({ query: { provider_id, model_id }, representation }) => {
      const snapshot = services.catalog.snapshot()
      // A parsed edge: a model id is any non-empty text, which the query already is.
      const model = findModel(snapshot, provider_id, model_id as ModelId)
      if (model === undefined) throw unknownModel(snapshot, provider_id, model_id)
      const explanation = explainModel(model, snapshot.generation)
      if (representation.kind !== 'table') return jsonAnswer(explanation)
      return textAnswer(renderExplanation(explanation, representation))
    },
  )
}

/** The nearest of the same provider; for an unknown provider, or a model that others serve, across all. */
function unknownModel(snapshot: Snapshot, provider_id: ProviderId, model_id: string): SignalboxError {
  const own = snapshot.byProvider.get(provider_id)?.models ?? []
  const near = nearest(
    model_id,
    own.map((model) => model.model_id),
  ).map((id) => `${provider_id}/${id}`)
  const elsewhere = snapshot.shards.flatMap((shard) =>
    shard.models
      .filter((model) => model.model_id === model_id)
      .map((model) => `${shard.provider_id}/${model.model_id}`),
  )
  const like = nearest(`${provider_id}/${model_id}`, elsewhere)
  return new SignalboxError(
    'unknown_model',
    snapshot.byProvider.has(provider_id)
      ? `no source lists the model "${model_id}" of the provider "${provider_id}"`
      : `no source knows the provider "${provider_id}"`,
    {
      field: 'model_id',
      candidates: [...new Set([...near, ...like, ...elsewhere])].slice(0, 5),
    },
  )
}
