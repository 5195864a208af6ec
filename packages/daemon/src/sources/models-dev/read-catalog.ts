/**
 * The text of `api.json` as rows without holding up the daemon. Measured on the real file (5 MB): parsed and translated
 * at once it holds the event loop for 38 to 80 ms; provider by provider, with a turn of the loop every few milliseconds,
 * for 7 to 17 ms; in a worker thread for 22 to 27 ms, because its rows must be copied over, and it takes four times as long.
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
