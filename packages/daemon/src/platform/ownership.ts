/** What makes a file or directory ours: its type, its owner, and that nobody else can write to it. */
import type { Stats } from 'node:fs'
import { SignalboxError } from '@signalbox/contract/errors'

const TYPES = {
  'a directory': (stat: Stats) => stat.isDirectory(),
  'a regular file': (stat: Stats) => stat.isFile(),
  'a socket': (stat: Stats) => stat.isSocket(),
} as const
export type PathType = keyof typeof TYPES

export const isOurs = (stat: Stats): boolean => {
  const uid = process.geteuid?.()
  return uid === undefined || stat.uid === uid
}

export const permissions = (stat: Stats): number => stat.mode & 0o777

/** Whether group or others may write. */
export const isSharedForWriting = (stat: Stats): boolean => (stat.mode & 0o022) !== 0

export function unsafePath(path: string, problem: string, expected: string, cause?: unknown): SignalboxError {
  const hint = 'Nothing was changed. Move it away or set SIGNALBOX_HOME to another directory.'
  return new SignalboxError('unsafe_path', `${path} ${problem}`, { expected, hint }, { cause })
}

/** `stat` must come from `lstat` or an open descriptor: a symbolic link is none of the types. */
export function requireOurs(path: string, stat: Stats, type: PathType): void {
  if (stat.isSymbolicLink()) throw unsafePath(path, 'is a symbolic link', type)
  if (!TYPES[type](stat)) throw unsafePath(path, `is not ${type}`, type)
  if (!isOurs(stat)) throw unsafePath(path, `belongs to another user (uid ${stat.uid})`, `${type} of this user`)
}
