/**
 * Open the catalog file, whatever state it is in:
 *
 *  1. A good file, or none: SQLite.
 *  2. A newer schema, or something that is no regular file: refused, untouched.
 *  3. A damaged file: set aside, and a new one in its place.
 *  4. No writing here (read-only, full): memory, with the rows that can be read. `problem` says so, and so does every
 *     commit until the file can be opened.
 */
import { MemoryStore } from '../memory/memory-store.ts'
import type { Store } from '../store.ts'
import { WRITE_PROBLEM } from '../store-write-error.ts'
import { DetachedStore } from './detached-store.ts'
import { type Fault, faultOf } from './faults.ts'
import { salvage } from './salvage.ts'
import { setAside } from './set-aside.ts'
import { SqliteStore } from './sqlite-store.ts'

export interface OpenedStore {
  readonly store: Store
  /** Where a damaged file went, and what was wrong with it. */
  readonly setAside: { readonly file: string; readonly problem: string } | null
  /** Why nothing will be persisted, for a person; null when it will be. */
  readonly problem: string | null
}

/** @param now epoch milliseconds, for the name of a file that is set aside */
export function openStore(file: string, now: number): OpenedStore {
  const first = tryOpen(file)
  if (first.kind === 'open') return { store: first.store, setAside: null, problem: null }
  if (first.fault !== 'corrupt') return inMemory(file, first.fault)
  const moved = trySetAside(file, now)
  if (moved.kind === 'failed') return inMemory(file, moved.fault)
  const aside = { file: moved.file, problem: first.problem }
  const second = tryOpen(file)
  if (second.kind === 'open') return { store: second.store, setAside: aside, problem: null }
  return { ...inMemory(file, second.fault), setAside: aside }
}

interface Failed {
  readonly kind: 'failed'
  readonly fault: Fault
  readonly problem: string
}

function tryOpen(file: string): { readonly kind: 'open'; readonly store: Store } | Failed {
  try {
    return { kind: 'open', store: SqliteStore.open(file) }
  } catch (error) {
    return failed(error)
  }
}

function trySetAside(file: string, now: number): { readonly kind: 'moved'; readonly file: string } | Failed {
  try {
    return { kind: 'moved', file: setAside(file, now) }
  } catch (error) {
    return failed(error)
  }
}

/** Expected: what SQLite or the file system says about this file. Everything else goes on up. */
function failed(error: unknown): Failed {
  const fault = faultOf(error)
  if (fault === null || !(error instanceof Error)) throw error
  return { kind: 'failed', fault, problem: error.message }
}

function inMemory(file: string, fault: Fault): OpenedStore {
  const memory = new MemoryStore(salvage(file) ?? undefined)
  const problem = WRITE_PROBLEM[fault === 'corrupt' ? 'io' : fault]
  return { store: new DetachedStore(file, memory), setAside: null, problem }
}
