/**
 * The values of command references, each asked for once: a password manager may ask its user every time. A value stays
 * until it is forgotten, which is to be done when a provider rejects it; a failure is not kept.
 */
import type { Secret } from './secret.ts'
import { singleFlight } from './single-flight.ts'

export interface CommandValues {
  value(reference: string): Promise<Secret>
  forget(reference: string): void
}

export function createCommandValues(run: (reference: string) => Promise<Secret>): CommandValues {
  const known = new Map<string, Secret>()
  const once = singleFlight<Secret>()
  return {
    async value(reference) {
      const cached = known.get(reference)
      if (cached !== undefined) return cached
      return once(reference, async () => {
        const secret = await run(reference)
        known.set(reference, secret)
        return secret
      })
    },
    forget(reference) {
      known.delete(reference)
    },
  }
}
