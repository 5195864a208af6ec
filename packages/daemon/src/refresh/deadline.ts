import { SignalboxError } from '@signalbox/contract/errors'

/**
 * Run `work` under a deadline of its own and the daemon's shutdown. It ends then even if `work` ignores its signal, and
 * is not started at all once the daemon stops.
 */
export async function withDeadline<T>(
  ms: number,
  shutdown: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  shutdown.throwIfAborted()
  const controller = new AbortController()
  const { signal } = controller
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const stop = (reason: unknown) => {
    controller.abort(reason)
    reject(reason)
  }
  const onShutdown = () => stop(shutdown.reason)
  shutdown.addEventListener('abort', onShutdown, { once: true })
  const timer = setTimeout(
    () => stop(new SignalboxError('source_failed', `no complete answer within ${seconds(ms)}`)),
    ms,
  )
  try {
    return await Promise.race([work(signal), aborted])
  } catch (error) {
    // A source that noticed the abort reports it in its own words; the deadline's are the true ones.
    throw signal.aborted ? signal.reason : error
  } finally {
    clearTimeout(timer)
    shutdown.removeEventListener('abort', onShutdown)
  }
}

const seconds = (ms: number) => `${ms / 1000} s`
