import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { acquireLock } from './instance-lock.ts'

let dir: string
let file: string
let children: ChildProcess[]
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'signalbox-lock-'))
  file = join(dir, 'daemon.lock')
  children = []
})
afterEach(async () => {
  await Promise.all(children.map((child) => end(child, 'SIGKILL')))
  rmSync(dir, { recursive: true, force: true })
})

async function contender(): Promise<ChildProcess> {
  const child = fork(join(import.meta.dirname, 'instance-lock.contender.ts'), [file], { execArgv: [] })
  children.push(child)
  await once(child, 'message')
  return child
}

async function ask(child: ChildProcess, command: string): Promise<unknown> {
  const answer = once(child, 'message')
  child.send(command)
  return (await answer)[0]
}

async function end(child: ChildProcess, how: NodeJS.Signals | 'exit'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  if (how === 'exit') child.send('exit')
  else child.kill(how)
  await ended
}

describe('the instance lock', { timeout: 60_000 }, () => {
  it('is held by one process and refused to another until it is released (CAT-191)', async () => {
    const other = await contender()
    expect(await ask(other, 'try')).toBe('won')
    expect(acquireLock(file)).toBeNull()
    expect(await ask(other, 'release')).toBe('released')
    using lock = acquireLock(file)
    expect(lock).not.toBeNull()
    expect(await ask(other, 'try')).toBe('lost')
  })

  it('can be taken again after release, and releasing twice is harmless', () => {
    const first = acquireLock(file)
    expect(acquireLock(file)).toBeNull()
    first?.release()
    first?.release()
    using second = acquireLock(file)
    expect(second).not.toBeNull()
  })

  for (const how of ['exit', 'SIGTERM', 'SIGKILL'] as const) {
    it(`ends with its process by ${how} (CAT-191)`, async () => {
      const other = await contender()
      expect(await ask(other, 'try')).toBe('won')
      expect(acquireLock(file)).toBeNull()
      await end(other, how)
      using lock = acquireLock(file)
      expect(lock).not.toBeNull()
    })
  }

  it('is not inherited: a child that outlives the killed holder does not hold it (CAT-191)', async () => {
    const holder = await contender()
    expect(await ask(holder, 'try')).toBe('won')
    const { child: pid } = (await ask(holder, 'parent')) as { child: number }
    try {
      await end(holder, 'SIGKILL')
      expect(process.kill(pid, 0)).toBe(true)
      using lock = acquireLock(file)
      expect(lock).not.toBeNull()
    } finally {
      process.kill(pid, 'SIGKILL')
    }
  })

  it('goes to exactly one of 20 contenders (CAT-191)', async () => {
    const all = await Promise.all(Array.from({ length: 20 }, contender))
    for (let round = 0; round < 5; round += 1) {
      const outcomes = await Promise.all(all.map((child) => ask(child, 'try')))
      expect(outcomes.filter((outcome) => outcome === 'won')).toHaveLength(1)
      await Promise.all(all.map((child) => ask(child, 'release')))
    }
  })

  it('goes to exactly one of 20 contenders also while the file is garbage (CAT-191)', async () => {
    const all = await Promise.all(Array.from({ length: 20 }, contender))
    writeFileSync(file, 'garbage '.repeat(1000))
    const outcomes = await Promise.all(all.map((child) => ask(child, 'try')))
    expect(outcomes.filter((outcome) => outcome === 'won')).toHaveLength(1)
  })

  for (const [what, content] of [
    ['empty', ''],
    ['a few bytes', '4711\n'],
    ['not a database', 'x'.repeat(10_000)],
  ] as const) {
    it(`works when the file is ${what}`, async () => {
      writeFileSync(file, content)
      using lock = acquireLock(file)
      expect(lock).not.toBeNull()
      expect(await ask(await contender(), 'try')).toBe('lost')
    })
  }

  it('stays held when somebody overwrites the file (CAT-191)', async () => {
    const holder = await contender()
    expect(await ask(holder, 'try')).toBe('won')
    writeFileSync(file, 'garbage '.repeat(1000))
    expect(acquireLock(file)).toBeNull()
  })

  it('has a file that only its owner can read', () => {
    using _lock = acquireLock(file)
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  it('refuses a symbolic link and a directory, and leaves them untouched', () => {
    const precious = join(dir, 'precious')
    writeFileSync(precious, 'untouched')
    symlinkSync(precious, file)
    expect(() => acquireLock(file)).toThrow(expect.objectContaining({ code: 'unsafe_path' }))
    expect(readFileSync(precious, 'utf8')).toBe('untouched')
    rmSync(file)
    mkdirSync(file)
    expect(() => acquireLock(file)).toThrow(expect.objectContaining({ code: 'unsafe_path' }))
  })

  it('throws, and does not say "held", when the directory is not there', () => {
    expect(() => acquireLock(join(dir, 'nowhere', 'daemon.lock'))).toThrow(/unable to open/)
  })
})
