/**
 * The one function that decides which credential a provider is used with. In this order, and in no other place:
 *
 * 1. the runtime override (`--api-key`);
 * 2. stored API keys, `default` first, then by name; one may be a command reference;
 * 3. stored logins, refreshed if they have expired;
 * 4. the environment: the first of the provider's variables that is not empty;
 * 5. the configuration: `api_key` (a variable's name if that is set, a command reference, else the key itself), then
 *    `api_key_env` (a variable's name only).
 *
 * An empty value counts as absent at every step. `auth: none` looks at nothing and gives the marker; `auth: optional`
 * (local servers) gives the marker when nothing is found. References never derive from a value.
 */
import {
  CREDENTIAL_SKIPS,
  CREDENTIAL_SOURCES,
  CREDENTIAL_WARNINGS,
  type CredentialSkip,
  type CredentialStep,
  type CredentialWarningCode,
  NO_AUTH,
} from '@signalbox/contract/credentials'
import { SignalboxError } from '@signalbox/contract/errors'
import type { ProviderId } from '@signalbox/contract/ids'
import { CommandError } from '../processes/command-error.ts'
import { isCommandReference } from './command.ts'
import { type ConfiguredKey, readApiKey, readApiKeyEnv } from './configured-key.ts'
import type { EnvironmentName } from './environment-names.ts'
import type { Refresher } from './refresh.ts'
import type { MakeSecret, Secret } from './secret.ts'
import { type CredentialStore, type StoredCredential, type StoredSummary, storedRef } from './store/credential-store.ts'
import { CredentialStoreError } from './store/credential-store-error.ts'
import { type Environment, type ReadValue, readValue, variable } from './value.ts'

type Source = (typeof CREDENTIAL_SOURCES)[number]

export type Credential = {
  /** Opaque: `env:OPENAI_API_KEY`, `stored:openai/default`. */
  readonly ref: string
  readonly provider_id: ProviderId
} & (
  | { readonly source: Source; readonly kind: 'api_key' | 'oauth'; readonly secret: Secret }
  | { readonly source: 'none'; readonly kind: 'none'; readonly secret: null }
)

/** What is known of a provider's credentials before looking. */
export interface CredentialProvider {
  readonly provider_id: ProviderId
  readonly auth: 'required' | 'optional' | 'none'
  readonly environment: readonly EnvironmentName[]
  readonly api_key: string | null
  readonly api_key_env: string | null
}

export interface CredentialSources {
  readonly override: string | null
  readonly store: Pick<CredentialStore, 'list' | 'get'>
  readonly refresher: Refresher
  readonly environment: Environment
  /** The value of a command reference; throws `CommandError`. */
  readonly command: (reference: string) => Promise<Secret>
  readonly secret: MakeSecret
  /** `first` looks no further than the first hit, and so refreshes and runs nothing in vain; `all` is for discovery. */
  readonly want: 'first' | 'all'
}

export interface Resolution {
  /** Strongest first; the first is the one to use. */
  readonly credentials: readonly Credential[]
  /** Everything that was looked at, in order, and why it gave nothing. */
  readonly trace: readonly CredentialStep[]
}

interface Finding {
  readonly ref: string | null
  readonly found: { readonly secret: Secret; readonly kind: 'api_key' | 'oauth' } | CredentialSkip
  readonly warning?: CredentialWarningCode | null
}

/** The sources, and the list of what is stored, read at most once. */
interface Search extends CredentialSources {
  readonly stored: () => Promise<readonly StoredSummary[]>
}

type Step = (provider: CredentialProvider, search: Search) => AsyncIterable<Finding>

const STEPS: Readonly<Record<Source, Step>> = {
  override: findOverride,
  stored_key: (provider, search) => findStored('api_key', provider, search),
  stored_oauth: (provider, search) => findStored('oauth', provider, search),
  environment: findInEnvironment,
  config: findInConfig,
}

export async function resolveCredentials(
  provider: CredentialProvider,
  sources: CredentialSources,
): Promise<Resolution> {
  const credentials: Credential[] = []
  const trace: CredentialStep[] = []
  const { provider_id, auth } = provider
  let listed: Promise<readonly StoredSummary[]> | undefined
  const search: Search = { ...sources, stored: () => (listed ??= sources.store.list()) }

  for (const source of CREDENTIAL_SOURCES) {
    const done = sources.want === 'first' && credentials.length > 0
    if (auth === 'none' || done) {
      trace.push(stepOf(source, { ref: null, found: auth === 'none' ? 'auth_none' : 'not_needed' }))
      continue
    }
    for await (const finding of STEPS[source](provider, search)) {
      const { ref, found } = finding
      if (typeof found === 'string' || ref === null) {
        trace.push(stepOf(source, finding))
      } else if (credentials.some(({ secret }) => secret?.equals(found.secret) === true)) {
        trace.push(stepOf(source, { ...finding, found: 'duplicate' }))
      } else {
        credentials.push({ ref, provider_id, source, kind: found.kind, secret: found.secret })
        trace.push(stepOf(source, finding))
        if (sources.want === 'first') break
      }
    }
  }
  if (auth !== 'required' && credentials.length === 0) {
    credentials.push({ ref: NO_AUTH, provider_id, source: 'none', kind: 'none', secret: null })
    trace.push({ source: 'none', ref: NO_AUTH, outcome: 'found', reason: null, message: null, warnings: [] })
  }
  return { credentials, trace }
}

