import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createLogFile } from './log-file.ts'

let dir: string
let file: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'signalbox-log-'))
  file = join(dir, 'logs', 'daemon.log')
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

const now = () => Date.UTC(2026, 0, 2, 3, 4, 5)
const lines = (path: string) => readFileSync(path, 'utf8').split('\n').slice(0, -1)
const mode = (path: string) => statSync(path).mode & 0o777

describe('the log file', () => {
  it('is made with mode 0600 in a directory of mode 0700, one line per record (CAT-133)', () => {
    const log = createLogFile({ file, now })
    log.append('{"n":1}')
    log.append('{"n":2}')
    expect(readFileSync(file, 'utf8')).toBe('{"n":1}\n{"n":2}\n')
    expect(mode(file)).toBe(0o600)
    expect(mode(join(dir, 'logs'))).toBe(0o700)
  })

  it('keeps what earlier runs wrote, and takes a wider mode away', () => {
    mkdirSync(join(dir, 'logs'))
    writeFileSync(file, 'before\n')
    chmodSync(file, 0o644)
    createLogFile({ file, now }).append('after')
    expect(lines(file)).toEqual(['before', 'after'])
    expect(mode(file)).toBe(0o600)
  })

  it('is rotated before it grows beyond its size, and the oldest goes', () => {
    const log = createLogFile({ file, now, maxBytes: 10, keep: 3 })
    for (const line of ['aaaa', 'bbbb', 'cccc', 'dddd', 'eeee', 'ffff', 'gggg', 'hhhh', 'iiii']) log.append(line)
    expect(lines(file)).toEqual(['iiii'])
    expect(lines(`${file}.1`)).toEqual(['gggg', 'hhhh'])
    expect(lines(`${file}.2`)).toEqual(['eeee', 'ffff'])
    expect(existsSync(`${file}.3`)).toBe(false)
    expect(log.lost).toBe(0)
  })

  it('takes a line that is longer than a whole file', () => {
    const log = createLogFile({ file, now, maxBytes: 10 })
    log.append('x'.repeat(50))
    log.append('y')
    expect(lines(file)).toEqual(['y'])
    expect(lines(`${file}.1`)).toEqual(['x'.repeat(50)])
  })

  it('rotates at 5 MiB unless told otherwise', () => {
    const log = createLogFile({ file, now })
    const half = 'x'.repeat(2.5 * 1024 * 1024 - 1)
    log.append(half)
    log.append(half)
    expect(statSync(file).size).toBe(5 * 1024 * 1024)
    log.append('next')
    expect(lines(file)).toEqual(['next'])
  })

  it('is made anew when somebody moves it away', () => {
    const log = createLogFile({ file, now })
    log.append('one')
    rmSync(join(dir, 'logs'), { recursive: true })
    log.append('two')
    expect(lines(file)).toEqual(['two'])
  })

  it('counts the lines that it cannot write, never throws, and tells of them in the next that succeeds', () => {
    mkdirSync(file, { recursive: true })
    const log = createLogFile({ file, now })
    log.append('lost 1')
    log.append('lost 2')
    expect(log.lost).toBe(2)
    rmdirSync(file)
    log.append('kept')
    log.append('also kept')
    const [note = '', ...rest] = lines(file)
    expect(JSON.parse(note)).toEqual({
      time: '2026-01-02T03:04:05.000Z',
      level: 'error',
      event: 'daemon.fault',
      error: '2 log lines could not be written: EISDIR',
    })
    expect(rest).toEqual(['kept', 'also kept'])
    expect(log.lost).toBe(0)
  })

  it.runIf(existsSync('/dev/full'))('survives a full disk', () => {
    const log = createLogFile({ file: '/dev/full', now })
    log.append('lost')
    expect(log.lost).toBe(1)
  })

  it('does not follow a link to somewhere else', () => {
    mkdirSync(join(dir, 'logs'))
    writeFileSync(join(dir, 'precious'), 'untouched')
    symlinkSync(join(dir, 'precious'), file)
    const log = createLogFile({ file, now })
    log.append('line')
    expect(log.lost).toBe(1)
    expect(readFileSync(join(dir, 'precious'), 'utf8')).toBe('untouched')
  })
})
