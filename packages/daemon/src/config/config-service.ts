/**
 * Owns the configuration in force. A valid file replaces it at once; an invalid one is told and changes nothing, across
 * a restart too: the last good values are kept in a note.
 */
import { createHash } from 'node:crypto'
import { statSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { ConfigFile } from '@signalbox/contract/config'
import type { ConfigProblem } from '@signalbox/contract/daemon'
import { configRows } from '../sources/config-rows.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'
import { type ConfigWatch, type WatchTimes, watchConfig } from './config-watch.ts'
import { type LastGood, readLastGood, writeLastGood } from './last-good.ts'
import { type ConfigBytes, contentHash, parseConfigBytes, readConfigBytes } from './load.ts'
import { problemLine } from './problem.ts'
import { redactConfig } from './redacted-config.ts'
import { refusalCode } from './refusal.ts'

/** Small texts that survive a restart. */
export interface Notes {
  get(name: string): string | null
  set(name: string, text: string): void
}

export interface ConfigServiceOptions {
  readonly file: string
  readonly telemetry: Pick<Telemetry, 'emit'>
  readonly clock: { now(): number }
  readonly notes: Notes
  readonly watchTimes?: WatchTimes
  /** Gives a save the time to finish. */
  readonly settle?: () => Promise<unknown>
}

export interface ConfigState {
  /** What is in force, whatever the file says. */
  readonly config: ConfigFile
  /** What is wrong with the file; empty when `config` is what it says. */
  readonly problems: readonly ConfigProblem[]
  /** When the configuration's rows last became others, in epoch milliseconds. */
  readonly changedAt: number
}

/** Called after each change of the file that was taken (`problems` is empty) or refused. */
export type ConfigListener = (state: ConfigState) => void

/** A save truncates or moves the file away first: nothing at all is believed only when it is still so after this. */
const SETTLE_MS = 100
const LOOKS_AT_NOTHING = 4
const settle = () => wait(SETTLE_MS)
const TOLD_PROBLEMS = 50

/** Nobody's wish is known, so nothing goes to the network. */
const NO_NETWORK = ConfigFile.parse({ model_catalog: { sources: { models_dev: { enabled: false } } } })

export class ConfigService implements AsyncDisposable {
  readonly file: string
  readonly #options: ConfigServiceOptions
  readonly #listeners = new Set<ConfigListener>()
  #state: ConfigState
  #rows = rowsFingerprint(NO_NETWORK)
  /** The content that was last judged; null before the first. */
  #judged: string | null = null
  #holdsText = false
  /** How the file looked when it was last read. */
  #mark = ''
  #queue: Promise<unknown> = Promise.resolve()
  #watch: ConfigWatch | undefined

  constructor(options: ConfigServiceOptions) {
    this.file = options.file
    this.#options = options
    this.#state = { config: NO_NETWORK, problems: [], changedAt: options.clock.now() }
  }

  get state(): ConfigState {
    return this.#state
  }

  get current(): ConfigFile {
    return this.#state.config
  }

  get problems(): readonly ConfigProblem[] {
    return this.#state.problems
  }

  get changedAt(): number {
    return this.#state.changedAt
  }

  /** Take the last good configuration, then the file, and watch it from then on. */
  async start(): Promise<void> {
    const kept = readLastGood(this.#options.notes)
    if (kept !== null) this.#restore(kept)
    this.#watch = watchConfig(this.file, () => this.#fileChanged(), this.#options.watchTimes)
    await this.#watch.ready
    await this.reload()
  }

  subscribe(listener: ConfigListener): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Read the file now. Content that was judged before is not judged, told or announced again. */
  reload(): Promise<ConfigState> {
    const next = this.#queue.then(() => this.#reload())
    this.#queue = next.catch(() => undefined) // the caller gets the fault; the next reload starts afresh
    return next
  }

  /**
   * Whether the file is as it was when it was read: what a person saved a moment ago counts before the watch has noticed.
   * One look at the file, a few microseconds: cheap enough for every request.
   */
  isSettled(): boolean {
    return markOf(this.file) === this.#mark
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#watch?.[Symbol.asyncDispose]()
    this.#listeners.clear()
    await this.#queue
  }

  async #fileChanged(): Promise<void> {
    try {
      await this.reload()
    } catch (error) {
      // Files that cannot be read are problems, not errors: whatever comes here is a fault of ours.
      this.#options.telemetry.emit('daemon.fault', { error: String(error) })
    }
  }

  async #reload(): Promise<ConfigState> {
    const mark = markOf(this.file)
    const read = await this.#readSettled()
    const content = contentHash(read)
    if (content !== this.#judged) {
      const parsed = await parseConfigBytes(read, this.file)
      this.#judged = content
      this.#holdsText = !isNothing(read)
      if (parsed.ok) this.#take(parsed.config, parsed.values)
      else this.#refuse(parsed.problems)
      for (const listener of this.#listeners) listener(this.#state)
    }
    // Last: whoever finds the file unchanged must find what it says in force.
    this.#mark = mark
    return this.#state
  }

  async #readSettled(): Promise<ConfigBytes> {
    let read = await readConfigBytes(this.file)
    for (let looks = 1; looks < LOOKS_AT_NOTHING && isNothing(read) && this.#holdsText; looks++) {
      await (this.#options.settle ?? settle)()
      read = await readConfigBytes(this.file)
    }
    return read
  }

  #restore(kept: LastGood): void {
    this.#state = { config: kept.config, problems: [], changedAt: kept.changed_at }
    this.#rows = kept.rows
  }

  #take(config: ConfigFile, values: unknown): void {
    const { notes, clock, telemetry } = this.#options
    const rows = rowsFingerprint(config)
    const changed_at = rows === this.#rows ? this.#state.changedAt : clock.now()
    this.#rows = rows
    this.#state = { config, problems: [], changedAt: changed_at }
    telemetry.emit('config.loaded', { file: this.file })
    try {
      writeLastGood(notes, { values: redactConfig(values), rows, changed_at })
    } catch (error) {
      // The store cannot be written (full, read-only). The configuration is in force all the same, until a restart.
      telemetry.emit('store.degraded', { problem: `the last good configuration was not kept: ${String(error)}` })
    }
  }

  #refuse(problems: readonly ConfigProblem[]): void {
    this.#state = { ...this.#state, problems }
    const told = problems.slice(0, TOLD_PROBLEMS).map(problemLine)
    const rest = problems.length - told.length
    if (rest > 0) told.push(`${this.file} has ${rest} more problems`)
    this.#options.telemetry.emit('config.rejected', { file: this.file, problems: told })
  }
}

/** Changes with every save, in place or by rename, through links too. */
function markOf(file: string): string {
  try {
    const stat = statSync(file, { throwIfNoEntry: false })
    return stat === undefined ? 'missing' : [stat.dev, stat.ino, stat.size, stat.mtimeMs, stat.ctimeMs].join(':')
  } catch (error) {
    // Expected: a path that cannot be entered. Reading it says what is wrong.
    return `unreadable: ${refusalCode(error)}`
  }
}

const isNothing = (read: ConfigBytes) => read.kind === 'missing' || (read.kind === 'bytes' && read.bytes.length === 0)

/** Of what the rows say, not of when: two configurations with the same rows have the same one. */
function rowsFingerprint(config: ConfigFile): string {
  return createHash('sha256')
    .update(JSON.stringify(configRows(config, 0)))
    .digest('hex')
}
