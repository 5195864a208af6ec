/** What a source's runs leave for the next: read back from the store, where it is opaque. */
import type { GoodAnswer, ShrunkenAnswer } from '@signalbox/core/catalog/gate'
import type { Source } from '../sources/source.ts'
import { sha256 } from './fingerprint.ts'

export interface RunMemory {
  /** Identity of whom the last finished run asked, whether or not it succeeded. */
  readonly asked: string
  /** Of the last good answer; null before the first. */
  readonly good: GoodAnswer | null
  readonly validators: Readonly<Record<string, string>>
}

/** Whom a source asks, as it is remembered: hashed, because an endpoint may hold a key. */
export function rememberedIdentity(source: Pick<Source, 'identity'>): string {
  return sha256(source.identity)
}

/** A parsed edge: anything that is not of the expected form is as if it had never been remembered. */
export function readMemory(stored: Readonly<Record<string, unknown>> | null): RunMemory | null {
  if (stored === null || typeof stored.asked !== 'string') return null
  return { asked: stored.asked, good: readGood(stored.good), validators: readStrings(stored.validators) }
}

export function writeMemory(memory: RunMemory): Readonly<Record<string, unknown>> {
  return { ...memory }
}

function readGood(good: unknown): GoodAnswer | null {
  if (!isRecord(good) || typeof good.identity !== 'string' || typeof good.row_count !== 'number') return null
  const shrunken = isShrunken(good.shrunken) ? good.shrunken : null
  return { identity: good.identity, row_count: good.row_count, shrunken }
}

function readStrings(value: unknown): Record<string, string> {
  if (!isRecord(value)) return {}
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}

function isShrunken(value: unknown): value is ShrunkenAnswer {
  if (!isRecord(value)) return false
  return typeof value.set === 'string' && typeof value.first_seen === 'number' && typeof value.seen === 'number'
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
