/** The Unix socket as a file: whether its path is free, its mode, and its removal. */
import { chmodSync, lstatSync, unlinkSync } from 'node:fs'
import { connect } from 'node:net'
import { SignalboxError } from '@signalbox/contract/errors'
import { requireOurs, unsafePath } from './ownership.ts'
import { systemErrorCode } from './system-error.ts'

const ANSWER_MS = 1_000

/**
 * Makes the path free to listen on. Only a refused connection proves that a socket has no owner; silence does not. Call
 * it with the instance lock held, or two callers may both find the path free.
 */
export async function claimSocketPath(path: string, answerMs = ANSWER_MS): Promise<void> {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  if (stat === undefined) return
  requireOurs(path, stat, 'a socket')
  const outcome = await probe(path, answerMs)
  if (outcome === 'ECONNREFUSED') return removeOwnSocket(path, stat.ino)
  if (outcome === 'ENOENT') return
  if (outcome === 'EPROTOTYPE') throw unsafePath(path, 'is a socket of another kind', 'a stream socket')
  const how = outcome === null ? 'answers' : `is in use (${outcome})`
  throw new SignalboxError('already_running', `Another daemon owns this home: ${path} ${how}`)
}

/** Null when something accepts, else the code of what went wrong. */
function probe(path: string, answerMs: number): Promise<string | null> {
  const { promise, resolve } = Promise.withResolvers<string | null>()
  const socket = connect(path)
  // A full backlog neither accepts nor refuses.
  const timer = setTimeout(resolve, answerMs, 'ETIMEDOUT')
  socket.once('connect', () => resolve(null))
  socket.on('error', (error) => resolve(systemErrorCode(error) ?? error.message))
  return promise.finally(() => {
    clearTimeout(timer)
    socket.destroy()
  })
}

/** Sets mode 0600 on the socket that was just made, and returns its inode for `removeOwnSocket`. */
export function secureSocket(path: string): number {
  chmodSync(path, 0o600)
  return lstatSync(path).ino
}

/** Removes the socket if it still is the one with this inode. */
export function removeOwnSocket(path: string, inode: number): void {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  if (stat?.isSocket() && stat.ino === inode) unlinkSync(path)
}