function stepOf(source: Source, { ref, found, warning = null }: Finding): CredentialStep {
  const reason = typeof found === 'string' ? found : null
  return {
    source,
    ref,
    outcome: reason === null ? 'found' : 'skipped',
    reason,
    message: reason === null ? null : CREDENTIAL_SKIPS[reason],
    warnings: warning === null ? [] : [{ code: warning, message: CREDENTIAL_WARNINGS[warning] }],
  }
}

async function* findOverride({ provider_id }: CredentialProvider, search: Search): AsyncIterable<Finding> {
  const ref = search.override === null ? null : `override:${provider_id}`
  yield { ref, found: keyFrom(readValue(search.override), search) }
}

async function* findStored(
  kind: StoredCredential['kind'],
  { provider_id }: CredentialProvider,
  search: Search,
): AsyncIterable<Finding> {
  const summaries = await readable(search.stored)
  if (summaries === null) {
    yield { ref: null, found: 'unreadable' }
    return
  }
  const mine = summaries.filter((summary) => summary.provider_id === provider_id)
  // What cannot be read is told once, with the keys: nobody knows which kind it is of.
  const wanted = mine.filter(
    (summary) => summary.kind === kind || (summary.kind === 'unreadable' && kind === 'api_key'),
  )
  if (wanted.length === 0) yield { ref: null, found: 'absent' }
  for (const summary of wanted) {
    const ref = storedRef(summary)
    if (summary.kind === 'unreadable') yield { ref, found: 'unreadable' }
    else yield { ref, ...(await readStored(summary, search)) }
  }
}

async function readStored(summary: StoredSummary, search: Search): Promise<Omit<Finding, 'ref'>> {
  // In an object, as null is one of the answers.
  const answer = await readable(async () => ({ credential: await search.store.get(summary) }))
  if (answer === null) return { found: 'unreadable' }
  const { credential } = answer
  // Removed or replaced since it was listed.
  if (credential === null || credential.kind !== summary.kind) return { found: 'absent' }
  if (credential.kind === 'api_key') return { found: await keyOrCommand(credential.secret.reveal(), search) }

  const login = await readable(() => search.refresher.fresh(credential))
  if (login === null) return { found: 'unreadable' }
  if (login.kind !== 'login') return { found: login.kind }
  return { found: valueFrom(readValue(login.access.reveal()), 'oauth', search), warning: login.warning }
}

async function* findInEnvironment(provider: CredentialProvider, search: Search): AsyncIterable<Finding> {
  if (provider.environment.length === 0) yield { ref: null, found: 'absent' }
  for (const { name, kind } of provider.environment) {
    const found = valueFrom(readValue(variable(search.environment, name)), kind, search)
    yield { ref: `env:${name}`, found }
    // One credential, whatever else is set: the names are spellings of one setting.
    if (typeof found !== 'string') return
  }
}

/** The references do not name the variable: what stands there may be the key itself, in the wrong place. */
async function* findInConfig(provider: CredentialProvider, search: Search): AsyncIterable<Finding> {
  const { provider_id, api_key, api_key_env } = provider
  if (api_key === null && api_key_env === null) yield { ref: null, found: 'absent' }
  if (api_key !== null) {
    const ref = `config:${provider_id}/api_key`
    if (isCommandReference(api_key)) yield { ref, found: await keyOrCommand(api_key, search) }
    else yield configured(ref, readApiKey(api_key, search.environment), search)
  }
  if (api_key_env !== null) {
    const read = readApiKeyEnv(api_key_env, search.environment)
    // Registered, so that it is hidden in case it is a key.
    if (read.warning === 'not_a_variable_name') search.secret(api_key_env)
    yield configured(`config:${provider_id}/api_key_env`, read, search)
  }
}

const configured = (ref: string, { read, warning }: ConfiguredKey, search: Search): Finding => ({
  ref,
  found: keyFrom(read, search),
  warning,
})

async function keyOrCommand(text: string, search: Search): Promise<Finding['found']> {
  if (!isCommandReference(text)) return keyFrom(readValue(text), search)
  try {
    return { secret: await search.command(text), kind: 'api_key' }
  } catch (error) {
    // Expected: the program is missing, failed, hung or printed nothing.
    if (error instanceof CommandError) return 'command_failed'
    throw error
  }
}

const keyFrom = (read: ReadValue, search: Search) => valueFrom(read, 'api_key', search)

function valueFrom(read: ReadValue, kind: 'api_key' | 'oauth', search: Search): Finding['found'] {
  return read.kind === 'value' ? { secret: search.secret(read.value), kind } : read.kind
}

/** Null when the store cannot be read now: the other sources still count, and the trace tells. */
async function readable<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read()
  } catch (error) {
    // Expected: it cannot be decrypted or asked, or a file of it is not ours.
    const unsafe = error instanceof SignalboxError && error.code === 'unsafe_path'
    if (unsafe || error instanceof CredentialStoreError) return null
    throw error
  }
}
