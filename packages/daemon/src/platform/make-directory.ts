import { lstatSync, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { unsafePath } from './ownership.ts'
import { systemErrorCode } from './system-error.ts'

/**
 * A private directory, with those above it. By hand: Node's own `recursive` never returns below /proc, where making a
 * directory says that nothing is there.
 */
export function makeDirectory(dir: string): void {
  if (lstatSync(dir, { throwIfNoEntry: false }) !== undefined) {
    if (!statSync(dir).isDirectory()) throw unsafePath(dir, 'is not a directory', 'a directory')
    return
  }
  if (dirname(dir) !== dir) makeDirectory(dirname(dir))
  try {
    mkdirSync(dir, { mode: 0o700 })
  } catch (error) {
    // Expected: another process was faster.
    if (systemErrorCode(error) !== 'EEXIST' || !statSync(dir).isDirectory()) throw error
  }
}
