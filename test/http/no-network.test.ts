import { chmod, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { startDaemon } from '../harness/daemon.ts'
import { startFakeServer } from '../harness/fake-server.ts'
import { SIGNALBOX } from '../harness/process.ts'
import { tempHome } from '../harness/temp-home.ts'
import { modelsOf, oneDaemon } from './one-daemon.ts'

/** `format`, `providers` and `models` are told on the second line of the file. */
async function builtinCounts() {
  const text = await readFile(join(import.meta.dirname, '..', '..', 'data', 'builtin.json'), 'utf8')
  const [header] = JSON.parse(text) as [{ models: number; providers: number }]
  return header
}

describe('an empty home', () => {
  it('lists every built-in model where there is no network at all (CAT-173)', async () => {
    await using home = await tempHome(null)
    const program = join(home.dir, 'offline')
    await writeFile(program, `#!/bin/sh\nexec unshare -rn '${SIGNALBOX}' "$@"\n`)
    await chmod(program, 0o755)
    await using daemon = await startDaemon({ home, program })
    const models = modelsOf(await daemon.overSocket('/api/providers/models'))
    const providers = new Set(models.map(({ provider_id }) => provider_id))
    expect({ models: models.length, providers: providers.size }).toEqual({ models: 8261, providers: 225 })
    expect(await builtinCounts()).toMatchObject({ models: 8261, providers: 225 })
    expect(models.every(({ sources }) => sources.every(({ source_id }) => source_id === 'builtin'))).toBe(true)
  })
})

describe('a list while a source hangs', async () => {
  const server = await startFakeServer({ kind: 'hang' })
  afterAll(() => server.close())
  const daemon = oneDaemon(
    () =>
      `[daemon]\nport = 0\n[model_catalog.sources.models_dev]\nendpoint = "${server.url}/api.json"\ntimeout = "1h"\n`,
  )

  it('answers at once and opens no connection, also where no row is stored (CAT-049)', async () => {
    await server.waitForRequests(1) // the refresh at start, which never ends
    const paths = [
      'models',
      'models?source_id=models_dev',
      'openai/models',
      'models/status',
      'models?include_stale=true',
    ]
    for (const path of paths) expect((await daemon().overTcp(`/api/providers/${path}`)).status).toBe(200)
    expect((await daemon().overTcp('/api/providers/models?source_id=models_dev')).text()).toBe('{"models":[]}\n')
    expect((await daemon().overTcp('/api/openai/v1/models')).status).toBe(200)
    expect((await daemon().overTcp('/api/explain?provider_id=openai&model_id=gpt-5.2')).status).toBe(200)
    expect(server.requests.length).toBe(1)
  })
})
