/**
 * The log: JSON lines in a file of mode 0600, rotated by size. Opened for each line, so that there is nothing to close
 * and a file that was moved away is made anew. A line that cannot be written is counted, never thrown: a full disk must
 * not stop the daemon.
 */
import { closeSync, constants, fchmodSync, fstatSync, ftruncateSync, openSync, renameSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import type { EventRecord } from '@signalbox/contract/events'
import { makeDirectory } from '../platform/make-directory.ts'
import { systemErrorCode } from '../platform/system-error.ts'

export interface Log {
  /** One line, without its line feed. */
  append(line: string): void
  /** Lines that could not be written and that no later line has told of yet. */
  readonly lost: number
}

export interface LogFileOptions {
  readonly file: string
  readonly now: () => number
  /** No file grows beyond this, except by one line that is longer. */
  readonly maxBytes?: number
  /** How many files there are, the current one included. */
  readonly keep?: number
}

const MIB = 1024 * 1024
const APPEND = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW

export function createLogFile({ file, now, maxBytes = 5 * MIB, keep = 3 }: LogFileOptions): Log {
  let lost = 0
  let problem = ''
  return {
    get lost() {
      return lost
    },
    append(line) {
      const note = lost === 0 ? '' : `${lossRecord(now(), lost, problem)}\n`
      try {
        appendRotated(file, Buffer.from(`${note}${line}\n`), maxBytes, keep)
        lost = 0
      } catch (error) {
        // Expected: a system error such as ENOSPC, EROFS or EACCES.
        lost += 1
        problem = systemErrorCode(error) ?? String(error)
      }
    },
  }
}

function lossRecord(now: number, lost: number, problem: string): string {
  const record: EventRecord<'daemon.fault'> = {
    time: new Date(now).toISOString(),
    level: 'error',
    event: 'daemon.fault',
    error: `${lost} log ${lost === 1 ? 'line' : 'lines'} could not be written: ${problem}`,
  }
  return JSON.stringify(record)
}

function appendRotated(file: string, bytes: Buffer, maxBytes: number, keep: number): void {
  const isFull = withLog(file, (fd, size) => {
    if (size > 0 && size + bytes.length > maxBytes) return true
    writeAll(fd, bytes, size)
    return false
  })
  if (!isFull) return
  rotate(file, keep)
  withLog(file, (fd, size) => writeAll(fd, bytes, size))
}

function withLog<T>(file: string, use: (fd: number, size: number) => T): T {
  const fd = openOrMakeDirectory(file)
  try {
    const { mode, size } = fstatSync(fd)
    if ((mode & 0o077) !== 0) fchmodSync(fd, 0o600)
    return use(fd, size)
  } finally {
    closeSync(fd)
  }
}

function openOrMakeDirectory(file: string): number {
  try {
    return openSync(file, APPEND, 0o600)
  } catch (error) {
    // Expected once: the first line of a new home.
    if (systemErrorCode(error) !== 'ENOENT') throw error
    makeDirectory(dirname(file))
    return openSync(file, APPEND, 0o600)
  }
}

/** All of it or nothing: half a line would spoil the next one. */
function writeAll(fd: number, bytes: Buffer, sizeBefore: number): void {
  let written = 0
  try {
    while (written < bytes.length) written += writeSync(fd, bytes, written)
  } catch (error) {
    // Expected: the disk became full in the middle.
    if (written > 0) ftruncateSync(fd, sizeBefore)
    throw error
  }
}

/** `daemon.log.1` becomes `.2`, and so on; the oldest is overwritten. */
function rotate(file: string, keep: number): void {
  const names = [file, ...Array.from({ length: keep - 1 }, (_, index) => `${file}.${index + 1}`)]
  for (let index = names.length - 1; index > 0; index -= 1) {
    const from = names[index - 1]
    const to = names[index]
    if (from !== undefined && to !== undefined) renameIfThere(from, to)
  }
}

function renameIfThere(from: string, to: string): void {
  try {
    renameSync(from, to)
  } catch (error) {
    // Expected: not so many files yet.
    if (systemErrorCode(error) !== 'ENOENT') throw error
  }
}
