import { setTimeout } from 'node:timers/promises'
import { AddCredential, AuthEntry, AuthList, AuthQuery, AuthRemoval, RemoveCredential } from '@signalbox/contract/auth'
import type { ProviderId } from '@signalbox/contract/ids'
import type { Answer } from '../answer.ts'
import { escapeControls } from '../canonical-json.ts'
import { renderAuth, renderAuthTrace } from '../render/auth-table.ts'
import { CONTENT_TYPE, type Representation } from '../representation.ts'
import type { Router } from '../router.ts'
import type { Services } from '../services.ts'
import { ProviderPath, requireProvider } from './scope.ts'

const PROVIDER_PATIENCE_MS = 3_000

export function authRoutes(router: Router, services: Services): void {
  const { auth } = services
  /** The id that the provider is asked under, which may be another one than it was called by. */
  const known = async (provider_id: ProviderId): Promise<ProviderId> => {
    const ids = [...new Set([...services.providers(), ...(await auth.known())])]
    requireProvider({ ...services, providers: () => ids }, provider_id)
    return auth.askedAs(provider_id)
  }

  router.add(
    {
      method: 'get',
      path: '/api/auth',
      tag: 'Credentials',
      summary: 'Which credential each provider is used with, where it is from, and whether the provider took it',
      query: AuthQuery,
      answer: AuthList,
    },
    async ({ query: { provider_id, all }, representation }) => {
      const { storage } = auth
      const providers = provider_id === undefined ? await auth.list(all) : [await auth.one(await known(provider_id))]
      const below = provider_id === undefined ? '' : providers.map((entry) => renderAuthTrace(entry)).join('')
      return authAnswer(providers, { storage, providers }, representation, {}, `${below}\n${storage}\n`)
    },
  )
  router.add(
    {
      method: 'post',
      path: '/api/auth/{provider_id}',
      tag: 'Credentials',
      summary: 'Store a key, in place of one of the same name; the provider is then asked with it',
      params: ProviderPath,
      body: AddCredential,
      answer: AuthEntry,
    },
    async ({ params, body: { api_key, name }, representation }) => {
      const provider_id = await known(params.provider_id)
      await auth.add(provider_id, api_key, name)
      const asked = services.refresh.refresh({ provider_id, source_id: `provider_live:${provider_id}`, force: true })
      // Most providers answer at once; one that does not is told of as not tried yet, and the asking goes on.
      await Promise.race([asked, setTimeout(PROVIDER_PATIENCE_MS, undefined, { ref: false })])
      return entryAnswer(await auth.one(provider_id), representation)
    },
  )
  router.add(
    {
      method: 'post',
      path: '/api/auth/{provider_id}/remove',
      tag: 'Credentials',
      summary: 'Remove a stored key',
      params: ProviderPath,
      body: RemoveCredential,
      answer: AuthRemoval,
    },
    async ({ params, body: { name }, representation }) => {
      const provider_id = await known(params.provider_id)
      const removed = await auth.remove(provider_id, name)
      const provider = await auth.one(provider_id)
      const headers = { 'Signalbox-Outcome': removed ? 'succeeded' : 'none' }
      return authAnswer([provider], { removed, provider }, representation, headers)
    },
  )
  router.add(
    {
      method: 'post',
      path: '/api/auth/{provider_id}/test',
      tag: 'Credentials',
      summary: 'Ask the provider now, with the credential that it would be used with',
      params: ProviderPath,
      answer: AuthEntry,
    },
    async ({ params, representation }) => {
      const provider_id = await known(params.provider_id)
      await services.refresh.refresh({ provider_id, source_id: `provider_live:${provider_id}`, force: true })
      return entryAnswer(await auth.one(provider_id), representation)
    },
  )
}

/** An earlier success is not enough to say that a test went well. */
function entryAnswer(entry: AuthEntry, representation: Representation): Answer {
  const isGood = entry.verified === true && entry.reason === null
  return authAnswer([entry], entry, representation, { 'Signalbox-Outcome': isGood ? 'succeeded' : 'failed' })
}

function authAnswer(
  entries: readonly AuthEntry[],
  body: unknown,
  representation: Representation,
  headers: Readonly<Record<string, string>>,
  below = '',
): Answer {
  const text = {
    json: () => `${JSON.stringify(body)}\n`,
    jsonl: () => entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''),
    table: () => (representation.kind === 'table' ? renderAuth(entries, representation) + below : ''),
  }[representation.kind]()
  const type = CONTENT_TYPE[representation.kind]
  return { kind: 'bytes', status: 200, type, headers, body: escapeControls(Buffer.from(text)) }
}
