/** (b) Lists over HTTP versus a bare `node:http` server, in a process of its own, that returns the same bytes. */
import { fork } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import autocannon from 'autocannon'
import { startDaemon } from '../test/harness/daemon.ts'
import { startFakeServer } from '../test/harness/fake-server.ts'
import { tempHome } from '../test/harness/temp-home.ts'
import { interleave, median, reportRatio } from './lib/rounds.ts'

const ROUNDS = 5
const SECONDS = 3
const CONNECTIONS = 8

interface Load {
  readonly rps: number
  readonly p99: number
}

async function load(url: string, headers: Record<string, string>): Promise<Load> {
  const result = await autocannon({ url, connections: CONNECTIONS, duration: SECONDS, headers })
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} refused, ${result.errors} failed`)
  return { rps: result.requests.average, p99: result.latency.p99 }
}

/** The bytes are handed over once; the child answers them to everything. */
async function constantServer(body: Buffer): Promise<{ url: string; stop(): void }> {
  const child = fork(new URL('./lib/constant-server.ts', import.meta.url), { serialization: 'advanced' })
  const port = new Promise<number>((resolve) => child.once('message', (message) => resolve(Number(message))))
  child.send(body)
  return { url: `http://127.0.0.1:${await port}/`, stop: () => void child.kill() }
}

async function compare(
  what: string,
  url: string,
  headers: Record<string, string>,
  bars: { rps: string; p99: string },
): Promise<void> {
  const answer = await fetch(url, { headers })
  const bare = await constantServer(Buffer.from(await answer.arrayBuffer()))
  try {
    const results = await interleave(ROUNDS, [
      { name: 'bare', run: () => load(bare.url, headers) },
      { name: 'signalbox', run: () => load(url, headers) },
    ])
    const of = (name: string, key: keyof Load) => median((results.get(name) ?? []).map((one) => one[key]))
    const detail = (key: keyof Load) => `${of('signalbox', key).toFixed(0)} / ${of('bare', key).toFixed(0)}`
    reportRatio(`${what}: requests per second`, of('signalbox', 'rps') / of('bare', 'rps'), bars.rps, detail('rps'))
    // In whole milliseconds: under one of them there is no ratio.
    if (of('bare', 'p99') === 0) console.log(`${what}: p99 is ${detail('p99')} ms, too short for a ratio`)
    else reportRatio(`${what}: p99`, of('signalbox', 'p99') / of('bare', 'p99'), bars.p99, detail('p99'))
  } finally {
    bare.stop()
  }
}

/** A catalog of the real size for the refresh: the built-in models as models.dev would state them. */
async function catalogDocument(url: string, headers: Record<string, string>): Promise<string> {
  const answer = (await (await fetch(`${url}/api/providers/models`, { headers })).json()) as {
    models: { provider_id: string; model_id: string; display_name: string | null; context_window: number | null }[]
  }
  const providers: Record<string, { id: string; models: Record<string, unknown> }> = {}
  for (const model of answer.models) {
    const provider = providers[model.provider_id] ?? { id: model.provider_id, models: {} }
    providers[model.provider_id] = provider
    provider.models[model.model_id] = {
      id: model.model_id,
      name: model.display_name,
      limit: { context: model.context_window ?? 0 },
    }
  }
  return JSON.stringify(providers)
}

await using home = await tempHome()
await using daemon = await startDaemon({ home })
const headers = { authorization: `Bearer ${(await readFile(home.paths.tokenFile, 'utf8')).trim()}` }
const all = `${daemon.url}/api/providers/models`
await compare('all models', all, headers, { rps: '>= 0.9', p99: '<= 1.5' })
await compare('models of openai', `${daemon.url}/api/providers/openai/models`, headers, {
  rps: '>= 0.7',
  p99: '<= 1.5',
})

const document = await catalogDocument(daemon.url, headers)
await using upstream = await startFakeServer({
  kind: 'reply',
  body: document,
  headers: { 'content-type': 'application/json' },
})
await home.configure(`[daemon]\nport = 0\n[model_catalog.sources.models_dev]\nendpoint = "${upstream.url}/api.json"\n`)
const stop = new AbortController()
const refreshing = (async () => {
  let runs = 0
  while (!stop.signal.aborted) {
    await fetch(`${daemon.url}/api/providers/models/refresh`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: '{"force":true,"source_id":"models_dev"}',
    })
    runs += 1
  }
  return runs
})()
await compare('all models, while refreshing without pause', all, headers, { rps: '>= 0.9', p99: '<= 1.5' })
stop.abort()
console.log(`${await refreshing} refreshes of the whole catalog ran meanwhile`)
