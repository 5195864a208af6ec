/**
 * The text of `api.json` as rows without holding up the daemon. Longest hold of the event loop on the real file (5 MB),
 * over ten runs each on a busy two-core machine: parsed and translated at once 38 to 80 ms (five runs); provider by
 * provider, with a turn of the loop every few milliseconds, 5 to 22 ms; in a worker thread 22 to 46 ms, because its rows
 * must be copied over, and about four times as long in all.
 */
import { setImmediate } from 'node:timers/promises'
import { parseJson } from '../../http/parse-json.ts'
import { splitMembers } from './split.ts'
import { type TranslateOptions, type Translation, Translator } from './translate.ts'

const STEP_MS = 4

export async function readCatalog(text: string, signal: AbortSignal, options: TranslateOptions): Promise<Translation> {
  const translator = new Translator(options)
  let stepEnd = performance.now() + STEP_MS
  for (const [provider, valueText] of splitMembers(text)) {
    translator.add(provider, parseJson(valueText))
    if (performance.now() < stepEnd) continue
    await setImmediate()
    signal.throwIfAborted()
    stepEnd = performance.now() + STEP_MS
  }
  return translator.finish()
}
