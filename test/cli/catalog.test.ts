/** The catalog commands of the real program against the real daemon: the same bytes as HTTP, and tables for people. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Model } from '../../packages/contract/src/model.ts'
import { SourceStatus } from '../../packages/contract/src/status.ts'
import { type CliOptions, runCli } from '../harness/cli.ts'
import { type RunningDaemon, startDaemon } from '../harness/daemon.ts'
import { type FakeServer, json, startFakeServer } from '../harness/fake-server.ts'
import { type TempHome, tempHome } from '../harness/temp-home.ts'
import { until } from '../harness/until.ts'

const CATALOG = { acme: { models: { 'a/1:x': { id: 'a/1:x', name: 'One' } } }, zeta: { models: { z: { id: 'z' } } } }
const config = (url: string) => `[daemon]
port = 0
[model_catalog.sources.models_dev]
endpoint = "${url}/api.json"
[providers.mine.models]
default = "own/model:x"
`

let home: TempHome
let server: FakeServer
let daemon: RunningDaemon
beforeAll(async () => {
  server = await startFakeServer(json(CATALOG))
  home = await tempHome()
  daemon = await startDaemon({ home, config: config(server.url) })
  await until(
    'the rows of models_dev',
    async () => (await daemon.overSocket('/api/providers/acme/models')).status === 200,
  )
})
afterAll(async () => {
  await daemon.stop()
  await home[Symbol.asyncDispose]()
  await server.close()
})

const cli = (args: string, options?: CliOptions) => runCli(home, [...args.split(' '), '--no-start'], options)
const lines = (text: string) => text.trimEnd().split('\n')
const ESC = '\u001b'

/** Command, path and query that mean the same. */
const READS = [
  ['provider models list', '/api/providers/models'],
  ['provider models list acme', '/api/providers/acme/models'],
  ['provider models list --source models_dev', '/api/providers/models?source_id=models_dev'],
  ['provider models list openai --include-stale', '/api/providers/openai/models?include_stale=true'],
  ['provider models list openai -q GPT-5 --limit 3', '/api/providers/openai/models?q=GPT-5&limit=3'],
  ['provider models list --available true', '/api/providers/models?available=true'],
  ['provider models list mine --source config --refresh', '/api/providers/mine/models?source_id=config&refresh=true'],
  ['provider models status', '/api/providers/models/status'],
  ['provider models status acme', '/api/providers/acme/models/status'],
  ['provider models status openai --source builtin', '/api/providers/openai/models/status?source_id=builtin'],
] as const

describe('-o json', () => {
  it.each(READS)(
    'of "%s" is the body of GET %s, on TCP and on the socket (CAT-102 CAT-104 CAT-105)',
    async (command, path) => {
      const { code, stdout, stderr } = await cli(`${command} -o json`)
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      const answers = await Promise.all([daemon.overTcp(path), daemon.overSocket(path)])
      for (const answer of answers) {
        expect(answer.status).toBe(200)
        expect(stdout === answer.text()).toBe(true) // megabytes: not worth a diff
      }
    },
  )

  it('of a refresh is the body of POST, on TCP and on the socket (CAT-103 CAT-105)', async () => {
    // models_dev is fresh, so nothing is asked and the statuses stand still
    const body = { source_id: 'models_dev', request_id: 'req-1' }
    for (const [scope, path] of [
      ['', '/api/providers/models/refresh'],
      [' acme', '/api/providers/acme/models/refresh'],
    ]) {
      const { code, stdout } = await cli(
        `provider models refresh${scope} --source models_dev --request-id req-1 -o json`,
      )
      expect(code).toBe(0)
      expect(JSON.parse(stdout)).toMatchObject({
        refresh_request_id: 'req-1',
        sources: [{ source_id: 'models_dev' }, ...(scope === '' ? [{}] : [])],
      })
      for (const send of [daemon.overTcp, daemon.overSocket])
        expect(stdout).toBe((await send(path ?? '', { method: 'POST', body })).text())
    }
  })

  it('of an unknown provider is nothing on stdout and the error body on stderr (CAT-105)', async () => {
    const { code, stdout, stderr } = await cli('provider models list acne -o json')
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    const answer = await daemon.overSocket('/api/providers/acne/models')
    expect(stderr).toBe(answer.text())
    expect(answer.json()).toMatchObject({
      error: { code: 'unknown_provider', candidates: expect.arrayContaining(['acme']) },
    })
  })
})

describe('signalbox models', () => {
  it.each(READS.filter(([command]) => command.includes(' list')))(
    'has the flags and the bytes of "%s" (CAT-108)',
    async (command) => {
      const alias = command.replace('provider models list', 'models')
      const [ours, theirs] = await Promise.all([cli(`${alias} -o json`), cli(`${command} -o json`)])
      expect(ours.code).toBe(0)
      expect(ours.stdout === theirs.stdout).toBe(true)
    },
  )

  it('prints the same table, too (CAT-108)', async () => {
    expect((await cli('models acme')).stdout).toBe((await cli('provider models list acme')).stdout)
  })
})

describe('-o jsonl', () => {
  it('prints one model per line, the same ones as -o json (CAT-106)', async () => {
    const [jsonl, whole] = await Promise.all([cli('models openai -o jsonl'), cli('models openai -o json')])
    const models = lines(jsonl.stdout).map((line) => Model.parse(JSON.parse(line)))
    expect(models).toEqual(JSON.parse(whole.stdout).models)
  })

  it('prints one status per line, for status and refresh (CAT-106)', async () => {
    const { sources } = JSON.parse((await cli('provider models status openai -o json')).stdout)
    const status = await cli('provider models status openai -o jsonl')
    expect(lines(status.stdout).map((line) => SourceStatus.parse(JSON.parse(line)))).toEqual(sources)
    const refresh = await cli('provider models refresh --source models_dev -o jsonl')
    expect(lines(refresh.stdout).map((line) => JSON.parse(line).provider_id)).toEqual(['acme', 'zeta'])
  })
})

