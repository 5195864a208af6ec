/**
 * The last good configuration, kept for a start with a broken file. One note, so that a crash leaves the old one or the
 * new one whole. It holds what the file states, without keys, and without its comments: people leave keys in those.
 */
import { ConfigFile } from '@signalbox/contract/config'
import { z } from 'zod'

const NOTE = 'config.last_good'

const Kept = z.strictObject({
  values: z.unknown(),
  /** Fingerprint of the rows, and since when they are so. */
  rows: z.string(),
  changed_at: z.int(),
})

export interface LastGood {
  readonly config: ConfigFile
  readonly rows: string
  readonly changed_at: number
}

/** Null when there is none, or none that this version understands. */
export function readLastGood(notes: { get(name: string): string | null }): LastGood | null {
  const text = notes.get(NOTE)
  const kept = text === null ? null : Kept.safeParse(parseJson(text)).data
  const config = ConfigFile.safeParse(kept?.values).data
  return kept && config ? { config, rows: kept.rows, changed_at: kept.changed_at } : null
}

export function writeLastGood(notes: { set(name: string, text: string): void }, kept: z.infer<typeof Kept>): void {
  notes.set(NOTE, JSON.stringify(kept))
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
