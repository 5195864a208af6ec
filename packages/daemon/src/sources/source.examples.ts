/**
 * Sources without a world behind them, for tests: they stand for the kinds that are still to come, a provider's live
 * list and an extension, and answer what they are told.
 */
import { ModelId, ProviderId, SourceId, sourceKindOf } from '@signalbox/contract/ids'
import type { Facts, StatedRow } from '@signalbox/contract/row'
import { NO_FACTS } from '@signalbox/core/catalog/facts'
import type { ProviderRows, Source, SourceAnswer, SourceCall } from './source.ts'

export const provider = (id: string) => ProviderId.parse(id)

export function statedRow(id: string, facts: Partial<Facts> = {}, rest: Partial<StatedRow> = {}): StatedRow {
  return {
    model_id: ModelId.parse(id),
    facts: { ...NO_FACTS, ...facts },
    available: null,
    denial: null,
    refreshed_at: null,
    expires_at: null,
    declared_stale: false,
    ...rest,
  }
}

/** `{ openai: ['gpt-5'] }`, or with whole rows. */
export type Stated = Readonly<Record<string, readonly (string | StatedRow)[]>>

export function rowsAnswer(stated: Stated, rest: Partial<Extract<SourceAnswer, { kind: 'rows' }>> = {}): SourceAnswer {
  const lists: ProviderRows[] = Object.entries(stated).map(([id, rows]) => ({
    provider_id: provider(id),
    rows: rows.map((row) => (typeof row === 'string' ? statedRow(row) : row)),
  }))
  return { kind: 'rows', lists, rejected: [], validators: {}, ...rest }
}

/** What a source does with a call. */
export type Behaviour = (call: SourceCall) => Promise<SourceAnswer>

export const answers =
  (stated: Stated, rest: Parameters<typeof rowsAnswer>[1] = {}): Behaviour =>
  () =>
    Promise.resolve(rowsAnswer(stated, rest))

export const fails =
  (error: unknown): Behaviour =>
  () =>
    Promise.reject(error)

/** Nothing, until the call is aborted. */
export const hangs: Behaviour = ({ signal }) =>
  new Promise((_, reject) => {
    const end = () => reject(signal.reason)
    if (signal.aborted) end()
    else signal.addEventListener('abort', end, { once: true })
  })

export interface ExampleSource extends Source {
  readonly calls: readonly SourceCall[]
  /** From now on. */
  does(behaviour: Behaviour): void
  /** Resolves when it has been called this often. */
  called(times: number): Promise<void>
}

const HOUR_MS = 3_600_000

/** A global source: `exampleSource('models_dev', …)`; with `scope`, one call per provider. */
export function exampleSource(id: string, initial: Behaviour, traits: Partial<Source> = {}): ExampleSource {
  const source_id = SourceId.parse(id)
  const kind = sourceKindOf(id)
  if (kind === null) throw new RangeError(`not a source id: ${id}`)
  const calls: SourceCall[] = []
  const waiting = new Set<() => void>()
  let behaviour = initial
  return {
    id: source_id,
    kind,
    scope: { kind: 'global' },
    ttlMs: HOUR_MS,
    timeoutMs: 10_000,
    enabled: true,
    identity: `https://${kind}.test/`,
    network: true,
    mayBeEmpty: false,
    ...traits,
    calls,
    does: (next) => {
      behaviour = next
    },
    called: (times) =>
      new Promise((resolve) => {
        const look = () => {
          if (calls.length < times) return
          waiting.delete(look)
          resolve()
        }
        waiting.add(look)
        look()
      }),
    async list(call) {
      calls.push(call)
      for (const look of waiting) look()
      call.signal.throwIfAborted()
      return behaviour(call)
    },
  }
}

/** Stands for a provider's own list: `provider_live:<provider_id>`. */
export function liveExample(provider_id: string, behaviour: Behaviour, traits: Partial<Source> = {}): ExampleSource {
  const scope = { kind: 'providers', provider_ids: [provider(provider_id)] } as const
  return exampleSource(`provider_live:${provider_id}`, behaviour, { scope, ...traits })
}

/** Stands for an extension that speaks for some providers: `extension:<slug>`. */
export function extensionExample(
  slug: string,
  provider_ids: readonly string[],
  behaviour: Behaviour,
  traits: Partial<Source> = {},
): ExampleSource {
  const scope = { kind: 'providers', provider_ids: provider_ids.map(provider) } as const
  return exampleSource(`extension:${slug}`, behaviour, { scope, ...traits })
}
