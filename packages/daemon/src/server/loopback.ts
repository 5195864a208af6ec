/** Listening on the loopback addresses, and on nothing else. */
import type { Server } from 'node:http'
import { type ConfigFile, DEFAULT_PORT } from '@signalbox/contract/config'
import { SignalboxError } from '@signalbox/contract/errors'
import { systemErrorCode } from '../platform/system-error.ts'
import { listenTcp } from './listeners.ts'

type Address = Pick<ConfigFile['daemon'], 'host' | 'port'>

export interface Listening {
  readonly servers: readonly Server[]
  /** Null where the machine has no loopback interface up: the socket still works. */
  readonly url: string | null
}

/** `localhost` is 127.0.0.1 and, where the machine has IPv6, ::1 on the same port. */
export async function listenOnLoopback(make: () => Server, { host, port }: Address): Promise<Listening> {
  const first = make()
  const address = host === '::1' ? '::1' : '127.0.0.1'
  const taken = await listenOnPort(first, address, port)
  if (taken === null) return { servers: [], url: null }
  const url = `http://${address === '::1' ? '[::1]' : address}:${taken}`
  if (host !== 'localhost') return { servers: [first], url }
  const second = make()
  try {
    await listenTcp(second, '::1', taken)
  } catch (error) {
    // Expected: no IPv6 here, or another program has the port there. IPv4 is what the URL names.
    if (!['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EADDRINUSE'].includes(systemErrorCode(error) ?? '')) throw error
    return { servers: [first], url }
  }
  return { servers: [first, second], url }
}

/** The default port may be another home's: then any free one will do. A port that was asked for must be had. */
async function listenOnPort(server: Server, address: string, port: number): Promise<number | null> {
  try {
    return await listenTcp(server, address, port)
  } catch (error) {
    const code = systemErrorCode(error)
    if (code === 'EADDRNOTAVAIL') return null
    if (code === 'EADDRINUSE' && port === DEFAULT_PORT) return await listenTcp(server, address, 0)
    const why = code === 'EADDRINUSE' ? 'it is taken' : (code ?? String(error))
    throw new SignalboxError('bind_refused', `port ${port} of ${address} cannot be used: ${why}`, {
      field: 'daemon.port',
      hint: 'set another daemon.port in config.toml, or 0 for any free one',
    })
  }
}
