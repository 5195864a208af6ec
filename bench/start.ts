/** (d) From nothing to the first answer, and what an idle daemon weighs. Also: how long the built-in catalog takes to load. */
import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { loadBuiltin } from '../packages/daemon/src/sources/builtin.ts'
import { startDaemon } from '../test/harness/daemon.ts'
import { overSocket } from '../test/harness/http.ts'
import { SIGNALBOX } from '../test/harness/process.ts'
import { tempHome } from '../test/harness/temp-home.ts'
import { interleave, median, reportRatio } from './lib/rounds.ts'

const ROUNDS = 9

async function startToFirstAnswer(): Promise<number> {
  await using home = await tempHome()
  const started = performance.now()
  await using daemon = await startDaemon({ home })
  const answer = await overSocket(home, '/api/providers/models')
  if (answer.status !== 200 || daemon.status.models === 0) throw new Error('no answer')
  return performance.now() - started
}

/** The first CLI command on a fresh home, which starts the daemon by itself. */
async function coldCommand(): Promise<number> {
  await using home = await tempHome()
  const ms = await timed(SIGNALBOX, ['models', 'openai'], home.env)
  await timed(SIGNALBOX, ['daemon', 'stop'], home.env)
  return ms
}

function timed(program: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const started = performance.now()
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { env, stdio: 'ignore' })
    child.once('error', reject)
    child.once('close', (code) =>
      code === 0 ? resolve(performance.now() - started) : reject(new Error(`exit ${code}`)),
    )
  })
}

async function idleMegabytes(): Promise<number> {
  await using home = await tempHome()
  await using daemon = await startDaemon({ home })
  await overSocket(home, '/api/providers/models')
  const status = await readFile(`/proc/${daemon.pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) / 1024
}

const results = await interleave(ROUNDS, [
  { name: 'node', run: () => timed(process.execPath, ['-e', '0'], process.env) },
  { name: 'first answer', run: startToFirstAnswer },
  { name: 'cold command', run: coldCommand },
])
const node = median(results.get('node') ?? [])
for (const name of ['first answer', 'cold command']) {
  const ms = median(results.get(name) ?? [])
  reportRatio(
    `daemon start to ${name} / node -e 0`,
    ms / node,
    'as low as it goes',
    `${ms.toFixed(0)} ms / ${node.toFixed(0)} ms`,
  )
}

const builtin = new URL('../data/builtin.json', import.meta.url).pathname
const load = async (decode: boolean) => {
  const started = performance.now()
  const { lists } = loadBuiltin(builtin)
  const rows = decode ? lists.reduce((sum, list) => sum + list.rows.length, 0) : 0
  return { ms: performance.now() - started, rows }
}
const loads = await interleave(15, [
  { name: 'read', run: async () => (await readFile(builtin)).length && (await load(false)).ms },
  { name: 'decode', run: async () => (await load(true)).ms },
])
console.log(
  `built-in catalog: ${median(loads.get('read') ?? []).toFixed(1)} ms to load, ${median(loads.get('decode') ?? []).toFixed(1)} ms with every row decoded`,
)
console.log(
  `idle daemon after listing everything once: ${median([await idleMegabytes(), await idleMegabytes(), await idleMegabytes()]).toFixed(0)} MB (aim: under 120 MB)`,
)
