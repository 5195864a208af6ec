/**
 * Changing what is stored, and waiting until the sources are made of it: who is answered before that would test the key
 * that was there earlier. Making the sources anew ends with a refresh of `config`.
 */
import type { EventRecord } from '@signalbox/contract/events'
import type { Catalog } from '../catalog/catalog.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'

/** Commands that print keys are run on the way, each with ten seconds; the answer then tells what is known by then. */
const LONGEST_WAIT_MS = 15_000

const isRemade = (record: EventRecord) =>
  (record.event === 'catalog.refresh.succeeded' || record.event === 'catalog.refresh.failed') &&
  'source_id' in record &&
  record.source_id === 'config'

export class CredentialChanges {
  readonly #catalog: Pick<Catalog, 'statuses'>
  readonly #telemetry: Pick<Telemetry, 'subscribe'>
  #last: Promise<unknown> = Promise.resolve()

  constructor(catalog: Pick<Catalog, 'statuses'>, telemetry: Pick<Telemetry, 'subscribe'>) {
    this.#catalog = catalog
    this.#telemetry = telemetry
  }

  /** One at a time, so that the sources that one waits for are not those of another. `change` says if it was one. */
  run(change: () => Promise<boolean>): Promise<boolean> {
    const done = this.#last.then(() => this.#changeAndWait(change))
    this.#last = done.catch(() => undefined) // the caller gets the failure, and the next change starts afresh
    return done
  }

  async #changeAndWait(change: () => Promise<boolean>): Promise<boolean> {
    const { statuses } = this.#catalog
    const before = statuses.sources
    const { promise, resolve } = Promise.withResolvers<void>()
    const unsubscribe = this.#telemetry.subscribe((record) => {
      if (record.event === 'daemon.stopping' || (isRemade(record) && statuses.sources !== before)) resolve()
    })
    const timer = setTimeout(resolve, LONGEST_WAIT_MS)
    try {
      const isChanged = await change()
      if (isChanged) await promise
      return isChanged
    } finally {
      clearTimeout(timer)
      unsubscribe()
    }
  }
}
