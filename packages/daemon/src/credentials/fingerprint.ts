/**
 * How we tell that a credential changed without keeping it: an HMAC under a random key that lives as long as the
 * process. It cannot be compared across processes, and so is worth nothing to whoever finds one; it is an object that
 * prints as nothing, so that none is stored by accident.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { inspect } from 'node:util'
import type { Secret } from './secret.ts'

const HIDDEN = '[fingerprint]'

export class Fingerprint {
  readonly #digest: Buffer

  constructor(digest: Buffer) {
    this.#digest = digest
    Object.freeze(this)
  }

  equals(other: Fingerprint): boolean {
    return timingSafeEqual(this.#digest, other.#digest)
  }

  toString(): string {
    return HIDDEN
  }

  toJSON(): string {
    return HIDDEN
  }

  [inspect.custom](): string {
    return HIDDEN
  }
}

/** Fingerprints of one call compare with each other only: make it once per process. */
export function createFingerprints(): (secret: Secret) => Fingerprint {
  const key = randomBytes(32)
  return (secret) => new Fingerprint(createHmac('sha256', key).update(secret.reveal()).digest())
}
