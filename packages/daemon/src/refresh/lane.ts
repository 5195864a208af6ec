/**
 * One thing at a time per lane. Callers that want the same as what runs share it and get the identical result; one that
 * wants something else waits for it and then runs by itself.
 */
export class Lanes<T> {
  readonly #running = new Map<string, { readonly wish: string; readonly result: Promise<T> }>()

  async run(lane: string, wish: string, work: () => Promise<T>): Promise<T> {
    for (;;) {
      const current = this.#running.get(lane)
      if (current === undefined) break
      if (current.wish === wish) return current.result
      await current.result.catch(() => undefined)
    }
    const result = work().finally(() => this.#running.delete(lane))
    this.#running.set(lane, { wish, result })
    return result
  }

  /** Resolves when nothing runs any more. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.allSettled([...this.#running.values()].map(({ result }) => result))
  }
}
