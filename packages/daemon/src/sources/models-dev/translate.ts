/**
 * models.dev's `api.json` as rows. It is an object of providers by id, each with `models` by id. A bad row is dropped
 * and named, and the rest is kept (CAT-155). Descriptions are never kept.
 */
import { SignalboxError } from '@signalbox/contract/errors'
import { type ModelId, PROVIDER_ID_PATTERN, type ProviderId } from '@signalbox/contract/ids'
import type { StatedRow } from '@signalbox/contract/row'
import type { ProviderRows, RejectedRow } from '../source.ts'
import { asObject, asText, asTexts, type JsonObject } from './json-value.ts'
import { modelFacts } from './model.ts'
import { holdsReplacement, rowFault } from './weigh.ts'

/** What models.dev states about a provider itself. */
export interface ProviderStatement {
  readonly provider_id: ProviderId
  readonly name: string | null
  /** May hold `${NAME}` where the address depends on the account. */
  readonly base_url: string | null
  /** The client library that speaks to it, from which the kind of API follows. */
  readonly npm: string | null
  /** Environment variables that hold its credential and settings. */
  readonly env: readonly string[]
  readonly docs: string | null
}

export interface Translation {
  readonly lists: readonly ProviderRows[]
  readonly rejected: readonly RejectedRow[]
  readonly providers: readonly ProviderStatement[]
}

export interface TranslateOptions {
  /** The text was not valid UTF-8: rows with U+FFFD are the ones that were hit, and are dropped. */
  readonly damaged?: boolean
}

/** Translate a whole parsed document. Throws `source_failed` when it is not an object. */
export function translateModelsDev(document: unknown, options: TranslateOptions = {}): Translation {
  const providers = asObject(document)
  if (providers === null) throw new SignalboxError('source_failed', 'the answer is not a catalog of models')
  const translator = new Translator(options)
  for (const [key, value] of Object.entries(providers)) translator.add(key, value)
  return translator.finish()
}

/** Translates provider by provider, so that a caller can do other work in between. */
export class Translator {
  readonly #damaged: boolean
  readonly #seen = new Set<string>()
  readonly #lists: ProviderRows[] = []
  readonly #rejected: RejectedRow[] = []
  readonly #providers: ProviderStatement[] = []

  constructor({ damaged = false }: TranslateOptions = {}) {
    this.#damaged = damaged
  }

  /** `key` is the provider's id, and stays as it is (CAT-177). */
  add(key: string, value: unknown): void {
    const provider = asObject(value)
    const models = asObject(provider?.models)
    const provider_id = PROVIDER_ID_PATTERN.test(key) ? (key as ProviderId) : null
    if (provider_id === null) {
      this.#reject(null, null, 'the provider id is not well-formed')
    } else if (provider === null || models === null) {
      this.#reject(provider_id, null, 'the provider has no models object')
    } else if (this.#seen.has(key)) {
      this.#reject(provider_id, null, 'the provider is repeated')
    } else {
      this.#seen.add(key)
      this.#lists.push({ provider_id, rows: this.#rows(provider_id, models) })
      this.#providers.push(statement(provider_id, provider))
    }
  }

  finish(): Translation {
    return { lists: this.#lists, rejected: this.#rejected, providers: this.#providers }
  }

  #rows(provider_id: ProviderId, models: JsonObject): readonly StatedRow[] {
    const rows: StatedRow[] = []
    const seen = new Set<string>()
    for (const value of Object.values(models)) {
      const model = asObject(value)
      const id = asText(model?.id)
      const fault = model === null ? 'not an object' : id === null ? 'no id' : this.#fault(model, id, seen)
      if (model === null || id === null || fault !== null) {
        this.#reject(provider_id, id, fault ?? 'no id')
        continue
      }
      seen.add(id)
      rows.push(statedRow(id as ModelId, model))
    }
    return rows
  }

  #fault(model: JsonObject, id: string, seen: ReadonlySet<string>): string | null {
    const fault = rowFault(model)
    if (fault !== null) return fault
    if (this.#damaged && holdsReplacement(model)) return 'not valid UTF-8'
    return seen.has(id) ? 'the id is repeated' : null
  }

  #reject(provider_id: ProviderId | null, id: string | null, reason: string): void {
    this.#rejected.push({ provider_id, model_id: id === null ? null : id.slice(0, SHOWN_ID_MAX), reason })
  }
}

/** An id is named in the log, where one of 1 MiB would not help. */
const SHOWN_ID_MAX = 200

/** models.dev states no availability and no times of its own. */
function statedRow(model_id: ModelId, model: JsonObject): StatedRow {
  return {
    model_id,
    facts: modelFacts(model),
    available: null,
    denial: null,
    refreshed_at: null,
    expires_at: null,
    declared_stale: false,
  }
}

function statement(provider_id: ProviderId, provider: JsonObject): ProviderStatement {
  return {
    provider_id,
    name: asText(provider.name),
    base_url: asText(provider.api),
    npm: asText(provider.npm),
    env: asTexts(provider.env) ?? [],
    docs: asText(provider.doc),
  }
}
