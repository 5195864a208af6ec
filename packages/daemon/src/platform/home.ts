/** Where everything of one Signalbox lives. The only module that knows file names, modes and socket path limits. */
import { accessSync, chmodSync, constants, lstatSync, mkdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { SignalboxError } from '@signalbox/contract/errors'
import { makeDirectory } from './make-directory.ts'
import { isOurs, isSharedForWriting, permissions, requireOurs, unsafePath } from './ownership.ts'
import { systemErrorCode } from './system-error.ts'

export interface Home {
  readonly dir: string
  /** Candidates for the runtime directory, best first: the second is for a read-only home or an over-long path. */
  readonly runDirs: readonly string[]
  readonly configFile: string
  readonly databaseFile: string
  readonly tokenFile: string
  readonly logFile: string
}

/** The runtime directory in use and what is in it. */
export interface RunPaths {
  readonly runDir: string
  readonly socket: string
  readonly lockFile: string
}

/** `sun_path` holds 104 bytes on macOS and 108 on Linux, with the final NUL. */
const SOCKET_PATH_MAX = 103
export const SOCKET_NAME = 'signalbox.sock'
const LOCK_NAME = 'daemon.lock'

/** Not `TMPDIR`: the CLI and the daemon must agree, whatever environment each was started in. */
const SHARED_TMP = '/tmp'

/** The home named by `SIGNALBOX_HOME`, or `~/.signalbox`. Touches nothing. */
export function locateHome(env: NodeJS.ProcessEnv): Home {
  const dir = resolve(env.SIGNALBOX_HOME || join(homedir(), '.signalbox'))
  const inHome = join(dir, 'run')
  const inTmp = join(SHARED_TMP, `signalbox-${process.geteuid?.() ?? 'user'}`, nameFor(dir))
  const fits = Buffer.byteLength(join(inHome, SOCKET_NAME)) <= SOCKET_PATH_MAX
  return {
    dir,
    runDirs: fits ? [inHome, inTmp] : [inTmp],
    configFile: join(dir, 'config.toml'),
    databaseFile: join(dir, 'catalog.db'),
    tokenFile: join(dir, 'token'),
    logFile: join(dir, 'logs', 'daemon.log'),
  }
}

/** A short name for a path: two 32-bit FNV-1a hashes. Not SHA: loading node:crypto is a tenth of the CLI's start. */
function nameFor(path: string): string {
  const hash = (seed: number) => {
    let value = seed
    for (const byte of Buffer.from(path)) value = Math.imul(value ^ byte, 0x01000193)
    return (value >>> 0).toString(16).padStart(8, '0')
  }
  return hash(0x811c9dc5) + hash(0x9dc5811c)
}

/**
 * Creates the home and the first runtime directory that can be written. A runtime directory that is there but is not
 * safely ours is refused, not passed over: whoever made it wants us to use the other one, or it.
 */
export function prepareHome(home: Home): RunPaths {
  const unwritable: string[] = []
  const homeProblem = makeHome(home.dir)
  for (const runDir of home.runDirs) {
    const problem = directoriesToOwn(home, runDir)
      .map(makePrivate)
      .find((found) => found !== null)
    if (problem === undefined) return runPaths(runDir)
    unwritable.push(`${runDir} (${problem})`)
  }
  if (homeProblem !== null) unwritable.unshift(`${home.dir} (${homeProblem})`)
  throw new SignalboxError(
    'daemon_unavailable',
    `No directory can be written for the socket: ${unwritable.join(', ')}`,
    {
      hint: 'Set SIGNALBOX_HOME to a directory that you can write.',
    },
  )
}

/**
 * Where a client may look for the daemon's socket, best first: only directories that nobody else could have put there.
 * Creates nothing.
 */
export function trustedRunPaths(home: Home): readonly RunPaths[] {
  return home.runDirs.filter((runDir) => directoriesToOwn(home, runDir).every(isPrivate)).map(runPaths)
}

const runPaths = (runDir: string): RunPaths => ({
  runDir,
  socket: join(runDir, SOCKET_NAME),
  lockFile: join(runDir, LOCK_NAME),
})

/** In the shared temporary directory the parent must be ours as well, or its owner could swap what is inside. */
const directoriesToOwn = (home: Home, runDir: string): readonly string[] =>
  dirname(runDir) === home.dir ? [runDir] : [dirname(runDir), runDir]

/** Codes of a place that we cannot write to: the next candidate may do. */
const UNWRITABLE: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT', 'ENOENT'])

/** Null, or the code that says why the place cannot be written. */
function makeHome(dir: string): string | null {
  try {
    makeDirectory(dir)
    return null
  } catch (error) {
    // Expected: a read-only place, or a file where a directory should be.
    const code = systemErrorCode(error)
    if (code === 'EEXIST' || code === 'ENOTDIR') throw unsafePath(dir, 'is not a directory', 'a directory', error)
    if (code !== null && UNWRITABLE.has(code)) return code
    throw error
  }
}

/** A directory of mode 0700 that is ours, tightened where it was wider: what is in it is checked by itself. Null, or the code that says why it cannot be written. */
function makePrivate(dir: string): string | null {
  try {
    mkdirSync(dir, { mode: 0o700 })
  } catch (error) {
    // Expected: it is there already, or the place is read-only.
    const code = systemErrorCode(error)
    if (code !== 'EEXIST') {
      if (code !== null && UNWRITABLE.has(code)) return code
      throw error
    }
  }
  const stat = lstatSync(dir)
  requireOurs(dir, stat, 'a directory')
  try {
    if (permissions(stat) !== 0o700) chmodSync(dir, 0o700)
    accessSync(dir, constants.W_OK | constants.X_OK)
    return null
  } catch (error) {
    // Expected: ours, but on a read-only file system.
    const code = systemErrorCode(error)
    if (code !== null && UNWRITABLE.has(code)) return code
    throw error
  }
}

function isPrivate(dir: string): boolean {
  try {
    const stat = lstatSync(dir, { throwIfNoEntry: false })
    return stat?.isDirectory() === true && isOurs(stat) && !isSharedForWriting(stat)
  } catch (error) {
    // Expected: something above it that we may not enter, or that is no directory.
    if (['EACCES', 'ENOTDIR'].includes(systemErrorCode(error) ?? '')) return false
    throw error
  }
}
