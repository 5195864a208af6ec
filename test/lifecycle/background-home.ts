/** A home whose daemon the CLI starts in the background: whatever runs there is stopped before the home is removed. */
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { DaemonStatus } from '../../packages/contract/src/daemon.ts'
import { locateHome, SOCKET_NAME } from '../../packages/daemon/src/platform/home.ts'
import { type CliOptions, type CliResult, runCli } from '../harness/cli.ts'
import { type TempHome, tempHome } from '../harness/temp-home.ts'

export interface BackgroundHome extends AsyncDisposable {
  readonly home: TempHome
  cli(args: readonly string[], options?: CliOptions): Promise<CliResult>
  /** What `daemon status -o json` says, or null when no daemon runs. */
  status(): Promise<DaemonStatus | null>
}

export async function backgroundHome(config?: string | null): Promise<BackgroundHome> {
  return ownedHome(await tempHome(config))
}

/** The same at another place inside it: a path that is long, a folder that is not there yet. */
export async function backgroundHomeAt(path: string, config?: string): Promise<BackgroundHome> {
  const around = await tempHome(null)
  const dir = join(around.dir, path)
  const env = { ...around.env, SIGNALBOX_HOME: dir }
  const paths = locateHome(env)
  const [runDir = dir] = paths.runDirs
  const home: TempHome = {
    ...around,
    dir,
    env,
    paths,
    configure: (toml) => writeFile(paths.configFile, toml),
    socket: async () => join(runDir, SOCKET_NAME),
    async [Symbol.asyncDispose]() {
      if (dirname(runDir) !== dir) await rm(runDir, { recursive: true, force: true })
      await around[Symbol.asyncDispose]()
    },
  }
  if (config !== undefined) {
    await mkdir(dir, { recursive: true })
    await home.configure(config)
  }
  return ownedHome(home)
}

function ownedHome(home: TempHome): BackgroundHome {
  const cli = (args: readonly string[], options?: CliOptions) => runCli(home, args, options)
  const status = async () => {
    const { code, stdout } = await cli(['daemon', 'status', '-o', 'json'])
    return code === 0 ? DaemonStatus.parse(JSON.parse(stdout)) : null
  }
  return {
    home,
    cli,
    status,
    async [Symbol.asyncDispose]() {
      const running = await status()
      const { code, stderr } = await cli(['daemon', 'stop'])
      if (code !== 0 && running !== null) process.kill(running.pid, 'SIGKILL') // it will not stop: leave nothing behind
      await home[Symbol.asyncDispose]()
      if (code !== 0) throw new Error(`signalbox daemon stop failed: ${stderr}`)
    },
  }
}
