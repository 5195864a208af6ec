import { appendFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { followLines, lastLines } from './log-file.ts'

let dir: string
let file: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'signalbox-logs-'))
  file = join(dir, 'daemon.log')
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

describe('the last lines', () => {
  it('are those at the end of the file, however long the lines are', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(90_000), { maxLength: 6 }), fc.nat(8), async (lengths, count) => {
        const lines = lengths.map((length, i) => `${i}:${'x'.repeat(length)}`)
        writeFileSync(file, lines.map((line) => `${line}\n`).join(''))
        expect(await lastLines(file, count)).toEqual(count === 0 ? [] : lines.slice(-count))
      }),
      { numRuns: 30 },
    )
  })

  it('include one whose end is not written yet', async () => {
    writeFileSync(file, 'a\nb\nhalf')
    expect(await lastLines(file, 2)).toEqual(['b', 'half'])
  })

  it('of a file that is not there are null', async () => {
    expect(await lastLines(file, 5)).toBeNull()
    expect(await lastLines(join(file, 'x'), 5)).toBeNull()
  })
})

describe('following', () => {
  it('goes on through growth, rotation and truncation, and loses nothing', async () => {
    writeFileSync(file, 'one\ntwo\n')
    const lines = followLines(file, 1)
    const next = async () => (await lines.next()).value
    expect(await next()).toBe('two')
    appendFileSync(file, 'thr')
    const third = next()
    appendFileSync(file, 'ee\n')
    expect(await third).toBe('three')
    appendFileSync(file, 'last of the old\n')
    renameSync(file, `${file}.1`)
    writeFileSync(file, 'first of the new\n')
    expect(await next()).toBe('last of the old')
    expect(await next()).toBe('first of the new')
    truncateSync(file)
    appendFileSync(file, 'anew\n')
    expect(await next()).toBe('anew')
    await lines.return(undefined)
  })

  it('waits for a file and a directory that are not there yet', async () => {
    const late = join(dir, 'logs', 'daemon.log')
    const lines = followLines(late, 10)
    const first = lines.next()
    mkdirSync(join(dir, 'logs'))
    writeFileSync(late, 'hello\n')
    expect((await first).value).toBe('hello')
    await lines.return(undefined)
  })
})
