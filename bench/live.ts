/** Refreshing 50 providers of 200 models, 20 ms away each, versus refreshing one of them; and reads meanwhile. */
import { setTimeout as delay } from 'node:timers/promises'
import { startDaemon } from '../test/harness/daemon.ts'
import { json, startFakeServer } from '../test/harness/fake-server.ts'
import { overSocket } from '../test/harness/http.ts'
import { QUIET_CONFIG, tempHome } from '../test/harness/temp-home.ts'
import { interleave, median, reportRatio } from './lib/rounds.ts'

const PROVIDERS = 50
const MODELS = 200
const LATENCY_MS = 20
const ROUNDS = 9

const list = json({
  data: Array.from({ length: MODELS }, (_, index) => ({ id: `model-${index}`, context_window: 1000 + index })),
})
await using server = await startFakeServer(async () => {
  await delay(LATENCY_MS)
  return list
})
const ids = Array.from({ length: PROVIDERS }, (_, index) => `p${index}`)
const providers = ids.map((id) => `[providers.${id}]\nauth = "none"\nbase_url = "${server.url}/${id}/v1"\n`)
await using home = await tempHome(`${QUIET_CONFIG}\n${providers.join('')}`)
await using daemon = await startDaemon({ home })

async function timed(path: string): Promise<number> {
  const started = performance.now()
  const answer = await daemon.overSocket(path, { method: 'POST', body: { force: true } })
  if (answer.status !== 200) throw new Error(answer.text())
  return performance.now() - started
}

/** How long one provider's list takes to read. */
async function readMs(): Promise<number> {
  const started = performance.now()
  await overSocket(home, '/api/providers/openai/models')
  return performance.now() - started
}

const results = await interleave(ROUNDS, [
  { name: 'one', run: () => timed('/api/providers/p7/models/refresh') },
  { name: 'all', run: () => timed('/api/providers/models/refresh') },
])
const one = median(results.get('one') ?? [])
const all = median(results.get('all') ?? [])
reportRatio(
  `refresh of ${PROVIDERS} providers / of one`,
  all / one,
  '<= 3',
  `${all.toFixed(0)} ms / ${one.toFixed(0)} ms`,
)

const reads = async (): Promise<number> => {
  const times: number[] = []
  for (let read = 0; read < 100; read++) times.push(await readMs())
  return median(times)
}
const quiet = await reads()
let running = true
const refreshing = (async () => {
  while (running) await timed('/api/providers/models/refresh')
})()
const busy = await reads()
running = false
await refreshing
reportRatio(
  'a read while all refresh / a read in peace',
  busy / quiet,
  'unaffected: about 1',
  `${busy.toFixed(1)} ms / ${quiet.toFixed(1)} ms`,
)
