/**
 * Servers on this machine, which start, stop and load models when they like. Each is looked at every two seconds with one
 * or two small requests, without a word while nothing changes; only a change starts a refresh. One that is absent costs a
 * refused connection.
 */
import { createHash } from 'node:crypto'
import type { ProviderId } from '@signalbox/contract/ids'
import type { OutboundClient } from '../../http/client.ts'
import { CallError } from '../../http/failures.ts'
import { parseJson } from '../../http/parse-json.ts'
import { joinBaseUrl } from './base-url.ts'
import type { Dialect } from './dialect.ts'
import type { LiveTarget } from './live-targets.ts'

export interface LocalWatchOptions {
  /** The servers to look at, asked for anew each time: the configuration may have changed. */
  readonly targets: () => readonly LiveTarget[]
  readonly client: OutboundClient
  /** Called when one came, went, or says something else. Nothing is looked at meanwhile. */
  readonly onChange: (provider_id: ProviderId) => Promise<void>
  /** Called with what nobody expected; looking goes on. */
  readonly onFault: (error: unknown) => void
  readonly everyMs?: number
}

const EVERY_MS = 2_000
const TIMEOUT_MS = 2_000
const MAX_BYTES = 8 * 1024 * 1024

/** Where else a server says what it is doing: which models are loaded, and with how much context. */
const ALSO_WATCHED: Readonly<Record<string, readonly string[]>> = { ollama: ['/api/ps'], 'llama.cpp': ['/props'] }

export class LocalWatch implements AsyncDisposable {
  readonly #options: LocalWatchOptions
  readonly #stop = new AbortController()
  /** What each server said last; one that is absent has no entry. */
  readonly #seen = new Map<ProviderId, string>()
  #timer: NodeJS.Timeout | undefined
  #looking: Promise<void> = Promise.resolve()

  constructor(options: LocalWatchOptions) {
    this.#options = options
  }

  isPresent(provider_id: ProviderId): boolean {
    return this.#seen.has(provider_id)
  }

  /** Look now, and from then on. */
  start(): void {
    if (this.#stop.signal.aborted) return
    this.#looking = this.#lookAtAll()
      .catch(this.#options.onFault)
      .then(() => {
        this.#timer = setTimeout(() => this.start(), this.#options.everyMs ?? EVERY_MS)
        this.#timer.unref()
      })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort()
    await this.#looking
    clearTimeout(this.#timer)
  }

  async #lookAtAll(): Promise<void> {
    const targets = this.#options.targets()
    const said = await Promise.all(
      targets.map(async (target) => [target.provider_id, await this.#look(target)] as const),
    )
    if (this.#stop.signal.aborted) return
    const gone = [...this.#seen.keys()].filter((id) => targets.every((target) => target.provider_id !== id))
    for (const id of gone) this.#seen.delete(id)
    for (const [provider_id, now] of said) {
      if (now === (this.#seen.get(provider_id) ?? null)) continue
      if (now === null) this.#seen.delete(provider_id)
      else this.#seen.set(provider_id, now)
      await this.#options.onChange(provider_id)
    }
  }

  /** A hash of what it says; null when it is absent, or something else listens there. */
  async #look(target: LiveTarget): Promise<string | null> {
    const { dialect } = target
    const paths = [dialect.listPath, ...dialect.otherPaths]
    const list = await this.#firstList(target, dialect, paths)
    if (list === null) return null
    const also = await Promise.all((ALSO_WATCHED[dialect.name] ?? []).map((path) => this.#get(target, path)))
    return createHash('sha256')
      .update([list, ...also].join('\0'))
      .digest('hex')
  }

  async #firstList(target: LiveTarget, dialect: Dialect, paths: readonly string[]): Promise<string | null> {
    for (const path of paths) {
      const text = await this.#get(target, path)
      if (text !== null && isListOf(dialect, text)) return text
    }
    return null
  }

  async #get({ provider_id, base_url, dialect }: LiveTarget, path: string): Promise<string | null> {
    try {
      const answer = await this.#options.client.get({
        name: provider_id,
        url: joinBaseUrl(base_url, path, dialect.strip),
        maxBytes: MAX_BYTES,
        timeoutMs: TIMEOUT_MS,
        signal: this.#stop.signal,
        invalidUtf8: 'replace',
      })
      return answer.kind === 'text' ? answer.text : null
    } catch (error) {
      // Expected: nobody there, somebody else, or an older version without this path.
      if (error instanceof CallError || this.#stop.signal.aborted) return null
      throw error
    }
  }
}

function isListOf(dialect: Dialect, text: string): boolean {
  try {
    return dialect.parse(parseJson(text)) !== null
  } catch (error) {
    // Expected: not JSON.
    if (error instanceof CallError) return false
    throw error
  }
}
