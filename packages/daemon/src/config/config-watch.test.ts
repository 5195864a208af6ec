import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type ConfigWatch, type WatchTimes, watchConfig } from './config-watch.ts'

/** A poll so slow that only events can tell. */
const EVENTS_ONLY: WatchTimes = { debounceMs: 5, pollMs: 3_600_000 }
const WITHIN_MS = 2_000

let dir: string
let file: string
let watch: ConfigWatch | undefined
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'signalbox-watch-'))
  file = join(dir, 'config.toml')
})
afterEach(async () => {
  await watch?.[Symbol.asyncDispose]()
  watch = undefined
  rmSync(dir, { recursive: true, force: true })
})

/** Starts watching, and returns a function that waits for the next change. */
async function watching(times?: WatchTimes, path = file) {
  let calls = 0
  let told: (() => void) | undefined
  watch = watchConfig(
    path,
    async () => {
      calls++
      told?.()
    },
    times,
  )
  await watch.ready
  return {
    calls: () => calls,
    changed: async (change: () => void) => {
      const next = new Promise<void>((resolve) => {
        told = resolve
      })
      change()
      await next
    },
    check: watch.check.bind(watch),
  }
}

const saveByRename = (path: string, text: string) => {
  writeFileSync(`${path}.tmp`, text)
  renameSync(`${path}.tmp`, path)
}

interface Scenario {
  readonly name: string
  readonly before: () => void
  readonly change: () => void
  /** Whether file events alone must tell; else the poll may. */
  readonly byEvents: boolean
}

const real = () => join(dir, 'dotfiles', 'signalbox.toml')
const linkToDotfiles = () => {
  mkdirSync(join(dir, 'dotfiles'))
  writeFileSync(real(), 'a = 1')
  symlinkSync(real(), file)
}

const SCENARIOS: readonly Scenario[] = [
  {
    name: 'saved in place',
    before: () => writeFileSync(file, 'a = 1'),
    change: () => writeFileSync(file, 'a = 2'),
    byEvents: true,
  },
  {
    name: 'appended to',
    before: () => writeFileSync(file, 'a = 1'),
    change: () => appendFileSync(file, '\nb = 2'),
    byEvents: true,
  },
  {
    name: 'saved by rename',
    before: () => writeFileSync(file, 'a = 1'),
    change: () => saveByRename(file, 'a = 2'),
    byEvents: true,
  },
  { name: 'created', before: () => {}, change: () => writeFileSync(file, 'a = 1'), byEvents: true },
  { name: 'deleted', before: () => writeFileSync(file, 'a = 1'), change: () => unlinkSync(file), byEvents: true },
  {
    name: 'saved in place behind a link',
    before: linkToDotfiles,
    change: () => writeFileSync(real(), 'a = 2'),
    byEvents: true,
  },
  {
    name: 'saved by rename behind a link',
    before: linkToDotfiles,
    change: () => saveByRename(real(), 'a = 2'),
    byEvents: true,
  },
  {
    name: 'a link that is re-pointed',
    before: linkToDotfiles,
    change: () => {
      writeFileSync(join(dir, 'other.toml'), 'a = 2')
      symlinkSync('other.toml', `${file}.tmp`)
      renameSync(`${file}.tmp`, file)
    },
    byEvents: true,
  },
  {
    name: 'in a directory behind a link that is re-pointed',
    before: () => {
      for (const version of ['1', '2']) {
        mkdirSync(join(dir, version))
        writeFileSync(join(dir, version, 'config.toml'), `a = ${version}`)
      }
      symlinkSync('1', join(dir, 'now'))
      symlinkSync('now/config.toml', file)
    },
    change: () => {
      symlinkSync('2', join(dir, 'next'))
      renameSync(join(dir, 'next'), join(dir, 'now'))
    },
    byEvents: false,
  },
]

describe('a configuration file', () => {
  it.each(SCENARIOS)('$name is noticed within 2 s (CAT-188)', { timeout: WITHIN_MS }, async ({ before, change }) => {
    before()
    const { changed } = await watching()
    await changed(change)
  })

  it.each(SCENARIOS.filter(({ byEvents }) => byEvents))(
    '$name is noticed by events alone (CAT-188)',
    { timeout: WITHIN_MS },
    async ({ before, change }) => {
      before()
      const { changed } = await watching(EVENTS_ONLY)
      await changed(change)
    },
  )

  it('in a directory that comes later is noticed, and then its changes too (CAT-188)', {
    timeout: 2 * WITHIN_MS,
  }, async () => {
    const home = join(dir, 'home')
    const later = join(home, 'config.toml')
    const { changed } = await watching(undefined, later)
    await changed(() => {
      mkdirSync(home)
      writeFileSync(later, 'a = 1')
    })
    await changed(() => saveByRename(later, 'a = 2'))
  })

  it('is watched on in a directory that was replaced (CAT-188)', { timeout: 3 * WITHIN_MS }, async () => {
    const home = join(dir, 'home')
    const inside = join(home, 'config.toml')
    mkdirSync(home)
    writeFileSync(inside, 'a = 1')
    const { changed } = await watching(undefined, inside)
    await changed(() => rmSync(home, { recursive: true }))
    await changed(() => {
      mkdirSync(home)
      writeFileSync(inside, 'a = 2')
    })
    await changed(() => writeFileSync(inside, 'a = 3'))
  })

  it('is watched behind a link wherever that points now (CAT-188)', { timeout: 2 * WITHIN_MS }, async () => {
    linkToDotfiles()
    const { changed } = await watching(EVENTS_ONLY)
    const elsewhere = join(dir, 'elsewhere')
    await changed(() => {
      mkdirSync(elsewhere)
      writeFileSync(join(elsewhere, 'x.toml'), 'a = 2')
      symlinkSync(join(elsewhere, 'x.toml'), `${file}.tmp`)
      renameSync(`${file}.tmp`, file)
    })
    await changed(() => writeFileSync(join(elsewhere, 'x.toml'), 'a = 3'))
  })
})

describe('what is no change of content', () => {
  it('tells nobody: touched, saved again, replaced by its copy', async () => {
    writeFileSync(file, 'a = 1')
    const { calls, check } = await watching()
    utimesSync(file, 1, 1)
    expect(await check()).toBe(false)
    writeFileSync(file, 'a = 1')
    expect(await check()).toBe(false)
    saveByRename(file, 'a = 1')
    expect(await check()).toBe(false)
    expect(calls()).toBe(0)
    writeFileSync(file, 'a = 2')
    expect(await check()).toBe(true)
    expect(calls()).toBe(1)
    expect(await check()).toBe(false)
  })
})

describe('a disposed watch', () => {
  it('tells nothing more, and waits for the call that runs', async () => {
    writeFileSync(file, 'a = 1')
    const finish = Promise.withResolvers<void>()
    const entered = Promise.withResolvers<void>()
    let finished = false
    const running = watchConfig(file, async () => {
      entered.resolve()
      await finish.promise
      finished = true
    })
    await running.ready
    writeFileSync(file, 'a = 2')
    await entered.promise
    const disposed = running[Symbol.asyncDispose]()
    finish.resolve()
    await disposed
    expect(finished).toBe(true)
    writeFileSync(file, 'a = 3')
    expect(await running.check()).toBe(false)
  })
})
