/** A daemon, and a provider on loopback in the place of openai that takes the keys it is told to take. */
import { AuthEntry, AuthList } from '../../packages/contract/src/auth.ts'
import { ModelList } from '../../packages/contract/src/model.ts'
import { type RunningDaemon, startDaemon } from '../harness/daemon.ts'
import { type FakeServer, json, type Script, startFakeServer } from '../harness/fake-server.ts'
import type { Received } from '../harness/http.ts'
import { type EventStream, openEvents, type SseEvent } from '../harness/sse.ts'
import { QUIET_CONFIG, type TempHome, tempHome } from '../harness/temp-home.ts'

/** Only the provider itself lists it. */
export const OWN_MODEL = 'model-of-this-account'
export const LIVE = 'provider_live:openai'

export interface World extends AsyncDisposable {
  readonly home: TempHome
  readonly provider: FakeServer
  readonly daemon: RunningDaemon
  readonly events: EventStream
  restart(): Promise<void>
}

const accountList = json({ object: 'list', data: [{ id: OWN_MODEL, object: 'model', owned_by: 'acme' }] })

/** 401 for every other key. */
export const takes =
  (...keys: readonly string[]): Script =>
  ({ headers }) =>
    keys.some((key) => headers.authorization === `Bearer ${key}`)
      ? accountList
      : json({ error: { message: `Incorrect API key provided: ${headers.authorization}` } }, { status: 401 })

export const keysSeen = ({ provider }: World) => provider.requests.map(({ headers }) => headers.authorization)

export async function openWorld(
  script: Script,
  { more = '', env = {} }: { readonly more?: string; readonly env?: NodeJS.ProcessEnv } = {},
): Promise<World> {
  const provider = await startFakeServer(script)
  const home = await tempHome(`${QUIET_CONFIG}\n[providers.openai]\nbase_url = "${provider.url}/v1"\n${more}`)
  let daemon = await startDaemon({ home, env })
  let events = await openEvents({ socket: await home.socket() })
  const stop = async () => {
    await events.close()
    await daemon[Symbol.asyncDispose]()
  }
  return {
    home,
    provider,
    get daemon() {
      return daemon
    },
    get events() {
      return events
    },
    async restart() {
      await stop()
      daemon = await startDaemon({ home, env })
      events = await openEvents({ socket: await home.socket() })
    },
    async [Symbol.asyncDispose]() {
      await stop()
      await provider.close()
      await home[Symbol.asyncDispose]()
    },
  }
}

export const post = (
  { daemon }: World,
  path: string,
  body: Readonly<Record<string, unknown>> = {},
): Promise<Received> => daemon.overSocket(path, { method: 'POST', body })

export const isRun = (outcome: 'succeeded' | 'failed') => (event: SseEvent) =>
  event.event === `catalog.refresh.${outcome}` && (event.json() as { source_id?: string }).source_id === LIVE

/** The next run of the provider's own list that ends so, after `act` has begun. */
export async function runAfter(
  world: World,
  outcome: 'succeeded' | 'failed',
  act: () => Promise<unknown>,
): Promise<void> {
  const before = new Set(world.events.seen)
  await act()
  await world.events.waitFor((event) => !before.has(event) && isRun(outcome)(event))
}

export async function entryOf({ daemon }: World, provider = 'openai'): Promise<AuthEntry> {
  const answer = await daemon.overSocket(`/api/auth?provider_id=${provider}`)
  const [entry] = AuthList.parse(answer.json()).providers
  return AuthEntry.parse(entry)
}

export async function modelsOf({ daemon }: World) {
  return ModelList.parse((await daemon.overSocket('/api/providers/openai/models')).json()).models
}

/** The model that only this account has, and one that the built-in catalog lists. */
export async function twoModels(world: World) {
  const models = await modelsOf(world)
  const shown = (id: string) => {
    const model = models.find(({ model_id }) => model_id === id)
    return model === undefined ? null : [model.availability_state, model.availability_reason]
  }
  return { own: shown(OWN_MODEL), builtin: shown('gpt-4o') }
}
