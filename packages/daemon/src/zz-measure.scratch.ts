import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import { Catalog } from './catalog/catalog.ts'
import { systemClock } from './catalog/clock.ts'
import { Persistence } from './catalog/persistence.ts'
import { createOutboundClient } from './http/client.ts'
import { RefreshService } from './refresh/refresh-service.ts'
import { builtinSource, loadBuiltin } from './sources/builtin.ts'
import { modelsDevSource } from './sources/models-dev.ts'
import { openStore } from './store/sqlite/open.ts'
import { createTelemetry } from './telemetry/event-bus.ts'
import { createLogFile } from './telemetry/log-file.ts'
import { createSecrets } from './telemetry/redact.ts'

const child = spawn(process.execPath, ['/tmp/t3/server.mjs'], { stdio: ['ignore', 'pipe', 'inherit'] })
const [chunk] = await once(child.stdout, 'data')
const port = String(chunk).trim()
const dir = mkdtempSync('/tmp/t3/home-')
const telemetry = createTelemetry({ log: createLogFile({ file: join(dir, 'log'), now: Date.now }), level: 'info', now: Date.now, secrets: createSecrets() })
const opened = openStore(join(dir, 'catalog.db'), Date.now())
const persistence = new Persistence(opened.store, telemetry, null)
const builtin = loadBuiltin('/work/main/data/builtin.json')
const client = createOutboundClient({ version: '1', env: {} })
const sources = [builtinSource(builtin), modelsDevSource({ endpoint: `http://127.0.0.1:${port}/api.json`, ttlMs: 86400000, timeoutMs: 30000, enabled: true }, client)]
const catalog = new Catalog({ stored: opened.store.load(), persistence, telemetry, clock: systemClock, builtinHash: builtin.hash, sources }, builtin.lists)
const refresh = new RefreshService({ catalog, telemetry, clock: systemClock })
const log: [string, number, number][] = []
telemetry.subscribe((r) => log.push([r.event, performance.now(), 0]))
import { ProviderShard } from '@signalbox/core/catalog/shard'
const prepare = ProviderShard.prototype.prepare
ProviderShard.prototype.prepare = function () { const a = performance.now(); prepare.call(this); const b = performance.now(); if (b - a > 8) log.push([`prepare ${this.provider_id} ${this.modelCount}`, a, b]) }
const commit = opened.store.commit.bind(opened.store)
let commits: number[] = []
opened.store.commit = (change) => { const t = performance.now(); commit(change); commits.push(Math.round(performance.now() - t)); log.push(['commit', t, performance.now()]) }
for (let i = 0; i < 5; i++) {
  const h = monitorEventLoopDelay({ resolution: 1 })
  const blocks: number[] = []
  let last = performance.now()
  let on = true
  const tick = () => { const n = performance.now(); if (n - last > 15) { blocks.push(Math.round(n - last)); log.push(['BLOCK', last, n]) } last = n; if (on) setImmediate(tick) }
  commits = []
  h.enable()
  tick()
  log.length = 0
  const t = performance.now()
  await refresh.refresh({ force: true, source_id: 'models_dev' })
  const answered = performance.now() - t
  await catalog.settled()
  on = false
  h.disable()
  if (i === 4) { let prev = ''; for (const [n, a, b] of log.sort((x, y) => x[1] - y[1])) { if (n === prev && n !== 'BLOCK') continue; prev = n; console.log(Math.round(a - t), b ? Math.round(b - a) : '', n) } }
  console.log({ run: i, models: catalog.snapshot().modelCount, answered: Math.round(answered), total: Math.round(performance.now() - t), maxDelay: Math.round(h.max / 1e6), p99: h.percentile(99) / 1e6, blocks: blocks.sort((a, b) => b - a).slice(0, 12).join(' '), commits: commits.join(' ') })
}
child.kill()
await client.close()
persistence.close()
