/** Finding the daemon's socket. */
import { connect, type Socket } from 'node:net'
import { SignalboxError } from '@signalbox/contract/errors'
import { locateHome, trustedRunPaths } from '@signalbox/daemon/platform/home'

/** Nobody listens: no file, no listener, one that closed while we connected, or whose queue is full for the moment. */
const NOBODY = new Set(['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'ENOTDIR', 'EAGAIN'])

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : '')

function cannotOpen(path: string, cause: Error): SignalboxError {
  const message = `the daemon’s socket cannot be opened (${codeOf(cause)})`
  return new SignalboxError('daemon_unavailable', message, { hint: `look at ${path}` }, { cause })
}

function open(path: string): Promise<Socket | null> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket | null>()
  const socket = connect(path)
  // Stays on: between connecting and reading nobody else listens. A later failure is seen by whoever reads.
  socket.on('error', (error) => (NOBODY.has(codeOf(error)) ? resolve(null) : reject(cannotOpen(path, error))))
  socket.once('connect', () => resolve(socket))
  return promise
}

/** A connection to the daemon that runs on this home, or null when none does. */
export async function reach(env: NodeJS.ProcessEnv): Promise<Socket | null> {
  for (const { socket: path } of trustedRunPaths(locateHome(env))) {
    const socket = await open(path)
    if (socket !== null) return socket
  }
  return null
}

export const notRunning = (): SignalboxError =>
  new SignalboxError('daemon_unavailable', 'no daemon runs on this home', { hint: 'signalbox daemon start' })