describe('a table', () => {
  it('is the default, has a line per model and says unknown where nothing proves availability (CAT-106)', async () => {
    const { stdout } = await cli('models acme')
    expect(stdout).toBe((await cli('models acme -o table')).stdout)
    const [head, row, ...rest] = lines(stdout)
    expect(head).toMatch(/^MODEL .*AVAILABLE$/)
    expect(row).toMatch(/^a\/1:x .* unknown$/)
    expect(rest).toEqual([])
    expect(lines((await cli('models -q own/model:x')).stdout)[1]).toMatch(/^mine +own\/model:x .* unknown$/)
  })

  it('has colour on a terminal only, and NO_COLOR turns it off (CAT-106)', async () => {
    const [terminal, piped, plain] = await Promise.all([
      cli('models acme', { tty: true, env: { TERM: 'xterm' } }),
      cli('models acme', { env: { TERM: 'xterm' } }),
      cli('models acme', { tty: true, env: { TERM: 'xterm', NO_COLOR: '1' } }),
    ])
    expect(terminal.stdout).toContain(`${ESC}[2munknown${ESC}[0m`)
    expect(piped.stdout).not.toContain(ESC)
    expect(plain.stdout).not.toContain(ESC)
    expect(plain.stdout).toMatch(/a\/1:x .* unknown/)
  })

  it('of JSON has no colour on a terminal either (CAT-106)', async () => {
    const { stdout } = await cli('models acme -o json', { tty: true, env: { TERM: 'xterm' } })
    expect(stdout).not.toContain(ESC)
  })

  it('of statuses works with and without a provider (CAT-104)', async () => {
    const one = lines((await cli('provider models status acme')).stdout)
    expect(one[1]).toMatch(/models_dev +succeeded +1 +no/)
    const all = lines((await cli('provider models status')).stdout)
    expect(all.length).toBeGreaterThan(225)
  })
})

describe('a refresh', () => {
  it('tells how each source fared and exits 0 when one succeeded (CAT-103 CAT-107)', async () => {
    const before = server.requests.length
    const { code, stdout, stderr } = await cli('provider models refresh --force --source models_dev --request-id req-2')
    expect(code).toBe(0)
    expect(lines(stdout).map((line) => line.split(/ +/).slice(0, 3))).toEqual([
      ['PROVIDER', 'SOURCE', 'STATE'],
      ['acme', 'models_dev', 'succeeded'],
      ['zeta', 'models_dev', 'succeeded'],
    ])
    expect(stderr).toContain('models_dev: 2 models')
    expect(server.requests.length).toBe(before + 1)
    const logged = await cli('logs -n 20 -o json')
    expect(logged.stdout).toContain('"refresh_request_id":"req-2"')
  })

  it('exits 0 when nothing had to be asked (CAT-107)', async () => {
    const before = server.requests.length
    expect(await cli('provider models refresh --source models_dev')).toMatchObject({ code: 0 })
    expect(server.requests.length).toBe(before)
  })

  it('prints every status and exits 1 when all failed but earlier rows stay (CAT-107)', async () => {
    server.answerOnce({ kind: 'reply', status: 500, body: 'no' })
    const { code, stdout } = await cli('provider models refresh --force --source models_dev -o jsonl --quiet')
    expect(code).toBe(1)
    expect(lines(stdout).map((line) => JSON.parse(line))).toMatchObject([
      { provider_id: 'acme', refresh_state: 'failed', row_count: 1, stale: true },
      { provider_id: 'zeta', refresh_state: 'failed', row_count: 1, stale: true },
    ])
    expect((await cli('models acme')).stdout).toContain('a/1:x')
    expect((await cli('provider models refresh --force --source models_dev')).code).toBe(0)
  })

  it('prints every status and exits 1 when all failed and nothing is left (CAT-107)', async () => {
    await using empty = await tempHome()
    await using broken = await startFakeServer({ kind: 'reply', status: 500, body: 'no' })
    await using _daemon = await startDaemon({ home: empty, config: config(broken.url) })
    const args = ['provider', 'models', 'refresh', '--force', '--source', 'models_dev', '-o', 'json']
    const { code, stdout, stderr } = await runCli(empty, args)
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({
      error: { code: 'all_sources_failed' },
      sources: [{ source_id: 'models_dev', refresh_state: 'failed', row_count: 0 }],
    })
    expect(stderr).toContain('all_sources_failed')
  })
})

describe('explain', () => {
  it.each([
    ['acme/a/1:x', 'provider_id=acme&model_id=a%2F1%3Ax'],
    ['mine/own/model:x', 'provider_id=mine&model_id=own%2Fmodel%3Ax'],
  ])('%s splits at the first slash, and -o json is the HTTP body (CAT-170)', async (name, query) => {
    const { code, stdout } = await cli(`explain ${name} -o json`)
    expect(code).toBe(0)
    for (const send of [daemon.overTcp, daemon.overSocket])
      expect(stdout).toBe((await send(`/api/explain?${query}`)).text())
    expect(JSON.parse(stdout)).toMatchObject({
      provider_id: name.split('/')[0],
      model_id: name.slice(name.indexOf('/') + 1),
    })
    const table = await cli(`explain ${name}`)
    expect(lines(table.stdout)[0]).toBe(name)
    expect(table.stdout).toMatch(/^available +unknown/m)
  })

  it('names the nearest models when there is none of that name (CAT-170)', async () => {
    const { code, stdout, stderr } = await cli('explain acme/a/1:y')
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain('did you mean: acme/a/1:x')
  })
})
