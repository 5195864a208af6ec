/** Encoded lists, kept for as long as their snapshot is the current one. */
import type { MergedModel } from '@signalbox/core/catalog/merge'
import { projectModel, projectOpenAIModel } from '@signalbox/core/catalog/project'
import { encodeModels, type ProviderShard } from '@signalbox/core/catalog/shard'
import { type Selection, type Snapshot, selectModels } from '@signalbox/core/catalog/snapshot'
import { EncodedBody } from './encoded-body.ts'
import { renderModels } from './render/models-table.ts'
import type { Representation } from './representation.ts'

export interface ModelsBody {
  readonly body: EncodedBody
  readonly total: number
}

/** Distinct questions remembered per snapshot; past that the oldest is forgotten. */
const REMEMBERED = 64

export class ModelBodies {
  #snapshot: Snapshot | null = null
  #bodies = new Map<string, ModelsBody>()

  list(snapshot: Snapshot, selection: Selection, representation: Representation): ModelsBody {
    return this.#remember(snapshot, JSON.stringify([selection, representation]), () =>
      makeList(snapshot, selection, representation),
    )
  }

  openai(snapshot: Snapshot, selection: Selection): ModelsBody {
    return this.#remember(snapshot, JSON.stringify(['openai', selection]), () => {
      const { models, total } = selectModels(snapshot, { ...selection, include_stale: true })
      const text = `{"object":"list","data":${JSON.stringify(models.map(projectOpenAIModel))}}\n`
      return { body: new EncodedBody(Buffer.from(text)), total }
    })
  }

  #remember(snapshot: Snapshot, key: string, make: () => ModelsBody): ModelsBody {
    if (this.#snapshot !== snapshot) {
      this.#snapshot = snapshot
      this.#bodies = new Map()
    }
    const known = this.#bodies.get(key)
    if (known !== undefined) return known
    const made = make()
    if (this.#bodies.size >= REMEMBERED) {
      const oldest = this.#bodies.keys().next().value
      if (oldest !== undefined) this.#bodies.delete(oldest)
    }
    this.#bodies.set(key, made)
    return made
  }
}

function makeList(snapshot: Snapshot, selection: Selection, representation: Representation): ModelsBody {
  if (representation.kind === 'json' && isWhole(selection)) return wholeList(snapshot, selection)
  const { models, total } = selectModels(snapshot, selection)
  return { body: new EncodedBody(render(models, selection, representation)), total }
}

function render(models: readonly MergedModel[], selection: Selection, representation: Representation): Buffer {
  switch (representation.kind) {
    case 'json':
      return Buffer.concat([LIST_START, encodeModels(models), LIST_END])
    case 'jsonl':
      return Buffer.from(models.map((model) => `${JSON.stringify(projectModel(model))}\n`).join(''))
    case 'table':
      return Buffer.from(renderModels(models, selection, representation))
  }
}

const LIST_START = Buffer.from('{"models":[')
const LIST_END = Buffer.from(']}\n')
const COMMA = Buffer.from(',')

/** Nothing is filtered, so the providers' own bytes can be joined. */
function isWhole({ source_id, include_stale, q, available, limit }: Selection): boolean {
  const filtered = source_id !== undefined || q !== undefined || available !== undefined || limit !== undefined
  return !filtered && include_stale !== true
}

function wholeList(snapshot: Snapshot, { provider_id }: Selection): ModelsBody {
  const shards =
    provider_id === undefined
      ? snapshot.shards
      : [snapshot.byProvider.get(provider_id)].filter((shard) => shard !== undefined)
  const filled = shards.filter((shard) => shard.body.length > 0)
  const parts = filled.flatMap((shard, index) => (index === 0 ? [shard.body] : [COMMA, shard.body]))
  const bytes = Buffer.concat([LIST_START, ...parts, LIST_END])
  if (provider_id === undefined) shareWith(filled, bytes)
  const total = shards.reduce((sum, shard) => sum + shard.modelCount, 0)
  return { body: new EncodedBody(bytes), total }
}

/** The list of all providers holds each provider's bytes: one copy of eight megabytes is enough. */
function shareWith(shards: readonly ProviderShard[], list: Buffer): void {
  let start = LIST_START.length
  for (const shard of shards) {
    const end = start + shard.body.length
    shard.shareBody(list.subarray(start, end))
    start = end + COMMA.length
  }
}
