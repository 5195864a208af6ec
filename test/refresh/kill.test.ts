/** `kill -9` at random points of a refresh and of a change of the configuration, again and again. */
import { readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { type RunningDaemon, startDaemon } from '../harness/daemon.ts'
import { startFakeServer } from '../harness/fake-server.ts'
import { tempHome } from '../harness/temp-home.ts'
import { configFor, firstRun, modelIds, refresh, serves, statuses } from './fake-models-dev.ts'

const ROUNDS = 12
const PROVIDERS = ['acme', 'beta', 'zeta']

/** Each answer is a generation of its own: every provider has that many rows, `g<n>` and some that stay. */
const generation = (n: number) =>
  Object.fromEntries(PROVIDERS.map((id) => [id, [`g${n}`, ...Array.from({ length: 200 }, (_, k) => `m${k}`)]]))

async function shownGeneration(daemon: RunningDaemon): Promise<number> {
  const marks = await Promise.all(
    PROVIDERS.map(async (id) => (await modelIds(daemon, id)).filter((model) => model.startsWith('g'))),
  )
  // One transaction: never one provider of one answer and another of the next.
  expect(new Set(marks.map((mark) => mark.join())).size).toBe(1)
  expect(marks[0]).toHaveLength(1)
  return Number(marks[0]?.[0]?.slice(1))
}

it('loses no acknowledged row, needs no repair and shows no refresh that nobody runs (CAT-158)', {
  timeout: 60_000,
}, async () => {
  let sent = 0
  await using server = await startFakeServer(() => {
    sent += 1
    return serves(generation(sent))
  })
  await using home = await tempHome(configFor(server))
  const configure = (n: number) => home.configure(`${configFor(server)}\n[providers.mine.models]\ndefault = "c${n}"\n`)
  {
    await using daemon = await startDaemon({ home })
    await firstRun(daemon)
  }
  let acknowledged = 1
  for (let round = 0; round < ROUNDS; round += 1) {
    const daemon = await startDaemon({ home })
    let working: Promise<void> | undefined
    try {
      const asked = server.requests.length
      expect(daemon.status).toMatchObject({ persisted: true, persistence_problem: null, config_problems: [] })
      expect(
        (await statuses(daemon)).map(({ refresh_state, stale, row_count }) => [refresh_state, stale, row_count]),
      ).toEqual(PROVIDERS.map(() => ['succeeded', false, 201]))
      const shown = await shownGeneration(daemon)
      expect(shown).toBeGreaterThanOrEqual(acknowledged)
      expect(shown).toBeLessThanOrEqual(sent)
      if (round > 0) expect(await modelIds(daemon, 'mine')).toEqual([`c${round - 1}`])
      expect(server.requests).toHaveLength(asked)

      const acknowledge = async () => {
        for (;;) {
          const answer = await refresh(daemon)
          if (answer.status !== 200) return
          acknowledged = await shownGeneration(daemon)
        }
      }
      // It is killed: the request in progress fails, whatever it was.
      working = acknowledge().catch(() => undefined)
      await server.waitForRequests(asked + 1)
      await configure(round)
      await pause(Math.random() * 60)
    } finally {
      await daemon.stop('SIGKILL')
      await working
    }
  }
  expect(sent).toBeGreaterThan(ROUNDS)
  expect(await readFile(home.paths.logFile, 'utf8')).not.toMatch(/store\.set_aside|store\.degraded|daemon\.fault/)
})
