/** What the routes call. The daemon puts it together; a route parses, calls one of these, and answers. */
import type { AuthEntry } from '@signalbox/contract/auth'
import type { ConfigFile } from '@signalbox/contract/config'
import type { ConfigProblem, DaemonStatus } from '@signalbox/contract/daemon'
import type { ProviderId } from '@signalbox/contract/ids'
import type { Catalog } from '../catalog/catalog.ts'
import type { Clock } from '../catalog/clock.ts'
import type { RefreshService } from '../refresh/refresh-service.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'

export interface Services {
  readonly version: string
  readonly catalog: Catalog
  readonly refresh: RefreshService
  readonly auth: AuthService
  readonly telemetry: Telemetry
  readonly clock: Clock
  readonly config: {
    readonly file: string
    current(): ConfigFile
    /** Read the file as it is now, without taking it over. */
    check(): Promise<readonly ConfigProblem[]>
  }
  /** Every provider that a source, a configuration or the built-in file names. */
  providers(): readonly ProviderId[]
  status(): DaemonStatus
  stop(reason: string): void
}

/** Credentials as they may be shown and changed. A value goes in and never comes out. */
export interface AuthService {
  /** Where stored credentials are, and why there. */
  readonly storage: string
  /** In the order of their ids; without `all` those that somebody has set something for. */
  list(all: boolean): Promise<readonly AuthEntry[]>
  one(provider_id: ProviderId): Promise<AuthEntry>
  /** Providers that a key can be stored for although no model of theirs is known, and those that one is stored for. */
  known(): Promise<readonly ProviderId[]>
  /** The id that a provider is asked under: a key stored under its other one would never be used. */
  askedAs(provider_id: ProviderId): ProviderId
  /** Resolves when the sources are made of it; the provider is asked after that. */
  add(provider_id: ProviderId, api_key: string, name?: string): Promise<void>
  /** Whether there was one. */
  remove(provider_id: ProviderId, name?: string): Promise<boolean>
}
