import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { claimSocketPath, removeOwnSocket, secureSocket } from './socket.ts'

let dir: string
let path: string
let servers: Server[]
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'signalbox-socket-'))
  path = join(dir, 's.sock')
  servers = []
})
afterEach(async () => {
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
  rmSync(dir, { recursive: true, force: true })
})

async function listen(at: string): Promise<Server> {
  const server = createServer((socket) => socket.destroy())
  servers.push(server)
  server.listen(at)
  await once(server, 'listening')
  return server
}

/** A socket file whose owner was killed. */
async function leaveBehind(at: string): Promise<void> {
  const script = `require('node:net').createServer().listen(process.argv[1], () => process.kill(process.pid, 'SIGKILL'))`
  await once(spawn(process.execPath, ['-e', script, at], { stdio: 'ignore' }), 'exit')
  expect(lstatSync(at).isSocket()).toBe(true)
}

const unsafe = expect.objectContaining({ code: 'unsafe_path' })
const running = expect.objectContaining({ code: 'already_running' })

describe('claiming the socket path', () => {
  it('succeeds where nothing is', async () => {
    await claimSocketPath(path)
    expect(existsSync(path)).toBe(false)
  })

  it('removes a socket that refuses connections, and the path can be listened on (CAT-192)', async () => {
    await leaveBehind(path)
    await claimSocketPath(path)
    expect(existsSync(path)).toBe(false)
    await listen(path)
  })

  it('fails at a socket that accepts, and leaves it working (CAT-192)', async () => {
    const server = await listen(path)
    await expect(claimSocketPath(path)).rejects.toEqual(running)
    const connected = once(server, 'connection')
    await expect(claimSocketPath(path)).rejects.toEqual(running)
    await connected
  })

  it('fails at a socket whose owner is stopped: silence is no proof that it is dead (CAT-192)', async () => {
    const script = `require('node:net').createServer().listen({ path: process.argv[1], backlog: 1 }, () => console.log('up'))`
    const owner = spawn(process.execPath, ['-e', script, path], { stdio: ['ignore', 'pipe', 'ignore'] })
    try {
      await once(owner.stdout, 'data')
      owner.kill('SIGSTOP')
      // The backlog takes a few; from then on nothing answers at all.
      for (let i = 0; i < 5; i += 1) await expect(claimSocketPath(path, 200)).rejects.toEqual(running)
      expect(lstatSync(path).isSocket()).toBe(true)
    } finally {
      const ended = once(owner, 'exit')
      owner.kill('SIGKILL')
      await ended
    }
  })

  it('fails at a regular file and leaves it untouched (CAT-192)', async () => {
    writeFileSync(path, 'precious')
    await expect(claimSocketPath(path)).rejects.toEqual(unsafe)
    expect(readFileSync(path, 'utf8')).toBe('precious')
  })

  it('fails at a directory and leaves it untouched (CAT-192)', async () => {
    mkdirSync(path)
    await expect(claimSocketPath(path)).rejects.toEqual(unsafe)
    expect(lstatSync(path).isDirectory()).toBe(true)
  })

  it('fails at a symbolic link, even to a dead socket, and leaves both untouched (CAT-192)', async () => {
    const target = join(dir, 'dead.sock')
    await leaveBehind(target)
    symlinkSync(target, path)
    await expect(claimSocketPath(path)).rejects.toEqual(unsafe)
    expect(lstatSync(path).isSymbolicLink()).toBe(true)
    expect(lstatSync(target).isSocket()).toBe(true)
  })

  it('fails at a dangling symbolic link (CAT-192)', async () => {
    symlinkSync(join(dir, 'nowhere'), path)
    await expect(claimSocketPath(path)).rejects.toEqual(unsafe)
    expect(lstatSync(path).isSymbolicLink()).toBe(true)
  })
})

describe('our own socket', () => {
  it('gets mode 0600 (CAT-199)', async () => {
    await listen(path)
    const inode = secureSocket(path)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(inode).toBe(statSync(path).ino)
  })

  it('is removed at shutdown', async () => {
    await listen(path)
    removeOwnSocket(path, secureSocket(path))
    expect(existsSync(path)).toBe(false)
    removeOwnSocket(path, 1)
  })

  it('is left when another daemon has put its own there', async () => {
    await listen(path)
    const inode = secureSocket(path)
    const successor = join(dir, 'successor.sock')
    await listen(successor)
    rmSync(path)
    symlinkSync(successor, path)
    removeOwnSocket(path, inode)
    expect(lstatSync(path).isSymbolicLink()).toBe(true)
    removeOwnSocket(successor, inode)
    expect(lstatSync(successor).isSocket()).toBe(true)
  })
})
