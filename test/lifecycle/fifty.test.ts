import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { overSocket } from '../harness/http.ts'
import { run, SIGNALBOX } from '../harness/process.ts'
import { within } from '../harness/until.ts'
import { backgroundHome } from './background-home.ts'

const CLIS = 50
const LIMIT_MS = 50_000

it('fifty CLIs at once on a home without a daemon end with one daemon and fifty right answers (CAT-190)', {
  timeout: LIMIT_MS + 10_000,
}, async () => {
  await using box = await backgroundHome()
  const { home } = box
  const clis = await Promise.all(
    Array.from({ length: CLIS }, () => run(SIGNALBOX, ['models', 'openai', '-o', 'json'], { env: home.env })),
  )
  try {
    const exits = await within('fifty answers', Promise.all(clis.map(({ exited }) => exited)), LIMIT_MS)
    expect(clis.map(({ stderr }) => stderr()).join('')).toBe('')
    expect(exits).toEqual(Array.from({ length: CLIS }, () => ({ code: 0, signal: null })))
  } finally {
    for (const { child } of clis) child.kill('SIGKILL') // none is left when all went well
  }
  const right = (await overSocket(home, '/api/providers/openai/models')).text()
  expect(JSON.parse(right).models.length).toBeGreaterThan(10)
  for (const { stdout } of clis) expect(stdout()).toBe(right)

  const log = (await readFile(home.paths.logFile, 'utf8')).trimEnd().split('\n')
  const started = log
    .map((line): { event: string; pid?: number } => JSON.parse(line))
    .filter(({ event }) => event === 'daemon.started')
  expect(started.map(({ pid }) => pid)).toEqual([(await box.status())?.pid])
})
