import { SignalboxError } from '@signalbox/contract/errors'

/**
 * Run `work` under a deadline of its own and the daemon's shutdown. It ends then even if `work` ignores its signal.
 */
export async function withDeadline<T>(ms: number, shutdown: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const deadline = new AbortController()
  const timer = setTimeout(() => deadline.abort(new SignalboxError('source_failed', `no complete answer within ${seconds(ms)}`)), ms)
  const signal = AbortSignal.any([deadline.signal, shutdown])
  const aborted = new Promise<never>((_, reject) => {
    if (signal.aborted) reject(reasonOf(signal))
    else signal.addEventListener('abort', () => reject(reasonOf(signal)), { once: true })
  })
  try {
    return await Promise.race([work(signal), aborted])
  } catch (error) {
    // A source that noticed the abort reports it in its own words; the deadline's are the true ones.
    throw signal.aborted ? reasonOf(signal) : error
  } finally {
    clearTimeout(timer)
  }
}

function reasonOf(signal: AbortSignal): Error {
  return signal.reason instanceof Error ? signal.reason : new SignalboxError('source_failed', 'stopped')
}

function seconds(ms: number): string {
  return ms % 1000 === 0 ? `${ms / 1000} s` : `${ms} ms`
}
