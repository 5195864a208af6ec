/** A provider's own list, asked for with the user's credential: what this account can use right now. */
import { createHmac } from 'node:crypto'
import type { SourceId } from '@signalbox/contract/ids'
import type { Credential } from '../../credentials/resolve.ts'
import type { OutboundClient } from '../../http/client.ts'
import { CallError } from '../../http/failures.ts'
import { parseJson } from '../../http/parse-json.ts'
import { type Source, type SourceCall, SourceFailure } from '../source.ts'
import { authHeaders } from './auth-headers.ts'
import { joinBaseUrl } from './base-url.ts'
import { judgeFailure } from './failures.ts'
import { type Fetched, listModels } from './list-pages.ts'
import type { LiveTarget } from './live-targets.ts'

const TTL_MS = 3_600_000
const MAX_BYTES = 8 * 1024 * 1024
const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/** @param fingerprintKey of this home: tells another key apart from the same one, also after a restart, and nothing else */
export function liveSource(
  target: LiveTarget,
  credential: Credential,
  client: OutboundClient,
  fingerprintKey: string,
): Source {
  const { provider_id, base_url, timeoutMs } = target
  const value = credential.secret?.reveal() ?? ''
  const mark = createHmac('sha256', fingerprintKey).update(value).digest('base64url')
  return {
    id: `provider_live:${provider_id}` as SourceId,
    kind: 'provider_live',
    scope: { kind: 'providers', provider_ids: [provider_id] },
    ttlMs: TTL_MS,
    timeoutMs,
    enabled: true,
    identity: JSON.stringify([base_url, target.dialect.listPath, credential.ref, mark]),
    network: true,
    mayBeEmpty: target.isLocal,
    async list(call) {
      requireSafe(target, credential)
      try {
        const { rows, rejected } = await listModels(requestOf(target, credential, client, call))
        call.signal.throwIfAborted()
        return { kind: 'rows', lists: [{ provider_id, rows }], rejected, validators: {} }
      } catch (error) {
        if (!(error instanceof CallError)) throw error
        const { reason, message, retryAt } = judgeFailure(
          provider_id,
          error.failure,
          call.now,
          target.dialect.credentialRejectedBy,
        )
        throw new SourceFailure(message, reason, retryAt)
      }
    },
  }
}

/** Who listens in reads the key. */
function requireSafe({ provider_id, base_url }: LiveTarget, { secret }: Credential): void {
  const { protocol, hostname } = new URL(base_url)
  if (secret === null || protocol === 'https:' || LOOPBACK.has(hostname)) return
  throw new SourceFailure(
    `${provider_id} has a plain http address, and a credential is not sent there`,
    'provider_unreachable',
    null,
  )
}

function requestOf(target: LiveTarget, credential: Credential, client: OutboundClient, { signal }: SourceCall) {
  const { provider_id, dialect, base_url, timeoutMs } = target
  const auth = authOf(target, credential)
  const fetch = async (
    url: string,
    headers: Readonly<Record<string, string>>,
    body?: Readonly<Record<string, unknown>>,
  ): Promise<Fetched> => {
    const answer = await client.get({
      name: provider_id,
      url,
      headers: { ...headers, ...auth },
      body,
      maxBytes: MAX_BYTES,
      timeoutMs,
      signal,
      invalidUtf8: 'replace',
    })
    if (answer.kind === 'unchanged') throw new TypeError('no validators were sent')
    return { document: parseJson(answer.text), damaged: answer.damaged }
  }
  return {
    provider_id,
    dialect,
    base_url,
    get: (url: string, headers: Readonly<Record<string, string>>) => fetch(url, headers),
    ask: async (path: string, body?: Readonly<Record<string, unknown>>) =>
      (await fetch(joinBaseUrl(base_url, path, dialect.strip), {}, body)).document,
  }
}

function authOf({ auth, auth_of_env }: LiveTarget, { ref, secret }: Credential): Readonly<Record<string, string>> {
  const kind = auth_of_env[ref.replace(/^env:/, '')] ?? auth
  return secret === null || kind === 'none' || kind === 'aws-sigv4' ? {} : authHeaders(kind, secret.reveal())
}
