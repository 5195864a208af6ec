/** What may be told about credentials: references, sources and reasons. A value never has a shape here. */
import { z } from '@hono/zod-openapi'

/** Where a credential can come from, strongest first. */
export const CREDENTIAL_SOURCES = ['override', 'stored_key', 'stored_oauth', 'environment', 'config'] as const
export const CredentialSource = z.enum([...CREDENTIAL_SOURCES, 'none']).openapi('CredentialSource')
export type CredentialSource = z.infer<typeof CredentialSource>

export const CredentialKind = z.enum(['api_key', 'oauth', 'none']).openapi('CredentialKind')
export type CredentialKind = z.infer<typeof CredentialKind>

/** The reference of "this provider takes no credential". */
export const NO_AUTH = 'kNoAuth'

/** Why a step gave no credential, in words. */
export const CREDENTIAL_SKIPS = {
  absent: 'there is none',
  empty: 'it is empty, which counts as absent',
  malformed: 'it has characters that cannot be sent, or is too long',
  not_needed: 'an earlier step gave a credential',
  duplicate: 'it is the same value as an earlier one',
  auth_none: 'the provider takes no credential',
  unreadable: 'the stored credential cannot be read',
  expired: 'it has expired and cannot be refreshed',
  refresh_failed: 'it has expired and refreshing it failed',
  command_failed: 'its command gave no value',
} as const
export type CredentialSkip = keyof typeof CREDENTIAL_SKIPS
const skips = Object.keys(CREDENTIAL_SKIPS) as [CredentialSkip, ...CredentialSkip[]]

/** What a person should know although a credential was found. */
export const CREDENTIAL_WARNINGS = {
  looks_like_unset_name:
    'api_key looks like the name of an environment variable that is not set; its text is used as the key',
  not_a_variable_name: 'api_key_env does not look like the name of an environment variable; a key belongs in api_key',
  refresh_failed: 'refreshing the login failed; the old one is used while it lasts',
  not_saved: 'the refreshed login could not be saved; it is kept until the daemon stops',
} as const
export type CredentialWarningCode = keyof typeof CREDENTIAL_WARNINGS
const warnings = Object.keys(CREDENTIAL_WARNINGS) as [CredentialWarningCode, ...CredentialWarningCode[]]

/** One thing that was looked at. `reason` is null where it gave a credential. */
export const CredentialStep = z
  .strictObject({
    source: CredentialSource,
    ref: z.string().nullable(),
    outcome: z.enum(['found', 'skipped']),
    reason: z.enum(skips).nullable(),
    message: z.string().nullable(),
    warnings: z.array(z.strictObject({ code: z.enum(warnings), message: z.string() })).readonly(),
  })
  .openapi('CredentialStep')
export type CredentialStep = z.infer<typeof CredentialStep>
