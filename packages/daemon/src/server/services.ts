/** What the routes call. The daemon puts it together; a route parses, calls one of these, and answers. */
import type { ConfigFile } from '@signalbox/contract/config'
import type { ConfigProblem, DaemonStatus } from '@signalbox/contract/daemon'
import type { ProviderId } from '@signalbox/contract/ids'
import type { Catalog } from '../catalog/catalog.ts'
import type { Clock } from '../catalog/clock.ts'
import type { ProviderCredentials } from '../credentials/describe-providers.ts'
import type { RefreshService } from '../refresh/refresh-service.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'

export interface Services {
  readonly version: string
  readonly catalog: Catalog
  readonly refresh: RefreshService
  readonly auth: ProviderCredentials
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
