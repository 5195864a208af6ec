/** Who is told how the start went: a person, a script, or the command that started us in the background. */
import { closeSync, writeSync } from 'node:fs'
import type { DaemonStatus } from '@signalbox/contract/daemon'
import { ERRORS, type SignalboxError } from '@signalbox/contract/errors'

export interface StartReporter {
  ready(status: DaemonStatus): void
  stopping(reason: string): void
  /** Returns the exit code. */
  failed(error: SignalboxError): number
}

export function foregroundReporter(json: boolean): StartReporter {
  const say = (text: string) => process.stdout.write(`${text}\n`)
  return {
    ready: (status) => say(json ? JSON.stringify(status) : greeting(status)),
    stopping: (reason) => {
      if (!json) say(`Stopping: ${reason}.`)
    },
    failed: (error) => {
      process.stderr.write(json ? `${JSON.stringify(error)}\n` : complaint(error))
      return ERRORS[error.code].exit
    },
  }
}

function greeting(status: DaemonStatus): string {
  const n = (value: number) => value.toLocaleString('en-US')
  const lines = [
    `Signalbox ${status.version}`,
    `Listening on ${status.url ?? 'no TCP port'} and ${status.socket}`,
    `${n(status.models)} models from ${n(status.providers)} providers; ${n(status.providers_ready)} providers ready`,
    ...(status.offline ? ['Offline: no connection is made to anybody.'] : []),
    ...status.config_problems.map(
      (problem) => `warning: ${problem.file}:${problem.line ?? 1}:${problem.column ?? 1} ${problem.message}`,
    ),
    ...(status.persistence_problem === null ? [] : [`warning: rows are not persisted: ${status.persistence_problem}`]),
    'Press Ctrl-C to stop.',
  ]
  return lines.join('\n')
}

function complaint(error: SignalboxError): string {
  const hint = error.details.hint === undefined ? '' : `hint: ${error.details.hint}\n`
  return `error: ${error.message}\n${hint}`
}

const STARTER_FD = 3

/** One line to the process that started us, which then lets go. */
export function backgroundReporter(): StartReporter {
  const tell = (value: unknown) => {
    try {
      writeSync(STARTER_FD, `${JSON.stringify(value)}\n`)
      closeSync(STARTER_FD)
    } catch {
      // Expected: EBADF or EPIPE. Whoever started us did not wait; the log and the socket tell the same.
    }
  }
  return {
    ready: () => tell({ ready: true }),
    stopping: () => undefined,
    failed: (error) => {
      tell(error)
      return ERRORS[error.code].exit
    },
  }
}
