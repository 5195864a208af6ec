/** What a provider's `api_key` and `api_key_env` mean. The text itself is never told: it may be the key. */
import type { CredentialWarningCode } from '@signalbox/contract/credentials'
import { type Environment, type ReadValue, readValue, variable } from './value.ts'

export interface ConfiguredKey {
  readonly read: ReadValue
  readonly warning: CredentialWarningCode | null
}

const VARIABLE_NAME = /^[A-Z][A-Z0-9_]+$/

/** A variable's name if there is one of that name, else the key itself. A variable that is set to nothing is no key. */
export function readApiKey(text: string, environment: Environment): ConfiguredKey {
  const held = variable(environment, text.trim())
  if (held !== undefined) return { read: readValue(held), warning: null }
  return { read: readValue(text), warning: VARIABLE_NAME.test(text.trim()) ? 'looks_like_unset_name' : null }
}

/** A variable's name, and nothing else. */
export function readApiKeyEnv(name: string, environment: Environment): ConfiguredKey {
  const held = variable(environment, name.trim())
  const warning = held === undefined && !VARIABLE_NAME.test(name.trim()) ? 'not_a_variable_name' : null
  return { read: readValue(held), warning }
}
