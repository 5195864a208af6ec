/** The signals that ask a daemon to stop. */
export const SHUTDOWN_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
export type ShutdownSignal = (typeof SHUTDOWN_SIGNALS)[number]

/** What a shell reports for a program that Ctrl-C ended: 128 + 2. */
const EXIT_INTERRUPTED = 130

/** npm hands Ctrl-C on to a child that the terminal has told already: what follows this closely is no second press. */
const ECHO_MS = 250

/**
 * Calls the handler for the first signal; the ones after it change nothing, except that a second SIGINT (an impatient
 * Ctrl-C) ends the process at once. Dispose to give the signals back.
 */
export function onShutdownSignal(handler: (signal: ShutdownSignal) => void): Disposable {
  let stopping = false
  let interruptedAt: number | null = null
  const onSignal = (signal: ShutdownSignal) => {
    if (signal === 'SIGINT') {
      const now = performance.now()
      if (interruptedAt !== null && now - interruptedAt > ECHO_MS) process.exit(EXIT_INTERRUPTED)
      interruptedAt ??= now
    }
    if (stopping) return
    stopping = true
    handler(signal)
  }
  const listeners = SHUTDOWN_SIGNALS.map((signal) => [signal, () => onSignal(signal)] as const)
  for (const [signal, listener] of listeners) process.on(signal, listener)
  return {
    [Symbol.dispose]() {
      for (const [signal, listener] of listeners) process.off(signal, listener)
    },
  }
}
