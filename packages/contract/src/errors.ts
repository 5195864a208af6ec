/**
 * The error registry: the only place an error is born. HTTP status, CLI exit code, JSON-RPC code and the docs page
 * (`docs/errors.md`, generated) come from this table.
 */
interface ErrorKind {
  /** HTTP status. */
  readonly status: number
  /** CLI exit code: 1 failed, 2 wrong usage, 3 the daemon could not be reached or started. */
  readonly exit: 1 | 2 | 3
  /** JSON-RPC code, for MCP and extensions. */
  readonly rpc: number
  /** One sentence for the docs page. */
  readonly meaning: string
}

export const ERRORS = {
  invalid_request: {
    status: 400,
    exit: 2,
    rpc: -32602,
    meaning:
      'A parameter, body field or id is not of the form that the route takes; `field` and `expected` say which and what.',
  },
  unauthorized: {
    status: 401,
    exit: 1,
    rpc: -32001,
    meaning: 'The bearer token is missing or wrong. It is in the token file that `signalbox daemon status` names.',
  },
  forbidden_host: {
    status: 403,
    exit: 1,
    rpc: -32001,
    meaning: 'The Host header is not one of this daemon’s loopback names (protects from DNS rebinding).',
  },
  forbidden_origin: {
    status: 403,
    exit: 1,
    rpc: -32001,
    meaning: 'The request comes from a web page of another origin.',
  },
  not_found: { status: 404, exit: 1, rpc: -32601, meaning: 'No route has this path.' },
  unknown_provider: {
    status: 404,
    exit: 1,
    rpc: -32004,
    meaning: 'No source knows this provider; `candidates` are the nearest that exist.',
  },
  unknown_model: {
    status: 404,
    exit: 1,
    rpc: -32004,
    meaning: 'No source lists this model; `candidates` are the nearest that exist.',
  },
  method_not_allowed: {
    status: 405,
    exit: 1,
    rpc: -32601,
    meaning: 'The path exists, but not for this method; the `Allow` header names those it takes.',
  },
  request_timeout: { status: 408, exit: 1, rpc: -32000, meaning: 'The request did not arrive completely in time.' },
  body_too_large: { status: 413, exit: 1, rpc: -32600, meaning: 'The request body is above 1 MiB.' },
  unsupported_media_type: {
    status: 415,
    exit: 1,
    rpc: -32600,
    meaning: 'A request with a body must have the content type `application/json`.',
  },
  rate_limited: {
    status: 429,
    exit: 1,
    rpc: -32002,
    meaning: 'Too many requests; `Retry-After` says when to try again.',
  },
  headers_too_large: { status: 431, exit: 1, rpc: -32600, meaning: 'The request headers are above 16 KiB.' },
  internal: { status: 500, exit: 1, rpc: -32603, meaning: 'A fault in Signalbox. The log has the details.' },
  all_sources_failed: {
    status: 503,
    exit: 1,
    rpc: -32005,
    meaning: 'Every source that was tried failed and none holds an earlier row; `sources` says why.',
  },
  shutting_down: { status: 503, exit: 1, rpc: -32005, meaning: 'The daemon is stopping and starts no new work.' },
  usage: { status: 400, exit: 2, rpc: -32602, meaning: 'The command line is not understood.' },
  invalid_config: {
    status: 400,
    exit: 1,
    rpc: -32602,
    meaning:
      'A configuration file has errors; each is named with file, line and column. The previous configuration stays in force.',
  },
  daemon_unavailable: {
    status: 503,
    exit: 3,
    rpc: -32005,
    meaning: 'No daemon answers on this home’s socket, and none could be or may be started.',
  },
  already_running: { status: 409, exit: 1, rpc: -32005, meaning: 'Another daemon owns this home.' },
  unsafe_path: {
    status: 500,
    exit: 1,
    rpc: -32603,
    meaning: 'A file or directory that must be ours is not: wrong type, owner or mode. It was left untouched.',
  },
  newer_schema: {
    status: 500,
    exit: 1,
    rpc: -32603,
    meaning: 'The catalog file was written by a newer Signalbox. It was left unchanged; upgrade, or use another home.',
  },
  bind_refused: {
    status: 400,
    exit: 1,
    rpc: -32602,
    meaning: 'The daemon listens on loopback addresses only, and the one asked for is not, or is taken.',
  },
  credentials_unavailable: {
    status: 503,
    exit: 1,
    rpc: -32005,
    meaning: 'Stored credentials cannot be read or written now; they were left as they are.',
  },
  source_failed: {
    status: 502,
    exit: 1,
    rpc: -32005,
    meaning: 'A catalog source did not give a usable answer; its last good rows stay.',
  },
} as const satisfies Record<string, ErrorKind>

export type ErrorCode = keyof typeof ERRORS

export interface ErrorDetails {
  readonly field?: string | undefined
  readonly expected?: string | undefined
  readonly candidates?: readonly string[] | undefined
  readonly hint?: string | undefined
}

/** Every error that reaches a person or a client. `message` never holds a secret, a command line or a response body. */
export class SignalboxError extends Error {
  readonly code: ErrorCode
  readonly details: ErrorDetails

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}, options?: ErrorOptions) {
    super(message, options)
    this.name = 'SignalboxError'
    this.code = code
    this.details = details
  }

  get status(): number {
    return ERRORS[this.code].status
  }

  /** The native body. Key order is fixed. */
  toJSON(): ErrorBody {
    const { field, expected, candidates, hint } = this.details
    return { error: { code: this.code, message: this.message, field, expected, candidates, hint } }
  }
}

/** The native error body. */
export interface ErrorBody {
  readonly error: { readonly code: string; readonly message: string } & ErrorDetails
}
