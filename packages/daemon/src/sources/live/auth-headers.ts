import type { AuthKind } from './providers.ts'

/** The header of each way to send a credential. AWS signs instead (`aws-sigv4.ts`). */
const HEADER_OF: Readonly<Record<Exclude<AuthKind, 'aws-sigv4' | 'none'>, readonly [name: string, prefix: string]>> = {
  bearer: ['authorization', 'Bearer '],
  'x-api-key': ['x-api-key', ''],
  'x-goog-api-key': ['x-goog-api-key', ''],
  'api-key': ['api-key', ''],
}

/** @param secret given by `credentials/`, and held no longer than the call */
export function authHeaders(auth: keyof typeof HEADER_OF, secret: string): Readonly<Record<string, string>> {
  const [name, prefix] = HEADER_OF[auth]
  return { [name]: `${prefix}${secret}` }
}
