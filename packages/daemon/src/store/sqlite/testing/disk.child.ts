/** Runs one scenario on a small disk of its own and prints what happened as JSON. Arguments: scenario, mount point. */
import { execFileSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { list, row } from '../../store.samples.ts'
import type { Store } from '../../store.ts'
import { StoreWriteError } from '../../store-write-error.ts'
import { openStore } from '../open.ts'

const [scenario = '', disk = ''] = process.argv.slice(2)
const file = join(disk, 'catalog.db')
const filler = join(disk, 'filler')

const rows = Array.from({ length: 100 }, (_, i) => row(`m${i}`, { display_name: 'x'.repeat(200) }))
const commit = (store: Store, seq: number) =>
  store.commit({ lists: [list('models_dev', `p${seq}`, rows, { refreshed_at: seq })], notes: { seq: String(seq) } })

/** The number of lists, all of whose rows are there, and the last number noted. */
const held = (store: Store) => ({
  lists: store.load().lists.filter((one) => one.rows.length === rows.length).length,
  seq: Number(store.note('seq') ?? 0),
})

function refusal(store: Store, seq: number): string | null {
  try {
    commit(store, seq)
    return null
  } catch (error) {
    if (error instanceof StoreWriteError) return error.reason
    throw error
  }
}

function fillUp(): void {
  try {
    writeFileSync(filler, Buffer.alloc(64 * 1024 * 1024))
  } catch (error) {
    // Expected: the disk is full, which is the point.
    if (!(error instanceof Error) || !('code' in error) || error.code !== 'ENOSPC') throw error
  }
}

const remount = (mode: 'ro' | 'rw') => execFileSync('sh', ['-c', 'mount -o "remount,$1" "$2"', 'sh', mode, disk])

function open() {
  const { store, setAside, problem } = openStore(file, 0)
  return { store, setAside, problem }
}

function stored(count: number): void {
  const { store } = open()
  for (let seq = 1; seq <= count; seq++) commit(store, seq)
  store.close()
}

/** Leave the -wal as a killed daemon does: by a process that is killed. */
function storedAndKilled(count: number): void {
  try {
    execFileSync(process.execPath, [import.meta.filename, `store ${count} and be killed`, disk], { stdio: 'inherit' })
  } catch (error) {
    if (error instanceof Error && 'signal' in error && error.signal === 'SIGKILL') return
    throw error
  }
  throw new Error('it was not killed')
}

const SCENARIOS: Readonly<Record<string, () => unknown>> = {
  'fills up': () => {
    const { store } = open()
    let acknowledged = 0
    let reason: string | null = null
    while (reason === null && acknowledged < 1_000) {
      reason = refusal(store, acknowledged + 1)
      if (reason === null) acknowledged++
    }
    const during = held(store)
    const again = refusal(store, acknowledged + 1)
    store.close()
    const next = open()
    const after = held(next.store)
    next.store.close()
    return { acknowledged, reason, again, during, after, setAside: next.setAside }
  },
  'is full at the start': () => {
    stored(3)
    fillUp()
    const { store, setAside, problem } = open()
    const reason = refusal(store, 4)
    const full = held(store)
    rmSync(filler)
    const later = refusal(store, 4)
    const freed = held(store)
    store.close()
    return { setAside, problem, reason, full, later, freed }
  },
  'is full after a kill': () => {
    storedAndKilled(3)
    fillUp()
    const { store, setAside } = open()
    const reason = refusal(store, 4)
    const full = held(store)
    rmSync(filler)
    const later = refusal(store, 4)
    store.close()
    return { setAside, reason, full, later }
  },
  'is full and holds no catalog': () => {
    fillUp()
    const { store, problem } = open()
    const reason = refusal(store, 1)
    rmSync(filler)
    const later = refusal(store, 1)
    store.close()
    return { problem, reason, later }
  },
  'is read-only': () => {
    stored(3)
    return readOnly()
  },
  'is read-only after a kill': () => {
    storedAndKilled(3)
    return readOnly()
  },
  'is read-only after a kill and lost its -shm': () => {
    storedAndKilled(3)
    rmSync(`${file}-shm`)
    return readOnly()
  },
  'is read-only and holds no catalog': () => readOnly(),
  'is read-only and holds a damaged catalog': () => {
    writeFileSync(file, 'garbage '.repeat(1_000))
    return readOnly()
  },
  'store 3 and be killed': () => {
    const { store } = open()
    for (let seq = 1; seq <= 3; seq++) commit(store, seq)
    process.kill(process.pid, 'SIGKILL')
  },
}

function readOnly() {
  remount('ro')
  const { store, setAside, problem } = open()
  const reason = refusal(store, 4)
  const locked = held(store)
  remount('rw')
  const later = refusal(store, 4)
  store.close()
  return { setAside, problem, reason, locked, later }
}

const run = SCENARIOS[scenario]
if (run === undefined) throw new Error(`no scenario ${scenario}`)
process.stdout.write(`${JSON.stringify(run())}\n`)
