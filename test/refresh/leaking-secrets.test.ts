/** A catalog server that puts secrets wherever a careless client would quote them. They must come out nowhere. */
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RunningDaemon, startDaemon } from '../harness/daemon.ts'
import { type EventStream, openEvents } from '../harness/sse.ts'
import { type TempHome, tempHome } from '../harness/temp-home.ts'
import { firstRun, modelsDevConfig, refresh, statuses } from './fake-models-dev.ts'

const CANARY = 'CANARY0123456789abcdef'
const KEY = 'sk-ant-api03-KEYCANARY0123456789abcdef'

interface World extends AsyncDisposable {
  readonly daemon: RunningDaemon
  readonly home: TempHome
  readonly events: EventStream
  answer(listener: RequestListener): void
}

async function open(query: string): Promise<World> {
  let listener: RequestListener = (_, response) => response.writeHead(500).end()
  const server = createServer((request, response) => listener(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // a TCP server has one
  const endpoint = `http://127.0.0.1:${port}/api.json${query}`
  const home = await tempHome(modelsDevConfig({ endpoint, timeout: '2s' }))
  const daemon = await startDaemon({ home })
  const events = await openEvents({ socket: await home.socket() })
  return {
    daemon,
    home,
    events,
    answer: (next) => {
      listener = next
    },
    async [Symbol.asyncDispose]() {
      await events.close()
      await daemon[Symbol.asyncDispose]()
      await home[Symbol.asyncDispose]()
      server.close()
      server.closeAllConnections()
    },
  }
}

/** Every text of every table, but the configuration itself, which the daemon keeps for a start with a broken file. */
function storedTexts(file: string): string {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'notes'").all()
    expect(tables.map(({ name }) => name)).toContain('memories')
    return tables
      .flatMap(({ name }) => database.prepare(`SELECT * FROM ${String(name)}`).all())
      .flatMap((row) => Object.values(row))
      .map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value)))
      .join('\n')
  } finally {
    database.close()
  }
}

async function everythingToldAndKept({ daemon, home, events }: World): Promise<string> {
  const logs = join(home.dir, 'logs')
  const log = await Promise.all((await readdir(logs)).map((name) => readFile(join(logs, name), 'utf8')))
  const told = events.seen.map(({ event, data }) => `${event} ${data}`)
  const shown = JSON.stringify(await statuses(daemon))
  const table = (await daemon.overSocket('/api/providers/models/status', { headers: { accept: 'text/plain' } })).text()
  const stored = storedTexts(home.paths.databaseFile)
  expect(log.join('')).toContain('catalog.refresh.')
  return [...log, ...told, shown, table, stored, daemon.stdout(), daemon.stderr()].join('\n')
}

const secrets = `{"error":"${CANARY}","api_key":"${KEY}","authorization":"Bearer ${KEY}"}`
const json = { 'content-type': 'application/json' }
const answers: readonly (readonly [string, RequestListener])[] = [
  [
    'an error with a status text, headers and a body',
    (_, response) =>
      response
        .writeHead(403, `No ${CANARY} ${KEY}`, { ...json, 'www-authenticate': `Bearer ${KEY}`, 'x-error': CANARY })
        .end(secrets),
  ],
  ['JSON cut short', (_, response) => response.writeHead(200, json).end(secrets.slice(0, -5))],
  ['JSON that is none', (_, response) => response.writeHead(200, json).end(`${CANARY} ${KEY}`)],
  ['a web page', (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(`<html>${secrets}`)],
  [
    'a redirect elsewhere',
    (_, response) => response.writeHead(302, { location: `http://localhost:1/?token=${KEY}&x=${CANARY}` }).end(),
  ],
  ['a redirect to nowhere', (_, response) => response.writeHead(302, { location: `http://[${CANARY}${KEY}` }).end()],
  ['a redirect in circles', (_, response) => response.writeHead(302, { location: `/?token=${KEY}&x=${CANARY}` }).end()],
  [
    'an encoding with a secret name',
    (_, response) => response.writeHead(200, { 'content-encoding': CANARY }).end(secrets),
  ],
  [
    'an answer that breaks off',
    (_, response) =>
      void response.writeHead(200, { ...json, 'content-length': '9999' }).write(secrets, () => response.destroy()),
  ],
  ['no HTTP', (_, response) => void response.socket?.end(`${CANARY} ${KEY}\r\n\r\n${secrets}`)],
  [
    'models without ids',
    (_, response) =>
      response
        .writeHead(200, json)
        .end(JSON.stringify({ acme: { error: CANARY, models: { x: { key: KEY, note: CANARY } } } })),
  ],
]

describe('a catalog server that quotes secrets', () => {
  let world: World
  beforeAll(async () => {
    world = await open(`?key=${KEY}&other=${CANARY}`)
    await firstRun(world.daemon)
  })
  afterAll(() => world[Symbol.asyncDispose]())

  it.each(answers)(
    'with %s has none of it in statuses, events, log, store or output (CAT-076, CAT-077)',
    async (_, listener) => {
      world.answer(listener)
      const answer = await refresh(world.daemon)
      expect(answer.status).toBe(503)
      const [status] = await statuses(world.daemon)
      expect(status?.last_error).toMatch(/./)
      const everything = `${answer.text()}\n${await everythingToldAndKept(world)}`
      // Sixteen characters of it would be too many already.
      for (const secret of [CANARY, KEY]) {
        for (let start = 0; start + 16 <= secret.length; start += 1)
          expect(everything).not.toContain(secret.slice(start, start + 16))
      }
    },
  )

  it('with a good answer has none of it either (CAT-076)', async () => {
    world.answer((_, response) =>
      response.writeHead(200, { ...json, 'x-key': KEY }).end(JSON.stringify({ acme: { models: { a: { id: 'a' } } } })),
    )
    expect((await refresh(world.daemon)).status).toBe(200)
    const everything = await everythingToldAndKept(world)
    expect(everything).toContain('acme')
    expect(everything).not.toContain(CANARY)
    expect(everything).not.toContain(KEY)
  })
})
