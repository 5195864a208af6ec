/** Headers as they go out. Called by whoever sends the request, right before it is sent, and kept nowhere. */
import type { Credential } from './resolve.ts'

type Headers = Readonly<Record<string, string>>

/** With `auth_header`, the credential as a bearer token, over an `Authorization` that was configured in any case. */
export function withAuthHeader(configured: Headers, authHeader: boolean, credential: Credential | null): Headers {
  if (!authHeader || credential === null || credential.secret === null) return configured
  const others = Object.entries(configured).filter(([name]) => name.toLowerCase() !== 'authorization')
  return { ...Object.fromEntries(others), Authorization: `Bearer ${credential.secret.reveal()}` }
}
