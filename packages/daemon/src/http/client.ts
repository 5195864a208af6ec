/**
 * The one way out: every request to a provider or catalog goes through here, with a deadline, a size cap and errors
 * that give nothing away. On undici's `request`, never `fetch`.
 */
import { SignalboxError } from '@signalbox/contract/errors'
import { type Dispatcher, EnvHttpProxyAgent, errors, request } from 'undici'
import { CallError, failureOf, offline, redirected, stopped, tooSlow, webPage } from './failures.ts'
import { ACCEPT_ENCODING, decodeText, isWebPageType, readBody, startsAsWebPage } from './read-body.ts'

export interface OutboundRequest {
  /** Who is asked, for messages: `models.dev`. Never the address, which may hold a secret. */
  readonly name: string
  readonly url: string
  /** Of the answer, after decompression. */
  readonly maxBytes: number
  readonly timeoutMs: number
  readonly signal: AbortSignal
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON, with POST. */
  readonly body?: Readonly<Record<string, unknown>> | undefined
  /** Of an earlier answer. Only with one of these can the answer be `unchanged`. */
  readonly etag?: string | undefined
  readonly last_modified?: string | undefined
  /** `replace` keeps the rest of an answer with invalid bytes and says so in `damaged`. */
  readonly invalidUtf8?: 'fail' | 'replace'
}

export type OutboundAnswer =
  | { readonly kind: 'unchanged' }
  | {
      readonly kind: 'text'
      readonly text: string
      readonly damaged: boolean
      readonly etag: string | null
      readonly last_modified: string | null
    }

export interface OutboundClient extends AsyncDisposable {
  /** GET, or POST with a body. Every failure is a `source_failed` whose message holds neither an address nor a byte of the answer. */
  get(request: OutboundRequest): Promise<OutboundAnswer>
  /** Ends open requests and connections. */
  close(): Promise<void>
}

export interface ClientOptions {
  /** While it says yes, every call fails before anything is connected. */
  readonly isOffline?: () => boolean
  readonly version: string
  readonly env: NodeJS.ProcessEnv
}

