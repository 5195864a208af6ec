/**
 * Builds `data/builtin.json` from a copy of models.dev's `api.json`, and from the per-provider files of pi-ai where
 * given. Prints what it wrote. The same input gives the same bytes.
 *
 *   node scripts/build-builtin.ts <api.json> [pi-ai-models-dir] --date 2026-09-27 [--out data/builtin.json]
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { encodeBuiltin } from '../packages/daemon/src/sources/builtin-file.ts'
import { builtinProvider, PI_NAMES, type PiModel } from '../packages/daemon/src/sources/builtin-provider.ts'
import { translateModelsDev } from '../packages/daemon/src/sources/models-dev/translate.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    date: { type: 'string' },
    out: { type: 'string', default: join(import.meta.dirname, '../data/builtin.json') },
  },
})
const [apiFile, piDir] = positionals
const { date, out } = values
if (apiFile === undefined || date === undefined || !/^\d{4}-\d\d-\d\d$/.test(date) || Number.isNaN(Date.parse(date))) {
  console.error('usage: node scripts/build-builtin.ts <api.json> [pi-ai-models-dir] --date YYYY-MM-DD [--out file]')
  process.exit(2)
}

const readJson = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'))

/** A pi-ai file is an object by kind of API, of objects by model. */
function readPiModels(file: string): readonly PiModel[] {
  const byKind = readJson(file) as Readonly<Record<string, Readonly<Record<string, { api: string; baseUrl: string }>>>>
  return Object.values(byKind)
    .flatMap((models) => Object.values(models))
    .map(({ api, baseUrl }) => ({ api, base_url: baseUrl }))
}

const piFiles = piDir === undefined ? [] : readdirSync(piDir).filter((name) => name.endsWith('.json'))
const pi = new Map(piFiles.map((name) => [basename(name, '.json'), readPiModels(join(piDir ?? '', name))]))

const { lists, rejected, providers } = translateModelsDev(readJson(apiFile))
const described = new Map(
  providers.map((statement) => {
    const { provider_id } = statement
    return [provider_id, builtinProvider(statement, pi.get(PI_NAMES.get(provider_id) ?? provider_id) ?? [])]
  }),
)
const text = encodeBuiltin({ date, lists, providers: described })
writeFileSync(out, text)

const models = lists.reduce((sum, list) => sum + list.rows.length, 0)
console.log(`${lists.length} providers, ${models} models, ${Buffer.byteLength(text)} bytes`)
for (const { provider_id, model_id, reason } of rejected)
  console.log(`dropped: ${provider_id ?? '?'} ${model_id ?? '?'}: ${reason}`)
