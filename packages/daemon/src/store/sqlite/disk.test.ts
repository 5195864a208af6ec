/**
 * Full and read-only disks, real ones: each scenario mounts a small tmpfs in a mount namespace of its own (`unshare`).
 * Where that is not allowed these tests fail: they prove what nothing else does.
 */
import { mkdtempSync, rmdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runChild } from './testing/run-child.ts'

const PROGRAM = fileURLToPath(new URL('./testing/disk.child.ts', import.meta.url))
const MOUNT_AND_RUN = 'mount -t tmpfs -o size=1536k none "$1" && exec "$2" "$3" "$4" "$1"'
/** Whoever is not root becomes root of a user namespace, and may then mount too. */
const UNSHARE = process.getuid?.() === 0 ? ['--mount'] : ['--mount', '--map-root-user']

describe('on a disk that takes no writes', () => {
  let disk: string
  beforeEach(() => {
    disk = mkdtempSync(join(tmpdir(), 'signalbox-disk-'))
  })
  afterEach(() => {
    rmdirSync(disk)
  })

  async function outcome(scenario: string): Promise<unknown> {
    const { lines, code } = await runChild([
      'unshare',
      ...UNSHARE,
      'sh',
      '-c',
      MOUNT_AND_RUN,
      'sh',
      disk,
      process.execPath,
      PROGRAM,
      scenario,
    ])
    expect(code).toBe(0)
    return JSON.parse(lines.join('\n'))
  }

  const persists = expect.stringMatching(/not persisted/)

  it('throws a typed error when the disk fills up, and keeps every acknowledged commit (CAT-157)', async () => {
    const result = (await outcome('fills up')) as { readonly acknowledged: number }
    const { acknowledged } = result
    expect(acknowledged).toBeGreaterThan(2)
    const all = { lists: acknowledged, seq: acknowledged }
    expect(result).toEqual({ acknowledged, reason: 'full', again: 'full', during: all, after: all, setAside: null })
  })

  it('serves what is stored from a disk that is full at the start, and stores again when there is room (CAT-157)', async () => {
    const result = (await outcome('is full at the start')) as { readonly problem: string | null }
    const three = { lists: 3, seq: 3 }
    expect(result).toMatchObject({
      setAside: null,
      reason: 'full',
      full: three,
      later: null,
      freed: { lists: 4, seq: 4 },
    })
    expect(result.problem).toMatch(/full.*not persisted/)
  })

  it('serves what a killed daemon left on a disk that is full since (CAT-157)', async () => {
    const full = { lists: 3, seq: 3 }
    expect(await outcome('is full after a kill')).toEqual({ setAside: null, reason: 'full', full, later: null })
  })

  it('starts on a full disk that holds no catalog (CAT-157)', async () => {
    expect(await outcome('is full and holds no catalog')).toEqual({ problem: persists, reason: 'full', later: null })
  })

  it.each(['is read-only', 'is read-only after a kill', 'is read-only after a kill and lost its -shm'])(
    'serves every stored row from a disk that %s (CAT-157)',
    async (scenario) => {
      expect(await outcome(scenario)).toEqual({
        setAside: null,
        problem: expect.stringMatching(/read-only.*not persisted/),
        reason: 'read_only',
        locked: { lists: 3, seq: 3 },
        later: null,
      })
    },
  )

  it('starts on a read-only disk without a catalog (CAT-157)', async () => {
    const none = { lists: 0, seq: 0 }
    expect(await outcome('is read-only and holds no catalog')).toEqual({
      setAside: null,
      problem: persists,
      reason: 'read_only',
      locked: none,
      later: null,
    })
  })

  it('starts on a read-only disk whose catalog is damaged, and leaves it there (CAT-157)', async () => {
    expect(await outcome('is read-only and holds a damaged catalog')).toMatchObject({
      setAside: null,
      problem: persists,
      reason: 'read_only',
    })
  })
})
