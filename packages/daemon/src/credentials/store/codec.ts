/** Credentials as plain JSON, which exists only between here and the cipher or the keychain. */
import { PROVIDER_ID_PATTERN, type ProviderId } from '@signalbox/contract/ids'
import { z } from 'zod'
import type { MakeSecret } from '../secret.ts'
import { isCredentialKey, type StoredCredential } from './credential-store.ts'
import { CredentialStoreError } from './credential-store-error.ts'

const key = {
  provider_id: z
    .string()
    .regex(PROVIDER_ID_PATTERN)
    .transform((id) => id as ProviderId),
  name: z.string(),
}
const time = z.int().nonnegative()
const Plain = z
  .discriminatedUnion('kind', [
    z.strictObject({ ...key, kind: z.literal('api_key'), secret: z.string(), created_at: time }),
    z.strictObject({
      ...key,
      kind: z.literal('oauth'),
      access: z.string(),
      refresh: z.string().nullable(),
      expires_at: time.nullable(),
      created_at: time,
    }),
  ])
  .refine(isCredentialKey)
const Document = z.strictObject({ credentials: z.array(Plain) })
type Plain = z.infer<typeof Plain>

export const encodeCredential = (credential: StoredCredential): string => JSON.stringify(reveal(credential))

export const decodeCredential = (text: string, secret: MakeSecret): StoredCredential =>
  conceal(parse(Plain, text), secret)

export const encodeDocument = (credentials: readonly StoredCredential[]): string =>
  JSON.stringify({ credentials: credentials.map(reveal) })

export const decodeDocument = (text: string, secret: MakeSecret): readonly StoredCredential[] =>
  parse(Document, text).credentials.map((plain) => conceal(plain, secret))

function reveal(credential: StoredCredential): Plain {
  const { provider_id, name, created_at } = credential
  if (credential.kind === 'api_key') {
    return { provider_id, name, kind: 'api_key', secret: credential.secret.reveal(), created_at }
  }
  const { access, refresh, expires_at } = credential
  return {
    ...{ provider_id, name, kind: 'oauth', access: access.reveal() },
    ...{ refresh: refresh?.reveal() ?? null, expires_at, created_at },
  }
}

function conceal(plain: Plain, secret: MakeSecret): StoredCredential {
  if (plain.kind === 'api_key') return { ...plain, secret: secret(plain.secret) }
  return { ...plain, access: secret(plain.access), refresh: plain.refresh === null ? null : secret(plain.refresh) }
}

function parse<T>(schema: z.ZodType<T>, text: string): T {
  const parsed = schema.safeParse(parseJson(text))
  if (!parsed.success) throw new CredentialStoreError('unreadable')
  return parsed.data
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    // Expected: not JSON. The error quotes the text, and so goes no further.
    if (error instanceof SyntaxError) throw new CredentialStoreError('unreadable')
    throw error
  }
}