export function createOutboundClient({ version, env, isOffline = () => false }: ClientOptions): OutboundClient {
  const dispatcher = proxyAgent(env)
  const userAgent = `signalbox/${version}`
  const close = () => dispatcher.destroy()
  return {
    get: (outbound) =>
      isOffline()
        ? Promise.reject(offline())
        : withDeadline(outbound, (signal) => get(dispatcher, userAgent, outbound, signal)),
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** Local servers are never behind a proxy. */
const LOOPBACK = 'localhost,127.0.0.1,::1'

function proxyAgent(env: NodeJS.ProcessEnv): EnvHttpProxyAgent {
  try {
    return new EnvHttpProxyAgent({
      // An empty text, unlike undefined, keeps undici from reading the process's own environment.
      httpProxy: env.http_proxy ?? env.HTTP_PROXY ?? '',
      httpsProxy: env.https_proxy ?? env.HTTPS_PROXY ?? '',
      noProxy: `${env.no_proxy ?? env.NO_PROXY ?? ''},${LOOPBACK}`,
    })
  } catch (error) {
    // TypeError for what is no URL, undici's own for a scheme it cannot use. Both may quote a password.
    if (!(error instanceof TypeError || error instanceof errors.InvalidArgumentError)) throw error
    throw new SignalboxError('invalid_config', 'HTTP_PROXY or HTTPS_PROXY is not the URL of a proxy')
  }
}

async function withDeadline<T>(outbound: OutboundRequest, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const { signal, timeoutMs } = outbound
  const deadline = new AbortController()
  const timer = setTimeout(() => deadline.abort(), timeoutMs)
  try {
    return await run(AbortSignal.any([signal, deadline.signal]))
  } catch (error) {
    // An aborted request fails in several ways, depending on how far it came; the cause is the abort.
    if (signal.aborted) throw abortReason(signal)
    if (deadline.signal.aborted) throw tooSlow(timeoutMs)
    if (error instanceof SignalboxError) throw error
    throw failureOf(error) ?? error
  } finally {
    clearTimeout(timer)
  }
}

/** The caller's own words, such as its deadline, where it gave some. */
function abortReason(signal: AbortSignal): SignalboxError {
  return signal.reason instanceof SignalboxError ? signal.reason : stopped()
}

async function get(
  dispatcher: Dispatcher,
  userAgent: string,
  outbound: OutboundRequest,
  signal: AbortSignal,
): Promise<OutboundAnswer> {
  const { name, etag, last_modified, maxBytes, invalidUtf8 = 'fail' } = outbound
  const conditional = {
    ...(etag === undefined ? {} : { 'if-none-match': etag }),
    ...(last_modified === undefined ? {} : { 'if-modified-since': last_modified }),
  }
  const standard = { accept: 'application/json', 'accept-encoding': ACCEPT_ENCODING, 'user-agent': userAgent }
  const headers = { ...standard, ...outbound.headers, ...conditional }
  const sent: Pick<Dispatcher.RequestOptions, 'method' | 'headers' | 'body'> =
    outbound.body === undefined
      ? { method: 'GET', headers }
      : {
          method: 'POST',
          headers: { ...headers, 'content-type': 'application/json' },
          body: JSON.stringify(outbound.body),
        }
  const response = await followRedirects(name, outbound.url, (url) =>
    // The deadline is ours alone: undici's own would cut a longer one short.
    request(url, { dispatcher, ...sent, signal, headersTimeout: 0, bodyTimeout: 0 }),
  )
  const { statusCode, body } = response
  if (statusCode === 304 && Object.keys(conditional).length > 0) {
    await body.dump({ limit: DUMP_LIMIT })
    return { kind: 'unchanged' }
  }
  if (statusCode < 200 || statusCode > 299) {
    discard(body)
    const retryAfter = header(response, 'retry-after')
    throw new CallError({ kind: 'status', status: statusCode, retryAfter }, `${name} answered HTTP ${statusCode}`)
  }
  if (isWebPageType(header(response, 'content-type') ?? '')) {
    discard(body)
    throw webPage()
  }
  const bytes = await readBody(body, header(response, 'content-encoding') ?? '', maxBytes)
  const { text, damaged } = decodeText(bytes, invalidUtf8)
  if (startsAsWebPage(text)) throw webPage()
  return {
    kind: 'text',
    text,
    damaged,
    etag: validator(response, 'etag'),
    last_modified: validator(response, 'last-modified'),
  }
}

type Response = Dispatcher.ResponseData

const REDIRECTS_MAX = 3
const REDIRECT: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])
const DUMP_LIMIT = 16 * 1024

/** Only within the origin: what is sent (a credential, later) is bound to it. */
async function followRedirects(name: string, start: string, send: (url: URL) => Promise<Response>): Promise<Response> {
  let url = new URL(start)
  for (let hops = 0; ; hops++) {
    const response = await send(url)
    if (!REDIRECT.has(response.statusCode)) return response
    discard(response.body)
    const location = header(response, 'location')
    if (location === null || !URL.canParse(location, url.href)) throw redirected(`${name} redirects to nowhere`)
    const target = new URL(location, url)
    if (target.origin !== url.origin) throw redirected(`${name} redirects to another host, which is not followed`)
    if (hops === REDIRECTS_MAX) throw redirected(`${name} redirects more than ${REDIRECTS_MAX} times`)
    target.username = ''
    target.password = ''
    url = target
  }
}

/** Closes the connection rather than read a body that nobody wants, which may have no end. */
function discard(body: Response['body']): void {
  // Destroying it early makes the body emit an abort error, which is expected and says nothing new.
  body.on('error', () => undefined)
  body.destroy()
}

function header(response: Response, name: string): string | null {
  const value = response.headers[name]
  return (Array.isArray(value) ? value[0] : value) ?? null
}

const PRINTABLE = /^[\x20-\x7e]{1,512}$/

/** One that could not be sent back as it came would make every later request fail. */
function validator(response: Response, name: 'etag' | 'last-modified'): string | null {
  const value = header(response, name)
  return value !== null && PRINTABLE.test(value) ? value : null
}
