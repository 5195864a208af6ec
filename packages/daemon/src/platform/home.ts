/** Where everything of one Signalbox lives. The only module that knows file names, modes and socket path limits. */
import { createHash } from 'node:crypto'
import { homedir, tmpdir, userInfo } from 'node:os'
import { join, resolve } from 'node:path'

export interface Home {
  readonly dir: string
  /** Candidates for the runtime directory, best first: the second is for a read-only home or an over-long path. */
  readonly runDirs: readonly string[]
  readonly configFile: string
  readonly databaseFile: string
  readonly tokenFile: string
  readonly logFile: string
}

/** `sun_path` holds 104 bytes on macOS and 108 on Linux, with the final NUL. */
const SOCKET_PATH_MAX = 103
export const SOCKET_NAME = 'signalbox.sock'

/** The home named by `SIGNALBOX_HOME`, or `~/.signalbox`. Touches nothing. */
export function locateHome(env: NodeJS.ProcessEnv): Home {
  const dir = resolve(env.SIGNALBOX_HOME || join(homedir(), '.signalbox'))
  const inHome = join(dir, 'run')
  const hash = createHash('sha256').update(dir).digest('hex').slice(0, 16)
  const inTmp = join(tmpdir(), `signalbox-${userInfo().uid}`, hash)
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
