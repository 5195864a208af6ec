import { request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { SignalboxError } from '@signalbox/contract/errors'

const ANSWER_MS = 2_000
const LOOK_EVERY_MS = 25

/**
 * The error for a home that another daemon owns, naming where that one is. It may still be starting: `patienceMs` is how
 * long to wait until it can say so.
 */
export async function alreadyRunning(socketPath: string, patienceMs: number): Promise<SignalboxError> {
  const end = performance.now() + patienceMs
  let status = await askStatus(socketPath)
  while (status === null && performance.now() < end) {
    await delay(LOOK_EVERY_MS)
    status = await askStatus(socketPath)
  }
  const where =
    status === null
      ? `it has not answered on ${socketPath} yet`
      : `pid ${status.pid}, socket ${status.socket}, ${status.url ?? 'no TCP port'}`
  return new SignalboxError('already_running', `a daemon is already running for this home: ${where}`, {
    hint: 'signalbox daemon status',
  })
}

interface Whereabouts {
  readonly pid: number
  readonly socket: string
  readonly url: string | null
}

function askStatus(socketPath: string): Promise<Whereabouts | null> {
  return new Promise((resolve) => {
    const asked = request({ socketPath, path: '/api/daemon', timeout: ANSWER_MS }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('end', () => resolve(parseStatus(Buffer.concat(chunks).toString())))
      answer.on('error', () => resolve(null))
    })
    asked.on('timeout', () => asked.destroy())
    // Expected: the owner is still starting and does not listen yet.
    asked.on('error', () => resolve(null))
    asked.end()
  })
}

function parseStatus(text: string): Whereabouts | null {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null || !('pid' in value) || !('socket' in value) || !('url' in value))
      return null
    const { pid, socket, url } = value
    return typeof pid === 'number' && typeof socket === 'string'
      ? { pid, socket, url: typeof url === 'string' ? url : null }
      : null
  } catch {
    // Expected: an answer cut short by its end.
    return null
  }
}
