/**
 * The daemon's entry. Ownership of the home comes before everything else, and before anything large is loaded: of fifty
 * that start at once, forty-nine must be gone again quickly.
 */
import { SignalboxError } from '@signalbox/contract/errors'
import { locateHome, prepareHome } from './platform/home.ts'
import { acquireLock } from './platform/instance-lock.ts'
import { alreadyRunning } from './running-daemon.ts'
import { backgroundReporter, foregroundReporter } from './start-reporter.ts'

export interface RunOptions {
  /** Tell a person on the terminal; otherwise tell the process that started us, on file descriptor 3. */
  readonly foreground: boolean
  /** In the foreground: one line of JSON instead of sentences. */
  readonly json?: boolean
}

/** A person wants to read where the other one is; a command that lost the race looks for it by itself. */
const FOREGROUND_PATIENCE_MS = 2_000

/** Run until asked to stop. Resolves to the exit code. */
export async function runDaemon({ foreground, json = false }: RunOptions): Promise<number> {
  const reporter = foreground ? foregroundReporter(json) : backgroundReporter()
  try {
    const home = locateHome(process.env)
    const paths = prepareHome(home)
    using lock = acquireLock(paths.lockFile)
    if (lock === null) throw await alreadyRunning(paths.socket, foreground ? FOREGROUND_PATIENCE_MS : 0)
    const { Daemon } = await import('./daemon.ts')
    const daemon = await Daemon.start(home, paths)
    reporter.ready(daemon.status())
    const reason = await daemon.stopRequested
    reporter.stopping(reason)
    await daemon.stop(reason)
    return 0
  } catch (error) {
    // Expected: errors of ours (a home that is taken, unsafe, or of a newer version). Anything else is a fault.
    return reporter.failed(error instanceof SignalboxError ? error : unexpected(error))
  }
}

function unexpected(error: unknown): SignalboxError {
  const message = error instanceof Error ? error.message : String(error)
  return new SignalboxError('internal', `the daemon could not start: ${message}`, {}, { cause: error })
}
