import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SHUTDOWN_SIGNALS } from './signals.ts'

let child: ChildProcess
let heard: unknown[]
beforeEach(async () => {
  heard = []
  child = fork(join(import.meta.dirname, 'signals.child.ts'), [], { execArgv: [] })
  await once(child, 'message')
  child.on('message', (message) => heard.push(message))
})
afterEach(() => {
  child.kill('SIGKILL')
})

async function signal(name: NodeJS.Signals): Promise<void> {
  const answer = once(child, 'message')
  child.kill(name)
  await answer
}

/** A message there and back, sent after the signal was delivered. */
async function roundTrip(message: string): Promise<void> {
  const answer = once(child, 'message')
  child.send(message)
  await answer
}

describe('a shutdown signal', () => {
  for (const name of SHUTDOWN_SIGNALS) {
    it(`${name} calls the handler and leaves the process running`, async () => {
      await signal(name)
      expect(heard).toEqual([name])
      expect(child.exitCode).toBeNull()
    })
  }

  it('calls the handler once, however many follow', async () => {
    await signal('SIGTERM')
    child.kill('SIGTERM')
    child.kill('SIGHUP')
    child.kill('SIGINT')
    await roundTrip('ping')
    await roundTrip('ping')
    expect(heard).toEqual(['SIGTERM', 'done', 'done'])
  })

  it('a second SIGINT ends the process at once with 130, but not its echo through npm', async () => {
    await signal('SIGINT')
    child.kill('SIGINT')
    await roundTrip('still there')
    expect(child.exitCode).toBeNull()
    const ended = once(child, 'exit')
    const impatient = setInterval(() => child.kill('SIGINT'), 50)
    expect(await ended).toEqual([130, null])
    clearInterval(impatient)
  })

  it('has its usual effect again after disposal', async () => {
    await roundTrip('dispose')
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    expect(await ended).toEqual([null, 'SIGTERM'])
    expect(heard).toEqual(['done'])
  })
})
