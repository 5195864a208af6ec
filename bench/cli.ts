/** (a) Answering from the CLI against a running daemon, versus starting Node and doing nothing. */
import { spawn } from 'node:child_process'
import { startDaemon } from '../test/harness/daemon.ts'
import { SIGNALBOX } from '../test/harness/process.ts'
import { tempHome } from '../test/harness/temp-home.ts'
import { interleave, median, reportRatio } from './lib/rounds.ts'

const ROUNDS = 25

function timed(program: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const started = performance.now()
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'inherit'] })
    child.stdout.resume()
    child.once('error', reject)
    child.once('close', (code) =>
      code === 0 ? resolve(performance.now() - started) : reject(new Error(`exit ${code}`)),
    )
  })
}

await using home = await tempHome()
await using daemon = await startDaemon({ home })
const results = await interleave(ROUNDS, [
  { name: 'node -e 0', run: () => timed(process.execPath, ['-e', '0'], home.env) },
  { name: 'signalbox models openai', run: () => timed(SIGNALBOX, ['models', 'openai'], home.env) },
  { name: 'signalbox models', run: () => timed(SIGNALBOX, ['models'], home.env) },
  { name: 'signalbox explain openai/gpt-5.2', run: () => timed(SIGNALBOX, ['explain', 'openai/gpt-5.2'], home.env) },
])
const baseline = median(results.get('node -e 0') ?? [])
const bars: Readonly<Record<string, string>> = {
  'signalbox models openai': '<= 1.6',
  'signalbox models': '<= 2',
  'signalbox explain openai/gpt-5.2': '<= 1.6',
}
for (const [name, bar] of Object.entries(bars)) {
  const ms = median(results.get(name) ?? [])
  reportRatio(
    `${name} / node -e 0`,
    ms / baseline,
    bar,
    `${ms.toFixed(1)} ms / ${baseline.toFixed(1)} ms, ${daemon.status.models} models`,
  )
}
