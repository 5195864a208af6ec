/**
 * Answers that depend on nothing but the request and the snapshot, kept ready to send. Asking again within a generation
 * skips routing, validation and rendering: that is most of what a small list costs.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Snapshot } from '@signalbox/core/catalog/snapshot'
import { acceptedEncoding } from './accept-encoding.ts'
import { type Answer, type PreparedAnswer, prepareEncoded, sendPrepared } from './answer.ts'
import { TERMINAL_HEADER } from './representation.ts'

/** Distinct requests remembered per generation; past that all are forgotten, for they are cheap to make again. */
const REMEMBERED = 256

export class AnswerCache {
  readonly #current: () => Snapshot
  #snapshot: Snapshot | null = null
  readonly #prepared = new Map<string, PreparedAnswer>()

  constructor(current: () => Snapshot) {
    this.#current = current
  }

  /** Answer from what is ready; false when it has to be made. */
  trySend(incoming: IncomingMessage, outgoing: ServerResponse): boolean {
    if (this.#snapshot === null || this.#snapshot !== this.#current()) return false
    const prepared = this.#prepared.get(keyOf(incoming))
    if (prepared === undefined) return false
    sendPrepared(prepared, incoming, outgoing)
    return true
  }

  /** Keep an answer that was just made, if it says that it may be kept. */
  async remember(answer: Answer, incoming: IncomingMessage): Promise<void> {
    if (answer.kind !== 'encoded' || answer.snapshot === undefined) return
    const prepared = await prepareEncoded(answer, acceptedEncoding(incoming.headers['accept-encoding']))
    if (answer.snapshot !== this.#snapshot || this.#prepared.size >= REMEMBERED) this.#prepared.clear()
    this.#snapshot = answer.snapshot
    this.#prepared.set(keyOf(incoming), prepared)
  }
}

function keyOf({ method, url, headers }: IncomingMessage): string {
  return `${method} ${url}\n${headers.accept ?? ''}\n${headers['accept-encoding'] ?? ''}\n${headers[TERMINAL_HEADER] ?? ''}`
}
