/** The command that helps a provider that cannot be used, by the reason why. */
import type { AuthEntry } from '@signalbox/contract/auth'
import type { ProviderId, SourceId } from '@signalbox/contract/ids'
import type { UnknownReason } from '@signalbox/contract/model'
import { DEFAULT_NAME, storedRef } from './store/credential-store.ts'

export interface Stuck {
  readonly provider_id: ProviderId
  readonly credential: AuthEntry['credential']
  readonly trace: AuthEntry['trace']
  /** The first variable that is looked at; null when there is none. */
  readonly variable: string | null
  /** Null when the provider is not asked. */
  readonly live: SourceId | null
}

type Fix = (stuck: Stuck) => string | null

const again: Fix = ({ provider_id }) => `signalbox auth test ${provider_id}`

/** A stored key goes first, so a new one also helps where the bad one comes from somewhere else. */
const add: Fix = (stuck) => {
  const { provider_id, variable, trace } = stuck
  const isClosed = trace.some(
    ({ source, ref, reason }) => source === 'stored_key' && ref === null && reason === 'unreadable',
  )
  if (isClosed) return variable === null ? null : `export ${variable}=…`
  return `signalbox auth add ${provider_id}${nameOption(stuck)}`
}

const FIXES: Readonly<Record<UnknownReason, Fix>> = {
  no_credential: add,
  credential_rejected: add,
  not_probed: (stuck) => (stuck.live === null ? null : again(stuck)),
  not_listed: again,
  rate_limited: again,
  provider_unreachable: again,
  evidence_expired: again,
  offline: () => null,
  source_disabled: () => null,
}

export const fixOf = (reason: UnknownReason, stuck: Stuck): string | null => FIXES[reason](stuck)

/** The rejected key is to be replaced, not hidden behind another. */
function nameOption({ provider_id, credential }: Stuck): string {
  const prefix = storedRef({ provider_id, name: '' })
  const name = credential?.ref.startsWith(prefix) === true ? credential.ref.slice(prefix.length) : DEFAULT_NAME
  return name === DEFAULT_NAME ? '' : ` --name ${name}`
}
