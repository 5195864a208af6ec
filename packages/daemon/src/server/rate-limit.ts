/** A token bucket: `perSecond` on average, as many at once. */
export class RateLimit {
  readonly #perSecond: number
  #tokens: number
  #at: number
  readonly #now: () => number

  constructor(perSecond: number, now: () => number = () => performance.now()) {
    this.#perSecond = perSecond
    this.#tokens = perSecond
    this.#now = now
    this.#at = now()
  }

  take(): boolean {
    const now = this.#now()
    this.#tokens = Math.min(this.#perSecond, this.#tokens + ((now - this.#at) / 1000) * this.#perSecond)
    this.#at = now
    if (this.#tokens < 1) return false
    this.#tokens -= 1
    return true
  }
}
