/** Where in a provider's row each fact stands: data, because most lists differ in nothing else. */
import type { Modalities } from '@signalbox/contract/model'
import type { Facts } from '@signalbox/contract/row'
import { NO_FACTS } from '@signalbox/core/catalog/facts'
import { asBoolean, asText, asTexts, type JsonObject } from '../models-dev/json-value.ts'
import { asDay, asEffort, asEfforts, asPrice, asTokens, at, first, type PriceUnit } from './stated.ts'

type Paths = readonly string[]
type PriceColumn = readonly [path: string, unit: PriceUnit]

/** Dotted paths, the first that states something wins. */
export interface Columns {
  readonly display_name?: Paths
  readonly family?: Paths
  readonly context_window?: Paths
  readonly max_input_tokens?: Paths
  readonly max_output_tokens?: Paths
  readonly supports_tools?: Paths
  readonly supports_reasoning?: Paths
  readonly reasoning_efforts?: Paths
  readonly default_reasoning_effort?: Paths
  readonly release_date?: Paths
  readonly modalities?: readonly [input: string, output: string]
  readonly cost_input?: readonly PriceColumn[]
  readonly cost_output?: readonly PriceColumn[]
  readonly cost_cache_read?: readonly PriceColumn[]
  readonly cost_cache_write?: readonly PriceColumn[]
}

export function factsFrom(row: JsonObject, columns: Columns): Facts {
  const read = <T>(paths: Paths | undefined, reader: (value: unknown) => T | null) =>
    paths === undefined ? null : first(row, paths, reader)
  return {
    ...NO_FACTS,
    display_name: read(columns.display_name, asText),
    family: read(columns.family, asText),
    context_window: read(columns.context_window, asTokens),
    max_input_tokens: read(columns.max_input_tokens, asTokens),
    max_output_tokens: read(columns.max_output_tokens, asTokens),
    supports_tools: read(columns.supports_tools, asBoolean),
    supports_reasoning: read(columns.supports_reasoning, asBoolean),
    reasoning_efforts: read(columns.reasoning_efforts, asEfforts),
    default_reasoning_effort: read(columns.default_reasoning_effort, asEffort),
    release_date: read(columns.release_date, asDay),
    modalities: columns.modalities === undefined ? null : modalitiesAt(row, columns.modalities),
    cost_input_per_million: price(row, columns.cost_input),
    cost_output_per_million: price(row, columns.cost_output),
    cost_cache_read_per_million: price(row, columns.cost_cache_read),
    cost_cache_write_per_million: price(row, columns.cost_cache_write),
  }
}

function price(row: JsonObject, columns: readonly PriceColumn[] = []): number | null {
  for (const [path, unit] of columns) {
    const value = asPrice(at(row, path), unit)
    if (value !== null) return value
  }
  return null
}

/** One object holds both lists, so a half-stated one states nothing. Words in lower case, as everywhere else. */
function modalitiesAt(row: JsonObject, [inputPath, outputPath]: readonly [string, string]): Modalities | null {
  const [input, output] = [asTexts(at(row, inputPath)), asTexts(at(row, outputPath))]
  if (input === null || output === null || input.length + output.length === 0) return null
  return { input: input.map((word) => word.toLowerCase()), output: output.map((word) => word.toLowerCase()) }
}
