/** One daemon for all tests of a file: `const daemon = oneDaemon({ config })`, then `daemon().overTcp(…)`. */
import { afterAll, beforeAll, expect } from 'vitest'
import { ErrorBody } from '../../packages/contract/src/error-body.ts'
import { ERRORS } from '../../packages/contract/src/errors.ts'
import { Model, ModelList } from '../../packages/contract/src/model.ts'
import { OpenAIErrorBody } from '../../packages/contract/src/openai.ts'
import { StatusList } from '../../packages/contract/src/status.ts'
import { type RunningDaemon, startDaemon } from '../harness/daemon.ts'
import type { Received } from '../harness/http.ts'
import { openEvents } from '../harness/sse.ts'
import { QUIET_CONFIG, type TempHome, tempHome } from '../harness/temp-home.ts'

export function oneDaemon(makeConfig: () => string | Promise<string> = () => QUIET_CONFIG): () => RunningDaemon {
  let home: TempHome | undefined
  let daemon: RunningDaemon | undefined
  beforeAll(async () => {
    home = await tempHome(await makeConfig())
    daemon = await startDaemon({ home })
  })
  afterAll(async () => {
    await daemon?.[Symbol.asyncDispose]()
    await home?.[Symbol.asyncDispose]()
  })
  return () => {
    if (daemon === undefined) throw new Error('the daemon of this file has not started')
    return daemon
  }
}

export const modelsOf = (answer: Received) => {
  expect([answer.status, answer.headers['content-type']]).toEqual([200, 'application/json; charset=utf-8'])
  return ModelList.parse(answer.json()).models
}

/** The only model of a list. */
export const theModel = (answer: Received): Model => {
  const [model, ...others] = modelsOf(answer)
  expect(others).toEqual([])
  return Model.parse(model)
}

export const statusesOf = (answer: Received) => {
  expect(answer.status).toBe(200)
  return StatusList.parse(answer.json()).sources
}

/** The error of a native answer, checked to be one: its shape, a registered code, and that code's status (CAT-140). */
export function errorOf(answer: Received) {
  const { error } = ErrorBody.parse(answer.json())
  const known = Object.entries(ERRORS).find(([code]) => code === error.code)
  expect(known?.[1].status).toBe(answer.status)
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
  return error
}

export function openaiErrorOf(answer: Received) {
  return { status: answer.status, ...OpenAIErrorBody.parse(answer.json()).error }
}

/** What refreshed while `act` ran: ids of requests whose refresh started. Waits for a refresh of its own as the mark. */
export async function refreshesDuring(daemon: RunningDaemon, act: () => Promise<unknown>): Promise<string[]> {
  await using events = await openEvents({ socket: await daemon.home.socket() })
  await act()
  const body = { request_id: 'the-mark', source_id: 'config', force: true }
  expect((await daemon.overSocket('/api/providers/models/refresh', { method: 'POST', body })).status).toBe(200)
  const requestId = (record: unknown) => (record as { refresh_request_id?: string }).refresh_request_id
  await events.waitFor(({ event, json }) => event === 'catalog.refresh.succeeded' && requestId(json()) === 'the-mark')
  const started = events.seen.filter(({ event }) => event === 'catalog.refresh.started')
  return started.map(({ json }) => requestId(json()) ?? '').filter((id) => id !== 'the-mark')
}
