/** Runs inside a mount namespace whose TMPDIR is a small disk of its own: a daemon with its home there. Prints JSON. */
import { execFileSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runCli } from '../harness/cli.ts'
import { type RunningDaemon, startDaemon } from '../harness/daemon.ts'
import { json, startFakeServer } from '../harness/fake-server.ts'
import { tempHome } from '../harness/temp-home.ts'

const [scenario, disk] = process.argv.slice(2)
if (disk === undefined) throw new Error('usage: full-disk.child.ts <scenario> <disk>')
const ballast = join(disk, 'ballast')
const remount = (mode: 'ro' | 'rw') => execFileSync('sh', ['-c', 'mount -o "remount,$1" "$2"', 'sh', mode, disk])

/** One provider with this many models, each of some hundred bytes. */
const catalog = (count: number) =>
  json({
    acme: {
      models: Object.fromEntries(
        Array.from({ length: count }, (_, at) => [`m${at}`, { id: `m${at}`, name: `${at}`.repeat(50) }]),
      ),
    },
  })

function fill(): void {
  for (let size = 1 << 20; size >= 1; size >>= 1) {
    try {
      for (;;) writeFileSync(ballast, Buffer.alloc(size), { flag: 'a' })
    } catch (error) {
      // Expected: ENOSPC. Then smaller pieces, until not a byte is left.
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
    }
  }
}

const refresh = (daemon: RunningDaemon) =>
  daemon.overSocket('/api/providers/models/refresh', { method: 'POST', body: { source_id: 'models_dev', force: true } })
const count = async (daemon: RunningDaemon) =>
  (await daemon.overSocket('/api/providers/acme/models')).headers['x-total-count']
const status = async (daemon: RunningDaemon) => (await daemon.overSocket('/api/daemon')).json()

await using server = await startFakeServer(catalog(3))
await using home = await tempHome(`[daemon]
port = 0
[model_catalog.sources.models_dev]
endpoint = "${server.url}/"
`)
const outcome: Record<string, unknown> = {}
{
  await using daemon = await startDaemon({ home })
  await refresh(daemon)
  outcome.before = await status(daemon)
  if (scenario === 'full') {
    fill()
    server.answer(catalog(4_000))
    outcome.refreshed = (await refresh(daemon)).status
    outcome.during = await status(daemon)
    outcome.listed = await count(daemon)
    outcome.cli = (await runCli(home, ['daemon', 'status'])).stdout
    rmSync(ballast)
    await refresh(daemon)
    outcome.after = await status(daemon)
  }
}
if (scenario === 'read-only') {
  remount('ro')
  server.answer(catalog(5))
  await using daemon = await startDaemon({ home })
  outcome.stored = await count(daemon)
  outcome.refreshed = (await refresh(daemon)).status
  outcome.during = await status(daemon)
  outcome.listed = await count(daemon)
  outcome.cli = (await runCli(home, ['daemon', 'status'])).stdout
  outcome.greeting = daemon.stdout()
  await daemon.stop()
  remount('rw')
}
{
  server.answer({ kind: 'hang' })
  await using daemon = await startDaemon({ home })
  outcome.restarted = await count(daemon)
}
process.stdout.write(JSON.stringify(outcome))
