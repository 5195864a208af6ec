import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { loadConfig } from './load.ts'
import { MAX_CONFIG_BYTES } from './parse.ts'

let dir: string
let file: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'signalbox-load-'))
  file = join(dir, 'config.toml')
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

async function problem() {
  const loaded = await loadConfig(file)
  if (loaded.ok) throw new Error('expected a problem')
  expect(loaded.problems).toHaveLength(1)
  return loaded.problems[0]
}

describe('a configuration file', () => {
  it('that is missing means all defaults, as does a missing directory', async () => {
    const missing = await loadConfig(file)
    expect(missing).toMatchObject({ ok: true, config: { daemon: { port: 7365 }, providers: {} } })
    expect(await loadConfig(join(file, 'deeper', 'config.toml'))).toEqual(missing)
  })

  it('is read through a link', async () => {
    writeFileSync(join(dir, 'real.toml'), '[daemon]\nport = 9')
    symlinkSync('real.toml', file)
    expect(await loadConfig(file)).toMatchObject({ ok: true, config: { daemon: { port: 9 } } })
  })

  it('that is a directory is a problem', async () => {
    mkdirSync(file)
    expect(await problem()).toMatchObject({ file, message: 'is a directory' })
  })

  it('that is a named pipe is a problem, and is not waited for', async () => {
    execFileSync('mkfifo', [file])
    expect(await problem()).toMatchObject({ message: 'is not a regular file' })
  })

  it('that is a link to nothing, or to itself, is a problem: defaults would be a guess', async () => {
    symlinkSync('nowhere', file)
    expect((await problem())?.message).toContain('does not exist')
    rmSync(file)
    symlinkSync('config.toml', file)
    expect((await problem())?.message).toContain('ELOOP')
  })

  it('that may not be read is a problem', async () => {
    writeFileSync(file, '')
    chmodSync(file, 0o000)
    const isRoot = process.geteuid?.() === 0
    chmodSync(dir, 0o755)
    // Root may read everything, so it puts that aside.
    if (isRoot) process.seteuid?.(65534)
    try {
      expect((await problem())?.message).toContain('EACCES')
    } finally {
      if (isRoot) process.seteuid?.(0)
    }
  })

  it('of 5 MB is a problem that says how much is allowed', async () => {
    writeFileSync(file, `#${'x'.repeat(5 * MAX_CONFIG_BYTES)}`)
    expect(await problem()).toMatchObject({ message: 'is larger than 1 MiB' })
  })

  it.each([
    ['a byte that starts nothing', [0xff], 2, 6],
    ['a cut character', [0xe2, 0x82], 2, 6],
    ['Latin-1 after UTF-8', [0xc3, 0xa9, 0xe9], 2, 7],
  ])('with %s is a problem at its place', async (_, bytes, line, column) => {
    writeFileSync(file, Buffer.concat([Buffer.from('[daemon]\na = "'), Buffer.from(bytes), Buffer.from('"\n')]))
    expect(await problem()).toMatchObject({ message: 'is not UTF-8 text', line, column })
  })
})
