/** Overlapping calls for the same thing share one run. It is stopped when the last of them has given up. */
import { SignalboxError } from '@signalbox/contract/errors'

interface Flight<T> {
  readonly result: Promise<T>
  readonly controller: AbortController
  waiting: number
}

export class SingleFlight<T> {
  readonly #flights = new Map<string, Flight<T>>()

  /** Join the run of `key`, or start it. `signal` ends the wait of this caller only. */
  async join(key: string, signal: AbortSignal, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
    if (signal.aborted) throw reasonOf(signal)
    const flight = this.#flights.get(key) ?? this.#start(key, run)
    flight.waiting++
    const { promise: givenUp, reject } = Promise.withResolvers<never>()
    const giveUp = () => {
      reject(reasonOf(signal))
      if (flight.waiting === 1) this.#end(key, flight, signal.reason)
    }
    signal.addEventListener('abort', giveUp, { once: true })
    try {
      return await Promise.race([flight.result, givenUp])
    } finally {
      flight.waiting--
      signal.removeEventListener('abort', giveUp)
    }
  }

  #start(key: string, run: (signal: AbortSignal) => Promise<T>): Flight<T> {
    const controller = new AbortController()
    const result = run(controller.signal).finally(() => {
      if (this.#flights.get(key) === flight) this.#flights.delete(key)
    })
    const flight: Flight<T> = { result, controller, waiting: 0 }
    this.#flights.set(key, flight)
    return flight
  }

  /** A call that comes now must not join what is being stopped. */
  #end(key: string, flight: Flight<T>, reason: unknown): void {
    if (this.#flights.get(key) === flight) this.#flights.delete(key)
    flight.controller.abort(reason)
  }
}

function reasonOf(signal: AbortSignal): SignalboxError {
  const { reason } = signal as { readonly reason: unknown }
  return reason instanceof SignalboxError ? reason : new SignalboxError('source_failed', 'the request was stopped')
}
