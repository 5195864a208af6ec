/** A configuration without the keys that may stand in it: for whoever shows it, and for what is kept on disk. */
type Table = Readonly<Record<string, unknown>>

/** The keys of a provider that may hold a credential itself. */
const SECRET_KEYS: ReadonlySet<string> = new Set(['api_key'])

/** Each such key is replaced by what `instead` gives, or left out where that is undefined. */
export function redactConfig<T>(config: T, instead?: string): T {
  if (!isTable(config) || !isTable(config.providers)) return config
  const entries = Object.entries(config.providers).map(([id, provider]) => [id, redactProvider(provider, instead)])
  const providers: Table = Object.fromEntries(entries) as Table
  // Only values are replaced, so it has the form that it had.
  return { ...config, providers }
}

function redactProvider(provider: unknown, instead: string | undefined): unknown {
  if (!isTable(provider)) return provider
  const kept = Object.entries(provider).flatMap(([key, value]) => {
    if (!SECRET_KEYS.has(key)) return [[key, value]]
    return instead === undefined ? [] : [[key, instead]]
  })
  return Object.fromEntries(kept)
}

function isTable(value: unknown): value is Table {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
