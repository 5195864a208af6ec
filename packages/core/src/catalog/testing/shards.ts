import type { RowList } from '@signalbox/contract/row'
import { ProviderShard, type ShardInput } from '../shard.ts'
import { makeSnapshot, type Snapshot } from '../snapshot.ts'
import { NOW, provider } from './samples.ts'

/** The shard of lists of one provider, as it reads now. */
export function shard(lists: readonly RowList[], input: Partial<ShardInput> = {}): ProviderShard {
  const provider_id = lists[0]?.provider_id ?? provider('acme')
  return new ProviderShard({ provider_id, lists, enriching: [], probe: 'not_probed', now: NOW, ...input })
}

/** A snapshot of any lists, sharded by provider. */
export function snapshotOf(lists: readonly RowList[]): Snapshot {
  const byProvider = Map.groupBy(lists, (list) => list.provider_id)
  return makeSnapshot(
    1,
    [...byProvider.values()].map((own) => shard(own)),
  )
}
