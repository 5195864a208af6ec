/** Which providers can be asked for their list, where and how: what the configuration says over what is known of them. */
import { type ConfigFile, durationMs } from '@signalbox/contract/config'
import { ProviderId } from '@signalbox/contract/ids'
import { type EnvironmentName, environmentNamesOf } from '../../credentials/environment-names.ts'
import type { CredentialProvider } from '../../credentials/resolve.ts'
import type { BuiltinProvider } from '../builtin-provider.ts'
import type { Dialect } from './dialect.ts'
import { DIALECTS } from './dialects.ts'
import { providerBaseUrl } from './provider-address.ts'
import { type AuthKind, type LiveProvider, liveIdOf, liveProvider } from './providers.ts'

type Environment = Readonly<Record<string, string | undefined>>
type ProviderConfig = ConfigFile['providers'][string]

export interface LiveTarget {
  readonly provider_id: ProviderId
  /** A server on this machine: it comes and goes, and may hold nothing. */
  readonly isLocal: boolean
  readonly dialect: Dialect
  readonly base_url: string
  readonly auth: AuthKind
  /** Variables whose credential is sent in another way. */
  readonly auth_of_env: Readonly<Record<string, AuthKind>>
  readonly credentials: CredentialProvider
  readonly timeoutMs: number
}

const TIMEOUT_MS = 10_000
/** Kinds of API whose list of models has OpenAI's form. */
const OPENAI_SHAPED: ReadonlySet<string> = new Set(['openai-completions', 'openai-responses'])
const LOOKS_LIKE_KEY = /(?:KEY|TOKEN)$/

/** Servers on this machine that are looked for without being configured, each at its usual address. */
const IMPLICIT_LOCAL = ['ollama', 'llama.cpp', 'lm-studio'].map((id) => ProviderId.parse(id))

/** Every provider with a dialect, and every other that has a base URL and speaks OpenAI's API. */
export function liveTargets(
  config: Pick<ConfigFile, 'providers' | 'model_catalog'>,
  builtin: ReadonlyMap<ProviderId, BuiltinProvider>,
  env: Environment,
): LiveTarget[] {
  const configured = Object.keys(config.providers).map((id) => ProviderId.parse(id))
  const local = config.model_catalog.sources.local_servers.enabled ? IMPLICIT_LOCAL : []
  // The built-in catalog's own ids of local servers (`lmstudio`) are names of the same ones, and enrich them.
  const remote = [...builtin.keys()].filter((id) => liveProvider(id)?.kind !== 'local')
  return [...new Set([...remote, ...local, ...configured])].flatMap(
    (id) => liveTarget(id, config.providers[id] ?? null, builtin.get(id) ?? null, env) ?? [],
  )
}

function liveTarget(
  provider_id: ProviderId,
  config: ProviderConfig | null,
  builtin: BuiltinProvider | null,
  env: Environment,
): LiveTarget | null {
  const discovery = config?.models.discovery
  const known = liveProvider(provider_id)
  const isLocal = (config?.kind ?? known?.kind) === 'local'
  // A command is a source of another kind (`command-source.ts`); an agent has no list of its own.
  if (discovery?.enabled === false || discovery?.command !== undefined || config?.kind === 'agent') return null
  const place = placeOf(config, known, builtin, env)
  if (place === null) return null
  return {
    provider_id,
    isLocal,
    ...place,
    auth: known?.auth === undefined || known.auth === 'aws-sigv4' ? 'bearer' : known.auth,
    auth_of_env: known?.auth_of_env ?? {},
    credentials: credentialsOf(provider_id, config, builtin, known?.credential ?? (isLocal ? 'optional' : 'required')),
    timeoutMs: discovery === undefined ? TIMEOUT_MS : (durationMs(discovery.timeout) ?? TIMEOUT_MS),
  }
}

/** How the credential of a provider is looked for. */
function credentialsOf(
  provider_id: ProviderId,
  config: ProviderConfig | null,
  builtin: BuiltinProvider | null,
  need: CredentialProvider['auth'],
): CredentialProvider {
  return {
    provider_id,
    auth: config?.auth ?? need,
    environment: environmentOf(provider_id, builtin),
    api_key: config?.api_key ?? null,
    api_key_env: config?.api_key_env ?? null,
  }
}

/** Providers whose list a program of the user's prints. */
export interface ProgramTarget {
  readonly provider_id: ProviderId
  readonly command: string
  readonly timeoutMs: number
  readonly credentials: CredentialProvider
}

export function programTargets(
  config: Pick<ConfigFile, 'providers'>,
  builtin: ReadonlyMap<ProviderId, BuiltinProvider>,
): ProgramTarget[] {
  return Object.entries(config.providers).flatMap(([id, provider]) => {
    const { command, enabled, timeout } = provider.models.discovery ?? {}
    if (command === undefined || timeout === undefined || enabled === false) return []
    const provider_id = ProviderId.parse(id)
    const credentials = credentialsOf(provider_id, provider, builtin.get(provider_id) ?? null, 'optional')
    return { provider_id, command, timeoutMs: durationMs(timeout) ?? TIMEOUT_MS, credentials }
  })
}

function placeOf(
  config: ProviderConfig | null,
  known: LiveProvider | null,
  builtin: BuiltinProvider | null,
  env: Environment,
): Pick<LiveTarget, 'base_url' | 'dialect'> | null {
  const isCompatible = config?.base_url !== undefined || OPENAI_SHAPED.has(builtin?.api ?? '')
  const dialect = known !== null ? DIALECTS[known.dialect] : isCompatible ? DIALECTS['openai-compatible'] : null
  const endpoint = config?.models.discovery?.endpoint
  if (endpoint !== undefined) return { base_url: endpoint, dialect: exactly(dialect ?? DIALECTS['openai-compatible']) }
  if (dialect === null) return null
  const base_url = config?.base_url ?? (known === null ? builtin?.base_url : providerBaseUrl(known, env))
  return base_url != null && URL.canParse(base_url) ? { base_url, dialect } : null
}

/** The address is the list's own. */
const exactly = (dialect: Dialect): Dialect => ({ ...dialect, listPath: '', otherPaths: [], alsoPaths: [], strip: [] })

/** Our names, and those under which the built-in catalog knows the provider's key. */
function environmentOf(provider_id: ProviderId, builtin: BuiltinProvider | null): readonly EnvironmentName[] {
  const ours = environmentNamesOf(ProviderId.parse(liveIdOf(provider_id)))
  const theirs = (builtin?.env ?? []).filter(
    (name) => LOOKS_LIKE_KEY.test(name) && ours.every((our) => our.name !== name),
  )
  return [...ours, ...theirs.map((name) => ({ name, kind: 'api_key' as const }))]
}
