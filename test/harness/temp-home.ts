/** A fresh `SIGNALBOX_HOME` that is removed afterwards: `await using home = await tempHome()`. */
import { access, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Home, locateHome, SOCKET_NAME } from '../../packages/daemon/src/platform/home.ts'

/** No network, and a port of its own. */
export const QUIET_CONFIG = `[daemon]
port = 0

[model_catalog.sources.models_dev]
enabled = false

[model_catalog.sources.local_servers]
enabled = false
`

export interface TempHome extends AsyncDisposable {
  readonly dir: string
  /** Every path of this home, as the product computes it. */
  readonly paths: Home
  /** The environment of whatever runs in this home: only what it needs, so that no key of the machine leaks in. */
  readonly env: NodeJS.ProcessEnv
  /** Replaces `config.toml`. */
  configure(toml: string): Promise<void>
  /** Where the daemon of this home listens. */
  socket(): Promise<string>
}

async function firstSocket(paths: Home): Promise<string> {
  for (const dir of paths.runDirs) {
    const socket = join(dir, SOCKET_NAME)
    try {
      await access(socket)
      return socket
    } catch {
      // not there: the next candidate, as the product does
    }
  }
  throw new Error(`no daemon has a socket in ${paths.runDirs.join(' or ')}`)
}

/** `config` is the whole text of `config.toml`; null leaves the file out. */
export async function tempHome(config: string | null = QUIET_CONFIG): Promise<TempHome> {
  const dir = await mkdtemp(join(tmpdir(), 'sb-')) // short: a socket path holds about 100 bytes
  const env: NodeJS.ProcessEnv = {
    PATH: process.env.PATH,
    HOME: dir,
    TMPDIR: tmpdir(),
    LANG: 'C.UTF-8',
    SIGNALBOX_HOME: dir,
  }
  const paths = locateHome(env)
  const configure = (toml: string) => writeFile(paths.configFile, toml)
  if (config !== null) await configure(config)
  return {
    dir,
    paths,
    env,
    configure,
    socket: () => firstSocket(paths),
    async [Symbol.asyncDispose]() {
      await rm(dir, { recursive: true, force: true, maxRetries: 3 })
    },
  }
}
