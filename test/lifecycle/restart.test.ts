/** What outlives the process, and what the process outlives. */
import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ModelList } from '../../packages/contract/src/model.ts'
import { startDaemon } from '../harness/daemon.ts'
import { json, startFakeServer } from '../harness/fake-server.ts'
import { overTcpWithoutToken, tokenOf } from '../harness/http.ts'
import { SIGNALBOX } from '../harness/process.ts'
import { QUIET_CONFIG, tempHome } from '../harness/temp-home.ts'
import { until } from '../harness/until.ts'
import { backgroundHome, backgroundHomeAt } from './background-home.ts'

const CATALOG = {
  acme: { name: 'Acme', models: { 'a/1': { id: 'a/1', name: 'One', limit: { context: 8000 } }, b: { id: 'b' } } },
  openai: { models: { 'gpt-from-the-feed': { id: 'gpt-from-the-feed' } } },
}

const BUILTIN_FILE = join(SIGNALBOX, '..', '..', 'data', 'builtin.json')
type BuiltinFile = readonly [{ readonly models: number }, readonly (readonly [string])[]]

const withModelsDev = (url: string) => `[daemon]
port = 0
[model_catalog.sources.models_dev]
endpoint = "${url}/api.json"
[providers.mine.models]
default = "own/model:x"
`

describe('a restart', () => {
  it('keeps every model and status, with the network dead (CAT-001)', async () => {
    await using home = await tempHome()
    const server = await startFakeServer(json(CATALOG))
    const config = withModelsDev(server.url)
    const first = await startDaemon({ home, config })
    await until(
      'the rows of models_dev',
      async () => (await first.overSocket('/api/providers/acme/models')).status === 200,
    )
    const models = (await first.overSocket('/api/providers/models')).text()
    const statuses = (await first.overSocket('/api/providers/models/status?source_id=models_dev')).text()
    expect(models).toContain('gpt-from-the-feed')
    expect(models).toContain('own/model:x')
    expect(await first.stop()).toEqual({ code: 0, signal: null })
    const asked = server.requests.length
    await server.close()

    await using second = await startDaemon({ home })
    expect((await second.overSocket('/api/providers/models')).text()).toBe(models)
    expect((await second.overSocket('/api/providers/models/status?source_id=models_dev')).text()).toBe(statuses)
    expect(asked).toBe(1)
  })

  it('keeps them after kill -9, too (CAT-001)', async () => {
    await using home = await tempHome()
    await using server = await startFakeServer(json(CATALOG))
    const first = await startDaemon({ home, config: withModelsDev(server.url) })
    await until(
      'the rows of models_dev',
      async () => (await first.overSocket('/api/providers/acme/models')).status === 200,
    )
    const models = (await first.overSocket('/api/providers/acme/models')).text()
    await first.stop('SIGKILL')
    await using second = await startDaemon({ home })
    expect((await second.overSocket('/api/providers/acme/models')).text()).toBe(models)
    expect(server.requests).toHaveLength(1)
  })
})

describe('without a network', () => {
  it('signalbox models lists the built-in catalog on an empty home, at once (CAT-173)', async () => {
    await using box = await backgroundHomeAt('not/there/yet')
    // a network namespace of its own; in a user namespace, so that it needs no root
    const options = { program: 'unshare', env: box.home.env }
    const { code, stdout, stderr } = await box.cli(['-rn', SIGNALBOX, 'models', '-o', 'json'], options)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const { models }: ModelList = JSON.parse(stdout)
    const [{ models: count }, providers]: BuiltinFile = JSON.parse(await readFile(BUILTIN_FILE, 'utf8'))
    expect(models).toHaveLength(count)
    expect(new Set(models.map(({ provider_id }) => provider_id))).toEqual(new Set(providers.map(([id]) => id)))
    expect(count).toBeGreaterThan(8_000)
  })
})

/** Without a configuration models.dev is asked: this sends it to a port of this machine where nobody listens. */
const NO_NETWORK = { https_proxy: 'http://127.0.0.1:9' }

describe('a daemon whose home is deleted', () => {
  it('goes on, and ends as it should', async () => {
    await using home = await tempHome()
    const config = `${QUIET_CONFIG}[providers.mine.models]\ndefault = "m"\n`
    const daemon = await startDaemon({ home, config, env: NO_NETWORK })
    const headers = { authorization: `Bearer ${await tokenOf(home)}` }
    const ask = (path: string, body?: Record<string, unknown>) =>
      overTcpWithoutToken(daemon.url, path, body === undefined ? { headers } : { headers, method: 'POST', body })
    await rm(home.dir, { recursive: true })
    expect((await ask('/api/providers/openai/models')).status).toBe(200)
    expect((await ask('/api/providers/models/refresh', { force: true })).status).toBe(200)
    expect((await ask('/api/config/check')).status).toBe(200)
    await until('the missing configuration to be noticed', async () => {
      const answer = await ask('/api/providers/mine/models')
      return answer.status === 404
    })
    expect((await ask('/api/daemon')).json()).toMatchObject({ pid: daemon.pid, config_problems: [] })
    expect(await daemon.stop()).toEqual({ code: 0, signal: null })
    expect(daemon.stderr()).toBe('')
  })

  it('does not stand in the way of the next one on the same path', async () => {
    await using box = await backgroundHome()
    await using old = await startDaemon({ home: box.home, env: NO_NETWORK })
    await rm(box.home.dir, { recursive: true })
    await mkdir(box.home.dir)
    await box.home.configure(QUIET_CONFIG)
    expect(await box.cli(['models', 'openai'])).toMatchObject({ code: 0, stderr: '' })
    const next = await box.status()
    expect(next?.pid).not.toBe(old.pid)
    expect(await old.stop()).toEqual({ code: 0, signal: null })
    expect(await box.status()).toEqual(next)
  })
})
