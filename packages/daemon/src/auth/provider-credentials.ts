/** Each provider's credential as it may be shown: where it is from, whether the provider took it, what to do if not. */
import type { AuthEntry } from '@signalbox/contract/auth'
import type { ConfigFile } from '@signalbox/contract/config'
import { ProviderId } from '@signalbox/contract/ids'
import type { UnknownReason } from '@signalbox/contract/model'
import { compareBytes } from '@signalbox/core/bytes'
import { rfc3339 } from '@signalbox/core/time'
import type { Catalog } from '../catalog/catalog.ts'
import type { CredentialService } from '../credentials/credential-service.ts'
import { fixOf } from '../credentials/describe-fix.ts'
import { environmentNamesOf } from '../credentials/environment-names.ts'
import type { Credential, CredentialProvider } from '../credentials/resolve.ts'
import type { Environment } from '../credentials/value.ts'
import type { AuthService } from '../server/services.ts'
import type { BuiltinProvider } from '../sources/builtin-provider.ts'
import { type LiveTarget, liveTargets } from '../sources/live/live-targets.ts'
import { CATALOG_ID_OF, LIVE_PROVIDERS } from '../sources/live/providers.ts'
import { liveSourceOf, type Proof, proofOf } from './proof.ts'

export interface AuthParts {
  readonly credentials: Pick<CredentialService, 'storage' | 'resolve' | 'stored' | 'add' | 'remove'>
  readonly config: () => ConfigFile
  readonly builtin: ReadonlyMap<ProviderId, BuiltinProvider>
  readonly env: Environment
  readonly catalog: Pick<Catalog, 'statuses' | 'memoryOf'>
}

export class ProviderCredentials implements AuthService {
  readonly #parts: AuthParts

  constructor(parts: AuthParts) {
    this.#parts = parts
  }

  get storage(): string {
    return this.#parts.credentials.storage
  }

  async add(provider_id: ProviderId, api_key: string, name?: string): Promise<void> {
    await this.#parts.credentials.add(provider_id, api_key, name)
  }

  remove(provider_id: ProviderId, name?: string): Promise<boolean> {
    return this.#parts.credentials.remove(provider_id, name)
  }

  async known(): Promise<ProviderId[]> {
    const stored = await this.#parts.credentials.stored()
    return [...Object.keys(LIVE_PROVIDERS).map((id) => ProviderId.parse(id)), ...stored.map((one) => one.provider_id)]
  }

  askedAs(provider_id: ProviderId): ProviderId {
    const targets = this.#targets()
    const other = Object.hasOwn(CATALOG_ID_OF, provider_id) ? CATALOG_ID_OF[provider_id] : undefined
    if (other === undefined || targets.has(provider_id)) return provider_id
    const parsed = ProviderId.parse(other)
    return targets.has(parsed) ? parsed : provider_id
  }

  async list(all: boolean): Promise<AuthEntry[]> {
    const targets = this.#targets()
    const configured = Object.keys(this.#parts.config().providers).map((id) => ProviderId.parse(id))
    const stored = (await this.#parts.credentials.stored()).map((one) => one.provider_id)
    const isNamed = new Set<string>([...configured, ...stored])
    const ids = [...new Set([...targets.keys(), ...configured, ...stored])].sort(compareBytes)
    const entries = await Promise.all(ids.map((id) => this.#entry(id, targets.get(id))))
    return entries.filter(
      ({ provider_id, credential }) =>
        all || isNamed.has(provider_id) || (credential !== null && credential.kind !== 'none'),
    )
  }

  one(provider_id: ProviderId): Promise<AuthEntry> {
    return this.#entry(provider_id, this.#targets().get(provider_id))
  }

  #targets(): ReadonlyMap<ProviderId, LiveTarget> {
    const { config, builtin, env } = this.#parts
    return new Map(liveTargets(config(), builtin, env).map((target) => [target.provider_id, target]))
  }

  async #entry(provider_id: ProviderId, target: LiveTarget | undefined): Promise<AuthEntry> {
    const provider = target?.credentials ?? this.#unaskable(provider_id)
    const { credential: found, trace } = await this.#parts.credentials.resolve(provider)
    const credential = found && { ref: found.ref, source: found.source, kind: found.kind }
    const live = liveSourceOf(this.#parts.catalog, provider_id)
    const { verified, verified_at, reason } = this.#proof(provider_id, found)
    const variable = provider.environment[0]?.name ?? null
    const stuck = { provider_id, credential, trace, variable, live: live?.id ?? null }
    return {
      provider_id,
      credential,
      verified,
      verified_at: verified_at === null ? null : rfc3339(verified_at),
      reason,
      fix: reason === null ? null : fixOf(reason, stuck),
      trace,
    }
  }

  #proof(provider_id: ProviderId, credential: Credential | null): Proof {
    const { catalog } = this.#parts
    const untried = (reason: UnknownReason): Proof => ({ verified: null, verified_at: null, reason })
    if (credential === null) return untried('no_credential')
    const live = liveSourceOf(catalog, provider_id)
    if (live !== undefined) return live.enabled ? proofOf(catalog, provider_id, live) : untried('source_disabled')
    const isOff = this.#configOf(provider_id)?.models.discovery?.enabled === false
    return untried(isOff ? 'source_disabled' : (catalog.statuses.unasked.get(provider_id) ?? 'not_probed'))
  }

  /** A provider whose list nobody can ask for may have a credential all the same. */
  #unaskable(provider_id: ProviderId): CredentialProvider {
    const config = this.#configOf(provider_id)
    return {
      provider_id,
      auth: config?.auth ?? 'required',
      environment: environmentNamesOf(provider_id),
      api_key: config?.api_key ?? null,
      api_key_env: config?.api_key_env ?? null,
    }
  }

  #configOf(provider_id: ProviderId): ConfigFile['providers'][string] | undefined {
    const { providers } = this.#parts.config()
    return Object.hasOwn(providers, provider_id) ? providers[provider_id] : undefined
  }
}
