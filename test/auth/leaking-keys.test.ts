/** A key goes to its provider and into the credential file, encrypted. It must be found nowhere else. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runCli } from '../harness/cli.ts'
import { run, SIGNALBOX } from '../harness/process.ts'
import { keysSeen, openWorld, post, runAfter, takes, type World } from './world.ts'

const GOOD = 'sk-proj-GOODCANARY0123456789abcdef'
const BAD = 'opaque.BADCANARY.0123456789abcdef'

async function filesUnder(dir: string): Promise<string> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  expect(files.some((file) => file.endsWith('.db') || file.includes('catalog'))).toBe(true)
  return (await Promise.all(files.map((file) => readFile(file, 'latin1')))).join('\n')
}

const READS = [
  '/api/auth',
  '/api/auth?all=true',
  '/api/auth?provider_id=openai',
  '/api/config',
  '/api/daemon',
  '/api/providers/models/status',
  '/api/providers/openai/models',
]

async function everythingSaid({ daemon, home, events }: World): Promise<string> {
  const answers: string[] = []
  for (const path of READS)
    for (const accept of ['application/json', 'application/x-ndjson', 'text/plain'])
      answers.push((await daemon.overSocket(path, { headers: { accept } })).text())
  const told = events.seen.map(({ event, data }) => `${event} ${data}`)
  return [...answers, ...told, await filesUnder(home.dir), daemon.stdout(), daemon.stderr()].join('\n')
}

function expectNothingOf(secret: string, text: string): void {
  // Sixteen characters of it would be too many already.
  for (let start = 0; start + 16 <= secret.length; start += 1)
    expect(text).not.toContain(secret.slice(start, start + 16))
}

it('a key is in no answer, event, log, file or output, whether the provider takes it or quotes it back', async () => {
  await using world = await openWorld(takes(GOOD))
  const said: string[] = []
  const cli = async (args: readonly string[], input = '') => {
    const { stdout, stderr } = await runCli(world.home, args, { input })
    said.push(stdout, stderr)
  }
  await runAfter(world, 'failed', () => cli(['auth', 'add', 'openai'], BAD))
  await cli(['auth', 'test', 'openai'])
  await runAfter(world, 'succeeded', () => cli(['auth', 'add', 'openai', '-o', 'json'], GOOD))
  await cli(['auth', 'test', 'openai', '-o', 'json'])
  await cli(['auth', 'list'])
  said.push((await post(world, '/api/auth/openai', { api_key: `${GOOD}\n${BAD}` })).text())
  said.push((await post(world, '/api/auth/openai', { api_key: BAD, name: '/' })).text())
  said.push((await post(world, '/api/auth/openai', { api_key: [GOOD] })).text())
  said.push((await post(world, '/api/auth/nobody-knows', { api_key: BAD })).text())
  expect(keysSeen(world)).toEqual(expect.arrayContaining([`Bearer ${BAD}`, `Bearer ${GOOD}`]))
  const everything = [...said, await everythingSaid(world)].join('\n')
  expect(everything).toContain('credential_rejected')
  expect(everything).toContain('stored:openai/default')
  for (const secret of [GOOD, BAD]) expectNothingOf(secret, everything)
})

it.skipIf(process.platform !== 'linux')('a key is on no command line and in no environment', async () => {
  await using world = await openWorld(takes(GOOD))
  const adding = await run(SIGNALBOX, ['auth', 'add', 'openai'], { env: world.home.env })
  adding.child.stdin?.write(GOOD)
  const processes = [adding.pid, world.daemon.pid]
  for (const pid of processes)
    for (const name of ['cmdline', 'environ']) {
      const text = await readFile(`/proc/${pid}/${name}`, 'latin1')
      expect(text).not.toBe('')
      expectNothingOf(GOOD, text)
    }
  adding.child.stdin?.end()
  expect((await adding.exited).code).toBe(0)
})
