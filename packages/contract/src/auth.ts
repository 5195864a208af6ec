/** What is told and asked about providers' credentials. A key comes in by `AddCredential` and never goes out. */
import { z } from '@hono/zod-openapi'
import { CredentialKind, CredentialSource, CredentialStep } from './credentials.ts'
import { ProviderId } from './ids.ts'
import { Timestamp, UNKNOWN_REASONS } from './model.ts'

export const CREDENTIAL_NAME_PATTERN = /^[A-Za-z0-9][A-Za-z0-9._@+-]{0,63}$/

const name = z
  .string()
  .regex(
    CREDENTIAL_NAME_PATTERN,
    '1 to 64 letters, digits, ".", "_", "@", "+" and "-", starting with a letter or digit',
  )
  .optional()
  .describe('Tells several keys of one provider apart; `default` when left out.')

export const AuthEntry = z
  .strictObject({
    provider_id: z.string(),
    credential: z
      .strictObject({ ref: z.string(), source: CredentialSource, kind: CredentialKind })
      .nullable()
      .describe('The one that is used: where it is, never what it is.'),
    verified: z
      .boolean()
      .nullable()
      .describe('True when the provider answered with it, false when it was rejected, null when nobody has tried.'),
    verified_at: Timestamp.nullable(),
    reason: z.enum(UNKNOWN_REASONS).nullable().describe('Why the provider cannot be used now; null when it can.'),
    fix: z.string().nullable().describe('The command to run about it.'),
    trace: z.array(CredentialStep).readonly().describe('Everything that was looked at, in order.'),
  })
  .openapi('AuthEntry')
export type AuthEntry = z.infer<typeof AuthEntry>

export const AuthList = z
  .strictObject({
    storage: z.string().describe('Where stored credentials are, and why there.'),
    providers: z.array(AuthEntry).readonly(),
  })
  .openapi('AuthList')

export const AuthRemoval = z.strictObject({ removed: z.boolean(), provider: AuthEntry }).openapi('AuthRemoval')

export const AuthQuery = z.strictObject({
  provider_id: ProviderId.optional().describe('Only this provider.'),
  all: z
    .enum(['true', 'false', '1', '0'], 'true, false, 1 or 0')
    .transform((text) => text === 'true' || text === '1')
    .openapi({ type: 'boolean' })
    .default(false)
    .describe('Also providers that have neither a credential nor a configuration entry.'),
})

export const AddCredential = z
  .strictObject({
    api_key: z.string().describe('The key, on one line, or a command that prints it as "!cmd …".'),
    name,
  })
  .openapi('AddCredential')

export const RemoveCredential = z.strictObject({ name }).openapi('RemoveCredential')
