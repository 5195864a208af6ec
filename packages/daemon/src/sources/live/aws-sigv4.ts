/** AWS Signature Version 4 in request headers, as the Bedrock list calls need it. */
import { createHash, createHmac } from 'node:crypto'

export interface AwsCredentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** Of temporary credentials. */
  readonly sessionToken: string | null
}

export interface AwsRequest {
  readonly method: 'GET' | 'POST'
  readonly url: string
  /** Signed beside `host` and `x-amz-date`. */
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly region: string
  readonly service: string
  readonly now: number
}

const ALGORITHM = 'AWS4-HMAC-SHA256'

/** The headers to add. The request must go out with exactly this URL, these headers and this body. */
export function signAws(request: AwsRequest, credentials: AwsCredentials): Readonly<Record<string, string>> {
  const { method, region, service, body = '' } = request
  const url = new URL(request.url)
  const time = amzTime(request.now)
  const token = credentials.sessionToken
  const added = { 'x-amz-date': time, ...(token === null ? {} : { 'x-amz-security-token': token }) }
  const signed = canonicalHeaders({ host: url.host, ...request.headers, ...added })
  const names = signed.map(([name]) => name).join(';')
  const canonicalRequest = [
    method,
    canonicalPath(url.pathname),
    canonicalQuery(url.searchParams),
    ...signed.map(([name, value]) => `${name}:${value}`),
    '',
    names,
    sha256(body),
  ].join('\n')
  const scope = [time.slice(0, 8), region, service, 'aws4_request'].join('/')
  const key = [...scope.split('/')].reduce(hmac, Buffer.from(`AWS4${credentials.secretAccessKey}`))
  const signature = hmac(key, [ALGORITHM, time, scope, sha256(canonicalRequest)].join('\n')).toString('hex')
  const authorization = `${ALGORITHM} Credential=${credentials.accessKeyId}/${scope}, SignedHeaders=${names}, Signature=${signature}`
  return { ...added, authorization }
}

/** `20150830T123600Z`. */
const amzTime = (now: number) => new Date(now).toISOString().replace(/[-:]|\.\d+/g, '')
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const hmac = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()

function canonicalHeaders(headers: Readonly<Record<string, string>>): readonly (readonly [string, string])[] {
  return Object.entries(headers)
    .map(([name, value]) => [name.toLowerCase(), value.trim().replace(/ +/g, ' ')] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1))
}

/** Everything but unreserved characters. */
const encode = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)

/** The path as it is sent, encoded once more: all services but S3 sign it so. */
const canonicalPath = (path: string) => path.split('/').map(encode).join('/')

function canonicalQuery(query: URLSearchParams): string {
  return [...query]
    .map(([name, value]) => [encode(name), encode(value)] as const)
    .sort(([a, x], [b, y]) => (a === b ? (x < y ? -1 : 1) : a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join('&')
}
