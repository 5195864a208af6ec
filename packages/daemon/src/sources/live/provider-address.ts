/** Where a provider is, from its entry and the environment. */
import type { LiveProvider } from './providers.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** The base URL, or null when the environment does not complete it or names something that is no address. */
export function providerBaseUrl(provider: LiveProvider, env: Environment): string | null {
  const name = provider.base_url_env.find((candidate) => isSet(env[candidate]))
  if (name === undefined) return completed(provider.base_url, env)
  const value = env[name] ?? ''
  return name === 'OLLAMA_HOST' ? ollamaAddress(value) : asHttpUrl(value.trim())
}

const isSet = (value: string | undefined) => value !== undefined && value.trim() !== ''

const PLACEHOLDER = /\$\{([A-Z0-9_|]+)\}/g
/** One label of a host name: a value with a dot or a slash could send the credential to another host. */
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i

function completed(template: string, env: Environment): string | null {
  let complete = true
  const url = template.replace(PLACEHOLDER, (_, names: string) => {
    const name = names.split('|').find((candidate) => isSet(env[candidate]))
    const value = name === undefined ? '' : (env[name] ?? '').trim()
    complete &&= LABEL.test(value)
    return value
  })
  return complete ? asHttpUrl(url) : null
}

function asHttpUrl(text: string): string | null {
  if (!URL.canParse(text)) return null
  const { protocol, username, password, href } = new URL(text)
  return /^https?:$/.test(protocol) && username === '' && password === '' ? href.replace(/\/$/, '') : null
}

const OLLAMA_PORT = '11434'
/** Addresses to listen on, which mean this machine to whoever calls. */
const CALLABLE_AS: ReadonlyMap<string, string> = new Map([
  ['', '127.0.0.1'],
  ['0.0.0.0', '127.0.0.1'],
  ['[::]', '[::1]'],
])
const HOST_FORM = /^(?:(https?):\/\/)?(\[[0-9a-f:.]+\]|[^:/[\]\s]*)(?::(\d{1,5}))?(\/\S*)?$/i

/** `OLLAMA_HOST` is what the server listens on: `0.0.0.0`, `:8080`, `host`, `https://host/path`. */
export function ollamaAddress(value: string): string | null {
  const match = HOST_FORM.exec(value.trim().replace(/^(["'])(.*)\1$/, '$2'))
  if (match === null) return null
  const [, scheme, host = '', port, path = ''] = match
  const usual = scheme === undefined ? OLLAMA_PORT : scheme.toLowerCase() === 'https' ? '443' : '80'
  return asHttpUrl(`${scheme ?? 'http'}://${CALLABLE_AS.get(host) ?? host}:${port ?? usual}${path}`)
}
