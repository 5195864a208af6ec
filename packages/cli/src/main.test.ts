import { once } from 'node:events'
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type BuiltCli, buildCli, finish, newHome } from './built-cli.cases.ts'
import { always, errorJson, standIn } from './stand-in.cases.ts'

let cli: BuiltCli
let home: string
beforeAll(async () => {
  cli = await buildCli()
})
afterAll(() => cli[Symbol.dispose]())
beforeEach(() => {
  home = newHome()
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

describe('a command that shows', () => {
  it('sends what the flags mean (CAT-102, CAT-108)', async () => {
    await using daemon = await standIn(home, always(200, 'ok\n'))
    const flags = [
      '--source',
      'provider_live:openai',
      '--refresh',
      '--include-stale',
      '--available',
      'unknown',
      '--limit',
      '7',
      '-q',
      'a b&c=d/é',
    ]
    for (const command of [['models'], ['provider', 'models', 'list']]) {
      expect(await cli.run(home, [...command, 'llama.cpp', ...flags])).toEqual({ code: 0, stdout: 'ok\n', stderr: '' })
    }
    expect(daemon.asked.map(({ method, url }) => `${method} ${url}`)).toEqual(
      Array(2).fill(
        'GET /api/providers/llama.cpp/models?q=a%20b%26c%3Dd%2F%C3%A9&available=unknown&source_id=provider_live%3Aopenai&refresh=true&include_stale=true&limit=7',
      ),
    )
  })

  it.each([
    [['models'], '/api/providers/models'],
    [['provider', 'models', 'status'], '/api/providers/models/status'],
    [
      ['provider', 'models', 'status', 'openai', '--source', 'config'],
      '/api/providers/openai/models/status?source_id=config',
    ],
    [['explain', 'openrouter/qwen/Qwen3:free'], '/api/explain?provider_id=openrouter&model_id=qwen%2FQwen3%3Afree'],
    [['config', 'show'], '/api/config'],
    [['daemon', 'status'], '/api/daemon'],
  ])('%j asks %s (CAT-104, CAT-170)', async (args, url) => {
    await using daemon = await standIn(home, always(200, 'ok\n'))
    expect((await cli.run(home, args)).code).toBe(0)
    expect(daemon.asked).toMatchObject([{ method: 'GET', url }])
  })

  it('asks for the form it will print, and mentions no terminal when there is none (CAT-106)', async () => {
    await using daemon = await standIn(home, always(200, ''))
    for (const format of ['table', 'json', 'jsonl']) await cli.run(home, ['models', '-o', format])
    expect(daemon.asked.map(({ headers }) => headers.accept)).toEqual([
      'text/plain',
      'application/json',
      'application/x-ndjson',
    ])
    expect(daemon.asked.map(({ headers }) => headers['signalbox-terminal'])).toEqual([undefined, undefined, undefined])
    await cli.run(home, ['models'], { FORCE_COLOR: '1' })
    expect(daemon.asked.at(-1)?.headers['signalbox-terminal']).toBe('color=1')
  })

  it('prints the daemon’s bytes untouched, however they are framed (CAT-105)', async () => {
    const bytes = `${JSON.stringify({ models: Array.from({ length: 20_000 }, (_, i) => ({ i, text: 'é\u001b\u2028' })) })}\n`
    await using _daemon = await standIn(home, (incoming, outgoing) => {
      if (incoming.url === '/api/providers/models')
        outgoing.writeHead(200, { 'Content-Length': Buffer.byteLength(bytes) }).end(bytes)
      else for (let at = 0; at <= bytes.length; at += 7_001) outgoing.write(bytes.slice(at, at + 7_001))
      outgoing.end()
    })
    expect((await cli.run(home, ['models', '-o', 'json'])).stdout).toBe(bytes)
    expect((await cli.run(home, ['models', 'openai', '-o', 'json'])).stdout).toBe(bytes)
  })

  it('ends quietly when its reader leaves, and stops reading', async () => {
    const closed = Promise.withResolvers<void>()
    await using _daemon = await standIn(home, (_incoming, outgoing) => {
      const more = () => {
        while (outgoing.write('x'.repeat(65_536)));
      }
      outgoing.on('drain', more).on('close', () => closed.resolve())
      more()
    })
    const child = cli.spawn(home, ['models'])
    const ended = once(child, 'close')
    let said = ''
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (said += text))
    await once(child.stdout ?? child, 'data')
    child.stdout?.destroy()
    await closed.promise
    expect([await ended, said]).toEqual([[0, null], ''])
  })

  it('fails when the answer breaks off in the middle', async () => {
    await using _daemon = await standIn(home, (_incoming, outgoing) => {
      outgoing.writeHead(200, { 'Content-Length': 1000 })
      outgoing.write('half', () => outgoing.destroy())
    })
    const run = await cli.run(home, ['models', '-o', 'json'])
    expect(run).toMatchObject({ code: 3, stdout: 'half' })
    expect(JSON.parse(run.stderr)).toMatchObject({ error: { code: 'daemon_unavailable' } })
  })

  it.each([
    ['what is not HTTP', 'SSH-2.0-OpenSSH\r\n\r\n'],
    ['a head without end', `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(100_000)}`],
    ['nothing', ''],
  ])('fails, and ends, when the socket answers %s', async (_, bytes) => {
    // kept open, except for the last: the CLI must not wait for more
    const server = createServer(
      (socket) => void (bytes === '' ? socket.end() : socket.on('error', () => socket.destroy()).write(bytes)),
    )
    mkdirSync(join(home, 'run'), { mode: 0o700 })
    server.listen(join(home, 'run', 'signalbox.sock'))
    await once(server, 'listening')
    const run = await cli.run(home, ['models'])
    expect(run.code).not.toBe(0)
    expect(run).toMatchObject({ stdout: '', stderr: expect.stringMatching(/^error: /) })
    server.close()
  })

  it('uses the home that --home names', async () => {
    const other = newHome()
    await using daemon = await standIn(other, always(200, 'there\n'))
    expect((await cli.run(home, ['--home', other, 'models'])).stdout).toBe('there\n')
    expect(daemon.asked).toHaveLength(1)
    rmSync(other, { recursive: true })
  })
})

describe('an error answer', () => {
  const unknown = {
    code: 'unknown_provider',
    message: 'no provider is called "opnai"',
    candidates: ['openai', 'opencode'],
    hint: 'signalbox models',
  }

  it('is told in words on stderr, with an empty stdout and the registry’s exit code', async () => {
    await using _daemon = await standIn(home, always(404, errorJson(unknown)))
    expect(await cli.run(home, ['models', 'opnai'])).toEqual({
      code: 1,
      stdout: '',
      stderr: 'error: no provider is called "opnai"\ndid you mean: openai, opencode\nhint: signalbox models\n',
    })
  })

  it.each(['json', 'jsonl'])('is the daemon’s JSON on stderr with -o %s', async (format) => {
    await using _daemon = await standIn(home, always(404, errorJson(unknown)))
    expect(await cli.run(home, ['models', 'opnai', '-o', format])).toEqual({
      code: 1,
      stdout: '',
      stderr: errorJson(unknown),
    })
  })

  it('names the field and what was expected, and exits 2 for a request that was wrong', async () => {
    await using _daemon = await standIn(
      home,
      always(
        400,
        errorJson({ code: 'invalid_request', message: 'not a source', field: 'source_id', expected: 'config' }),
      ),
    )
    expect(await cli.run(home, ['models', '--source', 'extension:x'])).toMatchObject({
      code: 2,
      stderr: 'error: source_id: not a source\nexpected: config\n',
    })
  })

  it('never writes a control character to the terminal (CAT-150)', async () => {
    await using _daemon = await standIn(
      home,
      always(500, errorJson({ code: 'internal', message: 'a\u001b[2J\u009bb\u0007', hint: '\u001b]0;x' })),
    )
    expect((await cli.run(home, ['models'])).stderr).toBe('error: a\\u001b[2J\\u009bb\\u0007\nhint: \\u001b]0;x\n')
    const json = (await cli.run(home, ['models', '-o', 'json'])).stderr
    expect(json).not.toContain('\u009b')
    expect(JSON.parse(json)).toMatchObject({ error: { message: 'a\u001b[2J\u009bb\u0007' } })
  })

  it.each([
    ['an unknown code', 418, errorJson({ code: 'teapot', message: 'short and stout' }), 'error: short and stout\n'],
    ['no JSON', 431, '', 'error: the daemon answered with status 431\nhint: signalbox logs\n'],
    [
      'JSON of another shape',
      500,
      '{"error":"x"}',
      'error: the daemon answered with status 500\nhint: signalbox logs\n',
    ],
  ])('with %s is still told', async (_, status, body, stderr) => {
    await using _daemon = await standIn(home, always(status, body))
    expect(await cli.run(home, ['models'])).toEqual({ code: 1, stdout: '', stderr })
  })
})

describe('a usage error', () => {
  it.each([
    ['modles'],
    ['models', '--sorce', 'x'],
    ['models', ' '],
    ['models', '--limit', 'x'],
    ['models', 'a', 'b'],
    ['explain', 'x'],
    ['provider', 'models', 'refresh', 'X'],
  ])('exits 2 and asks nothing: %j %j %j (CAT-110)', async (...args) => {
    await using daemon = await standIn(home, always(200, 'ok\n'))
    const run = await cli.run(
      home,
      args.filter((arg) => arg !== undefined),
    )
    expect(run).toMatchObject({ code: 2, stdout: '' })
    expect(run.stderr).toMatch(/^error: .*\n(?:.*\n)*hint: signalbox .*--help\n$/)
    expect(daemon.connections()).toBe(0)
  })
})

describe('without a daemon', () => {
  it.each([
    [['models', '--no-start']],
    [['--no-start', 'provider', 'models', 'refresh']],
    [['config', 'check', '--no-start']],
    [['daemon', 'status']],
  ])('%j exits 3 with a hint (CAT-194)', async (args) => {
    expect(await cli.run(home, args)).toEqual({
      code: 3,
      stdout: '',
      stderr: 'error: no daemon runs on this home\nhint: signalbox daemon start\n',
    })
  })

  it('needs none for help, version, config path, completion and logs', async () => {
    expect((await cli.run(home, [])).stdout).toContain('Models\n')
    expect((await cli.run(home, ['version'])).stdout).toMatch(/^signalbox \d+\.\d+\.\d+\n$/)
    expect((await cli.run(home, ['--version'])).stdout).toMatch(/^signalbox \d/)
    expect((await cli.run(home, ['config', 'path'])).stdout).toBe(`${join(home, 'config.toml')}\n`)
    expect(await cli.run(home, ['logs'])).toMatchObject({ code: 0, stdout: '' })
    expect((await cli.run(home, ['daemon', 'stop'])).code).toBe(0)
    for (const shell of ['bash', 'zsh', 'fish'])
      expect((await cli.run(home, ['completion', shell])).stdout).toContain('__complete')
  })

  it('takes a socket that another user could have put there for none', async () => {
    await using daemon = await standIn(home, always(200, 'trust me\n'))
    chmodSync(join(home, 'run'), 0o777)
    expect((await cli.run(home, ['models', '--no-start'])).code).toBe(3)
    expect(daemon.connections()).toBe(0)
  })
})

describe('config check', () => {
  const problem = {
    file: '/h/config.toml',
    line: 3,
    column: 7,
    path: 'daemon.port',
    message: 'wrong\u001b',
    expected: 'a port',
  }

  it('names each problem as file:line:column and exits 1 (CAT-150)', async () => {
    await using _daemon = await standIn(
      home,
      always(
        200,
        `${JSON.stringify({ ok: false, file: problem.file, problems: [problem, { ...problem, line: null, column: null, path: null, expected: null }] })}\n`,
      ),
    )
    expect(await cli.run(home, ['config', 'check'])).toEqual({
      code: 1,
      stdout: '/h/config.toml:3:7: wrong\\u001b\n/h/config.toml: wrong\\u001b\n',
      stderr: '',
    })
  })

  it('prints the daemon’s bytes with -o json and exits 0 when all is well', async () => {
    const body = '{"ok":true, "file":"/h/config.toml","problems":[]}\n'
    await using _daemon = await standIn(home, always(200, body))
    expect(await cli.run(home, ['config', 'check', '-o', 'json'])).toEqual({ code: 0, stdout: body, stderr: '' })
  })
})

describe('logs', () => {
  const line = '{"time":"2026-05-07T18:32:11Z","level":"info","event":"config.loaded","file":"/x"}'

  it('shows the last lines, for people or as they are', async () => {
    mkdirSync(join(home, 'logs'))
    writeFileSync(join(home, 'logs', 'daemon.log'), `old\n${line}\n`)
    expect((await cli.run(home, ['logs', '-n', '1'])).stdout).toBe(
      '2026-05-07 18:32:11  info   config.loaded  file=/x\n',
    )
    expect((await cli.run(home, ['logs', '-o', 'json'])).stdout).toBe(`old\n${line}\n`)
  })

  it('follows with -f until it is interrupted', async () => {
    mkdirSync(join(home, 'logs'))
    writeFileSync(join(home, 'logs', 'daemon.log'), 'one\n')
    const child = cli.spawn(home, ['logs', '-f'])
    const ended = finish(child)
    await once(child.stdout ?? child, 'data')
    writeFileSync(join(home, 'logs', 'daemon.log'), 'two\n', { flag: 'a' })
    await once(child.stdout ?? child, 'data')
    child.kill('SIGINT')
    expect((await ended).stdout).toBe('one\ntwo\n')
  })
})
