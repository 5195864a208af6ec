/**
 * What no source may state, whatever it is made of: rows of a provider it was not asked for, and the same thing twice.
 * The rest of the answer is kept.
 */
import type { ModelId, ProviderId } from '@signalbox/contract/ids'
import type { StatedRow } from '@signalbox/contract/row'
import type { ProviderRows, RejectedRow, SourceAnswer } from '../sources/source.ts'

export type RowsAnswer = Extract<SourceAnswer, { kind: 'rows' }>

/** @param asked the provider that the call was for; null when any may be named */
export function checkAnswer(answer: RowsAnswer, asked: ProviderId | null): RowsAnswer {
  const lists = new Map<ProviderId, ProviderRows>()
  const rejected: RejectedRow[] = [...answer.rejected]
  for (const { provider_id, rows } of answer.lists) {
    const reject = (reason: string) => void rejected.push({ provider_id, model_id: null, reason })
    if (asked !== null && provider_id !== asked) reject('rows of another provider than the one asked for')
    else if (lists.has(provider_id)) reject('the provider is repeated')
    else lists.set(provider_id, { provider_id, rows: withoutRepeats(provider_id, rows, rejected) })
  }
  return { ...answer, lists: [...lists.values()], rejected }
}

/** The very array where nothing is repeated: a store tells by it that only times changed. */
function withoutRepeats(
  provider_id: ProviderId,
  rows: readonly StatedRow[],
  rejected: RejectedRow[],
): readonly StatedRow[] {
  const seen = new Set<ModelId>()
  const isRepeated = ({ model_id }: StatedRow) => seen.size === seen.add(model_id).size
  const repeated = new Set(rows.filter(isRepeated))
  if (repeated.size === 0) return rows
  for (const { model_id } of repeated) rejected.push({ provider_id, model_id, reason: 'the id is repeated' })
  return rows.filter((row) => !repeated.has(row))
}
