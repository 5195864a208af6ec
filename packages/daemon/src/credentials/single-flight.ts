/** Concurrent calls for one name share one run of the work, and its result. */
export function singleFlight<T>(): (name: string, work: () => Promise<T>) => Promise<T> {
  const running = new Map<string, Promise<T>>()
  return (name, work) => {
    const current = running.get(name)
    if (current !== undefined) return current
    const started = work().finally(() => running.delete(name))
    running.set(name, started)
    return started
  }
}
