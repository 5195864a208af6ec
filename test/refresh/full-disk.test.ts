/** A full and a read-only disk, real ones: a tmpfs in a mount namespace. Where that is not allowed these tests fail. */
import { mkdtemp, rmdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { run } from '../harness/process.ts'
import { within } from '../harness/until.ts'

const PROGRAM = fileURLToPath(new URL('./full-disk.child.ts', import.meta.url))
const MOUNT_AND_RUN = 'mount -t tmpfs -o size=12m none "$1" && TMPDIR="$1" exec "$2" "$3" "$4" "$1"'
/** Whoever is not root becomes root of a user namespace, and may then mount too. */
const UNSHARE = process.getuid?.() === 0 ? ['--mount'] : ['--mount', '--map-root-user']

async function outcome(scenario: 'full' | 'read-only'): Promise<Record<string, unknown>> {
  const disk = await mkdtemp(join(tmpdir(), 'sb-disk-'))
  try {
    const args = [...UNSHARE, 'sh', '-c', MOUNT_AND_RUN, 'sh', disk, process.execPath, PROGRAM, scenario]
    const child = await run('unshare', args, { env: process.env })
    const { code } = await within(scenario, child.exited, 18_000)
    expect([code, child.stderr()]).toEqual([0, ''])
    return JSON.parse(child.stdout())
  } finally {
    await rmdir(disk)
  }
}

const PERSISTED = { persisted: true, persistence_problem: null }

it('serves new rows from memory on a full disk, says so, and stores them when there is room (CAT-157)', async () => {
  const result = await outcome('full')
  expect(result).toMatchObject({
    before: PERSISTED,
    refreshed: 200,
    during: { persisted: false, persistence_problem: expect.stringMatching(/full.*not persisted/) },
    listed: '4000',
    after: PERSISTED,
    restarted: '4000',
  })
  expect(result.cli).toMatch(/not persisted/)
})

it('serves stored and new rows on a read-only disk, and says that they are not kept (CAT-157)', async () => {
  const result = await outcome('read-only')
  expect(result).toMatchObject({
    before: PERSISTED,
    stored: '3',
    refreshed: 200,
    during: { persisted: false, persistence_problem: expect.stringMatching(/read-only.*not persisted/) },
    listed: '5',
    restarted: '3',
  })
  expect(result.cli).toMatch(/not persisted/)
  expect(result.greeting).toMatch(/not persisted/)
})
