/**
 * Notices that the configuration file has other content: saved in place or by rename, created, deleted, or reached
 * through a link that was re-pointed or whose target was replaced. File events make it quick; a poll catches what they
 * miss (a link higher up, a directory that comes later, network file systems, no free inotify watches).
 */
import { type FSWatcher, watch } from 'node:fs'
import { realpath, stat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { contentHash, readConfigBytes } from './load.ts'
import { refusalCode } from './refusal.ts'

export interface ConfigWatch extends AsyncDisposable {
  /** Resolves when later changes are noticed. */
  readonly ready: Promise<void>
  /** Look now; whether the content changed, in which case `onChange` has been called and has finished. */
  check(): Promise<boolean>
}

export interface WatchTimes {
  /** From the first event to the look: a save is several events. */
  readonly debounceMs: number
  readonly pollMs: number
}

const TIMES: WatchTimes = { debounceMs: 50, pollMs: 1_000 }

/** Watch until disposed. `onChange` must not reject; no two calls overlap. */
export function watchConfig(file: string, onChange: () => Promise<void>, times: WatchTimes = TIMES): ConfigWatch {
  return new Watch(file, onChange, times)
}

class Watch implements ConfigWatch {
  readonly ready: Promise<void>
  readonly #file: string
  readonly #onChange: () => Promise<void>
  readonly #times: WatchTimes
  readonly #directories: DirectoryWatches
  readonly #poll: NodeJS.Timeout
  #debounce: NodeJS.Timeout | undefined
  #content = ''
  #signature = ''
  /** Looks happen one after the other; this is the end of the last. */
  #last: Promise<unknown>
  #ticking = false
  #closed = false

  constructor(file: string, onChange: () => Promise<void>, times: WatchTimes) {
    this.#file = file
    this.#onChange = onChange
    this.#times = times
    this.#directories = new DirectoryWatches(() => this.#soon())
    this.ready = this.#begin()
    this.#last = this.ready.catch(settled)
    this.#poll = setInterval(() => void this.#tick(), times.pollMs).unref()
  }

  check(): Promise<boolean> {
    return this.#enqueue(() => this.#look())
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true
    clearInterval(this.#poll)
    clearTimeout(this.#debounce)
    this.#directories.close()
    await this.#last
    this.#directories.close()
  }

  /** Watches first, content second: what changes in between is then an event. */
  async #begin(): Promise<void> {
    await this.#directories.follow(this.#file)
    this.#signature = await signatureOf(this.#file)
    this.#content = contentHash(await readConfigBytes(this.#file))
  }

  #soon(): void {
    if (this.#closed || this.#debounce !== undefined) return
    this.#debounce = setTimeout(() => {
      this.#debounce = undefined
      void this.check()
    }, this.#times.debounceMs).unref()
  }

  #enqueue(work: () => Promise<boolean>): Promise<boolean> {
    const next = this.#last.then(async () => !this.#closed && (await work()))
    this.#last = next.catch(settled)
    return next
  }

  async #tick(): Promise<void> {
    // A file system that hangs must not pile up work.
    if (this.#ticking) return
    this.#ticking = true
    const changed = await this.#enqueue(async () => {
      await this.#directories.follow(this.#file)
      return (await signatureOf(this.#file)) !== this.#signature
    })
    this.#ticking = false
    if (changed) this.#soon()
  }

  async #look(): Promise<boolean> {
    await this.#directories.follow(this.#file)
    // Before the content: a change while reading then shows at the next tick.
    this.#signature = await signatureOf(this.#file)
    const content = contentHash(await readConfigBytes(this.#file))
    if (content === this.#content || this.#closed) return false
    this.#content = content
    await this.#onChange()
    return true
  }
}

/** Refusals of the system are values here, so a rejection is a fault: whoever asked gets it, and the next look goes on. */
const settled = () => undefined

/** Events of the directories that hold the file and, through a link, its target. Events of other files are not passed on. */
class DirectoryWatches {
  readonly #onEvent: () => void
  readonly #open = new Map<string, { readonly watcher: FSWatcher; readonly inode: bigint }>()
  #names: ReadonlySet<string> = new Set()

  constructor(onEvent: () => void) {
    this.#onEvent = onEvent
  }

  /** Watch where the file is now. */
  async follow(file: string): Promise<void> {
    const target = await realpath(file).catch(noPath)
    const places = target === null ? [file] : [file, target]
    this.#names = new Set(places.map((place) => basename(place)))
    const wanted = new Set(places.map((place) => dirname(place)))
    for (const directory of this.#open.keys()) if (!wanted.has(directory)) this.#drop(directory)
    for (const directory of wanted) await this.#watch(directory)
  }

  close(): void {
    for (const directory of this.#open.keys()) this.#drop(directory)
  }

  async #watch(directory: string): Promise<void> {
    const inode = await stat(directory, { bigint: true }).then(({ ino }) => ino, noPath)
    // A directory that was replaced keeps its name but not its watch.
    if (this.#open.get(directory)?.inode === inode) return
    this.#drop(directory)
    if (inode === null) return
    try {
      const watcher = watch(directory, { persistent: false }, (_, name) => {
        if (name === null || this.#names.has(name)) this.#onEvent()
      })
      // The poll opens it again if it can.
      watcher.on('error', () => this.#drop(directory))
      this.#open.set(directory, { watcher, inode })
    } catch (error) {
      // No watch to be had (limit reached, directory gone or closed to us): the poll does it alone.
      refusalCode(error)
    }
  }

  #drop(directory: string): void {
    this.#open.get(directory)?.watcher.close()
    this.#open.delete(directory)
  }
}

/** Cheap to get, and other whenever the content is. */
async function signatureOf(file: string): Promise<string> {
  const found = await stat(file, { bigint: true }).catch(refusalCode)
  if (typeof found === 'string') return found
  return [found.dev, found.ino, found.size, found.mtimeNs, found.ctimeNs].join(' ')
}

/** Any path may be gone or closed to us at any time. */
function noPath(error: unknown): null {
  refusalCode(error)
  return null
}
