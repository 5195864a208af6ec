/** Every source there is, for a configuration and the credentials that can be found now. */
import { type ConfigFile, durationMs } from '@signalbox/contract/config'
import type { ProviderId } from '@signalbox/contract/ids'
import type { UnknownReason } from '@signalbox/contract/model'
import type { ConfigService } from '../config/config-service.ts'
import type { CredentialService } from '../credentials/credential-service.ts'
import type { OutboundClient } from '../http/client.ts'
import { type BuiltinCatalog, builtinSource } from './builtin.ts'
import { configSource } from './config.ts'
import { commandSource } from './live/command-source.ts'
import { liveSource } from './live/live-source.ts'
import { liveTargets, programTargets } from './live/live-targets.ts'
import { modelsDevSource } from './models-dev.ts'
import type { Source } from './source.ts'

export interface SourceParts {
  readonly config: ConfigService
  readonly builtin: BuiltinCatalog
  readonly client: OutboundClient
  readonly credentials: CredentialService
  readonly env: NodeJS.ProcessEnv
  /** Where programs are run: never in a project. */
  readonly homeDir: string
  /** Of this home: see `liveSource`. */
  readonly fingerprintKey: string
  /** Whether a server on this machine is there now, or was before and left rows. */
  readonly isKnownLocal: (provider_id: ProviderId) => boolean
}

export interface AllSources {
  readonly sources: readonly Source[]
  /** Providers that could be asked for their list and are not, and why. */
  readonly unasked: ReadonlyMap<ProviderId, UnknownReason>
}

/** A provider is asked only with a credential, or when the configuration names it: nobody else is told that we exist. */
export async function allSources(parts: SourceParts): Promise<AllSources> {
  const { config, builtin, client, credentials, env, fingerprintKey } = parts
  const sources: Source[] = [configSource(config), builtinSource(builtin), modelsDev(config.current, client)]
  const unasked = new Map<ProviderId, UnknownReason>()
  for (const target of liveTargets(config.current, builtin.providers, env)) {
    const { provider_id } = target
    const { credential } = await credentials.resolve(target.credentials)
    const isNamed = Object.hasOwn(config.current.providers, provider_id)
    if (target.isLocal && !parts.isKnownLocal(provider_id)) unasked.set(provider_id, 'not_probed')
    else if (credential === null) unasked.set(provider_id, 'no_credential')
    else if (credential.secret === null && !isNamed && !target.isLocal) unasked.set(provider_id, 'not_probed')
    else sources.push(liveSource(target, credential, client, fingerprintKey))
  }
  for (const { credentials: wanted, ...target } of programTargets(config.current, builtin.providers)) {
    const { credential } = await credentials.resolve(wanted)
    const credentialName = wanted.environment[0]?.name ?? null
    sources.push(commandSource({ ...target, credential, credentialName }, env, parts.homeDir))
  }
  return { sources, unasked }
}

function modelsDev(config: ConfigFile, client: OutboundClient): Source {
  const { enabled, endpoint, ttl, timeout } = config.model_catalog.sources.models_dev
  return modelsDevSource({ enabled, endpoint, ttlMs: milliseconds(ttl), timeoutMs: milliseconds(timeout) }, client)
}

/** The configuration was checked, so this is a duration. */
export function milliseconds(duration: string): number {
  const ms = durationMs(duration)
  if (ms === null) throw new RangeError(`not a duration: ${duration}`)
  return ms
}
