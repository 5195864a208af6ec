/** Time and chance, given in so that tests own them. */
export interface Clock {
  now(): number
  /** In [0, 1). */
  random(): number
}

export const systemClock: Clock = { now: () => Date.now(), random: () => Math.random() }
