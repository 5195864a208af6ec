/** Who else could reach the daemon: other users by the socket, other machines by the network. */
import { stat } from 'node:fs/promises'
import { connect } from 'node:net'
import { networkInterfaces } from 'node:os'
import { dirname } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runCli } from '../../harness/cli.ts'
import { QUIET_CONFIG, tempHome } from '../../harness/temp-home.ts'
import { oneDaemon } from '../one-daemon.ts'

const daemon = oneDaemon()
const modeOf = async (path: string) => (await stat(path)).mode & 0o777

describe('the socket', () => {
  it('is for its owner only, in a directory for its owner only (CAT-199)', async () => {
    const socket = await daemon().home.socket()
    expect(await modeOf(socket)).toBe(0o600)
    expect(await modeOf(dirname(socket))).toBe(0o700)
  })
})

describe('the TCP listener', () => {
  it('is on loopback and on no other address of this machine (CAT-196)', async () => {
    const { hostname, port } = new URL(daemon().url)
    expect(hostname).toBe('127.0.0.1')
    const others = Object.values(networkInterfaces())
      .flatMap((list) => list ?? [])
      .filter(({ internal, family }) => !internal && family === 'IPv4')
    for (const { address } of others) {
      const outcome = await new Promise((resolve) => {
        const connection = connect(Number(port), address)
        connection
          .once('connect', () => resolve('connected'))
          .once('error', (error: NodeJS.ErrnoException) => resolve(error.code))
        connection.once('close', () => connection.destroy())
      })
      expect(outcome).not.toBe('connected')
    }
  })

  it.each(['0.0.0.0', '::', '192.168.1.5', 'evil.example', '127.0.0.1.evil', '', '127.0.0.2'])(
    'is refused on "%s" (CAT-196)',
    async (host) => {
      await using home = await tempHome(QUIET_CONFIG.replace('port = 0', `port = 0\nhost = "${host}"`))
      const started = await runCli(home, ['daemon', 'run'])
      expect(started.code).toBe(1)
      expect(started.stderr).toContain('config.toml:3:8')
      expect(started.stderr).toContain('daemon.host must be a loopback address')
      await expect(home.socket()).rejects.toThrow('no daemon')
    },
  )
})
