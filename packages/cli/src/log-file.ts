/** Reading a log file from its end, and onwards as it grows, through rotation. */
import { type FSWatcher, watch } from 'node:fs'
import { type FileHandle, open, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

const BLOCK = 64 * 1024
const LF = 0x0a
/** Some file systems report no changes; looking now and then costs nothing. */
const LOOK_EVERY = 500

const isMissing = (error: unknown) =>
  error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')

async function openIfThere(path: string): Promise<FileHandle | null> {
  try {
    return await open(path)
  } catch (error) {
    if (isMissing(error)) return null // not written yet, or between two names
    throw error
  }
}

/** Where the last `count` lines begin, reading backwards. */
async function startOfLast(file: FileHandle, size: number, count: number): Promise<number> {
  const block = Buffer.alloc(BLOCK)
  let seen = 0
  for (let end = size; end > 0; ) {
    const start = Math.max(0, end - BLOCK)
    const { bytesRead } = await file.read(block, 0, end - start, start)
    for (let i = bytesRead - 1; i >= 0; i--) {
      if (block[i] !== LF || start + i === size - 1) continue // the last line's own end separates nothing
      seen++
      if (seen === count) return start + i + 1
    }
    end = start
  }
  return 0
}

/** Wakes when something happens in the directory, or after a while. */
class Changes implements Disposable {
  readonly #watcher: FSWatcher | null
  #wake = Promise.withResolvers<void>()

  constructor(directory: string) {
    this.#watcher = Changes.#open(directory, () => this.#wake.resolve())
  }

  static #open(directory: string, wake: () => void): FSWatcher | null {
    try {
      return watch(directory, wake).on('error', wake) // a directory that goes away: the timer goes on
    } catch (error) {
      if (isMissing(error)) return null // not made yet: the timer will find it
      throw error
    }
  }

  async next(): Promise<void> {
    const timer = setTimeout(() => this.#wake.resolve(), LOOK_EVERY)
    await this.#wake.promise
    clearTimeout(timer)
    this.#wake = Promise.withResolvers()
  }

  [Symbol.dispose](): void {
    this.#watcher?.close()
  }
}

/** A file read onwards from a position, in whole lines. */
class Reader implements AsyncDisposable {
  readonly #file: FileHandle
  #position: number
  #held: Buffer = Buffer.alloc(0)

  constructor(file: FileHandle, position: number) {
    this.#file = file
    this.#position = position
  }

  async *lines(): AsyncGenerator<string> {
    const block = Buffer.alloc(BLOCK)
    for (;;) {
      const { bytesRead } = await this.#file.read(block, 0, BLOCK, this.#position)
      if (bytesRead === 0) return
      this.#position += bytesRead
      const all = Buffer.concat([this.#held, block.subarray(0, bytesRead)])
      const end = all.lastIndexOf(LF)
      this.#held = all.subarray(end + 1)
      if (end >= 0) yield* all.toString('utf8', 0, end).split('\n')
    }
  }

  /** What stands after the last line feed. */
  get rest(): string {
    return this.#held.toString('utf8')
  }

  /** Whether the path now names another file, or this one was cut short. */
  async isLeftBehind(path: string): Promise<boolean> {
    try {
      const [now, mine] = await Promise.all([stat(path), this.#file.stat()])
      return now.ino !== mine.ino || now.size < this.#position
    } catch (error) {
      if (isMissing(error)) return false // between two names: the new one comes
      throw error
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file.close()
  }
}

/** A reader at the last `count` lines; with null, at the beginning. */
async function openReader(path: string, count: number | null): Promise<Reader | null> {
  const file = await openIfThere(path)
  if (file === null || count === null) return file && new Reader(file, 0)
  const { size } = await file.stat()
  return new Reader(file, count === 0 ? size : await startOfLast(file, size, count))
}

/** The last lines, or null when there is no such file. */
export async function lastLines(path: string, count: number): Promise<readonly string[] | null> {
  await using reader = await openReader(path, count)
  if (reader === null) return null
  const lines = await Array.fromAsync(reader.lines())
  return reader.rest === '' ? lines : [...lines, reader.rest]
}

/** The last lines and every line that is added, until the caller stops. Waits for a file that is not there yet. */
export async function* followLines(path: string, count: number): AsyncGenerator<string> {
  let changes = new Changes(dirname(path))
  let reader = await openReader(path, count)
  try {
    for (;;) {
      const replaced = await reader?.isLeftBehind(path)
      if (reader !== null) yield* reader.lines() // to its end, also when it has been replaced
      if (reader === null || replaced === true) {
        if (reader !== null && reader.rest !== '') yield reader.rest
        await reader?.[Symbol.asyncDispose]()
        changes[Symbol.dispose]()
        changes = new Changes(dirname(path)) // the directory may be new, too
        reader = await openReader(path, null)
        if (reader !== null) continue
      }
      await changes.next()
    }
  } finally {
    changes[Symbol.dispose]()
    await reader?.[Symbol.asyncDispose]()
  }
}
