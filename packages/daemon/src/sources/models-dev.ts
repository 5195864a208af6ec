/** The public catalog models.dev: facts about the models of many providers, and no word on what this user can run. */
import type { SourceId } from '@signalbox/contract/ids'
import type { OutboundClient } from '../http/client.ts'
import { failed } from '../http/failures.ts'
import { readCatalog } from './models-dev/read-catalog.ts'
import { SingleFlight } from './models-dev/single-flight.ts'
import type { Source, SourceAnswer } from './source.ts'

export interface ModelsDevOptions {
  readonly endpoint: string
  readonly ttlMs: number
  readonly timeoutMs: number
  readonly enabled: boolean
}

/** Four times what the real answer has grown to; after decompression (CAT-152). */
const MAX_BYTES = 32 * 1024 * 1024

export function modelsDevSource(options: ModelsDevOptions, client: OutboundClient): Source {
  const { endpoint, ttlMs, timeoutMs, enabled } = options
  const flights = new SingleFlight<SourceAnswer>()
  return {
    id: 'models_dev' as SourceId,
    kind: 'models_dev',
    scope: { kind: 'global' },
    ttlMs,
    timeoutMs,
    enabled,
    identity: endpoint,
    network: true,
    mayBeEmpty: false,
    list: ({ signal, validators: { etag, last_modified } }) =>
      // Only calls with the same validators: "unchanged" means nothing to one that has none.
      flights.join(JSON.stringify([etag, last_modified]), signal, (shared) =>
        download(client, { endpoint, timeoutMs, etag, last_modified }, shared),
      ),
  }
}

interface Download {
  readonly endpoint: string
  readonly timeoutMs: number
  readonly etag: string | undefined
  readonly last_modified: string | undefined
}

async function download(client: OutboundClient, request: Download, signal: AbortSignal): Promise<SourceAnswer> {
  const { endpoint, timeoutMs, etag, last_modified } = request
  const conditional = { etag, last_modified }
  const answer = await client.get({
    name: 'models.dev',
    url: endpoint,
    maxBytes: MAX_BYTES,
    timeoutMs,
    signal,
    ...conditional,
    // One bad row must not cost the other thousands: the translation drops those that were hit (CAT-155).
    invalidUtf8: 'replace',
  })
  if (answer.kind === 'unchanged') return { kind: 'unchanged' }
  const { lists, rejected } = await readCatalog(answer.text, signal, { damaged: answer.damaged })
  if (lists.every((list) => list.rows.length === 0)) throw failed('the answer holds no models')
  const validators = {
    ...(answer.etag === null ? {} : { etag: answer.etag }),
    ...(answer.last_modified === null ? {} : { last_modified: answer.last_modified }),
  }
  return { kind: 'rows', lists, rejected, validators }
}
