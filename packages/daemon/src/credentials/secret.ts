/**
 * The only holder of a secret value. It prints as `[redacted]` wherever a value is turned into text, and `reveal()` is
 * the one way out: search for that word to see every place where a value is used.
 */
import { inspect } from 'node:util'

const REDACTED = '[redacted]'

/** Tells telemetry to hide a value (`Secrets.add`). What it returns is of no interest here. */
export type RegisterSecret = (value: string) => unknown

/** Makes secrets that telemetry knows of. Given to everything that reads one. */
export type MakeSecret = (value: string) => Secret

export class Secret {
  readonly #value: string

  /** Registered before anything can print it. */
  constructor(value: string, register: RegisterSecret) {
    register(value)
    this.#value = value
    Object.freeze(this)
  }

  reveal(): string {
    return this.#value
  }

  equals(other: Secret): boolean {
    return this.#value === other.#value
  }

  toString(): string {
    return REDACTED
  }

  toJSON(): string {
    return REDACTED
  }

  [inspect.custom](): string {
    return REDACTED
  }
}

export const secretMaker =
  (register: RegisterSecret): MakeSecret =>
  (value) =>
    new Secret(value, register)
