/**
 * `config.toml`. Strict: an unknown key is an error. The descriptions are the reference page (`docs/configuration.md`,
 * generated); defaults live here and nowhere else. Every message is what to write, as in "must be <message>", and never
 * holds a value of the file: it may be a secret.
 */
import { z } from '@hono/zod-openapi'
import { EFFORTS, type Effort } from './effort.ts'
import { PROVIDER_ID_PATTERN } from './ids.ts'

const DURATION = /^(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?(?:(\d+)ms)?$/

/** `90s`, `24h`, `1h30m`, `250ms` in milliseconds; null when it is not a positive duration. */
export function durationMs(text: string): number | null {
  const match = DURATION.exec(text)
  if (match === null) return null
  const [h, m, s, ms] = match.slice(1).map((part) => Number(part ?? 0))
  const total = (h ?? 0) * 3_600_000 + (m ?? 0) * 60_000 + (s ?? 0) * 1_000 + (ms ?? 0)
  return total > 0 && Number.isSafeInteger(total) ? total : null
}

/**
 * Checks across fields run although a field is wrong, so that all problems are told at once. Values that they see may be
 * of any type.
 */
const ALWAYS_FOR_LISTS = { when: ({ value }: { readonly value: unknown }) => Array.isArray(value) }
const ALWAYS_FOR_TABLES = {
  when: ({ value }: { readonly value: unknown }) => typeof value === 'object' && value !== null,
}
/** `form` is the type that the reference page shows. */
const duration = (example: string) =>
  z
    .string(`a positive duration such as "${example}"`)
    .refine((text) => durationMs(text) !== null, `a positive duration such as "${example}"`)
    .meta({ form: 'duration' })
    .default(example)

const isHttpUrl = (text: string) => {
  if (!URL.canParse(text)) return false
  const { protocol, username, password } = new URL(text)
  return (protocol === 'https:' || protocol === 'http:') && username === '' && password === ''
}
const URL_FORM = 'an absolute http:// or https:// URL without user name or password'
const httpUrl = z.string(URL_FORM).refine(isHttpUrl, URL_FORM).meta({ form: 'URL' })

const NOT_BLANK = 'text that is not blank'
const notBlank = z.string(NOT_BLANK).refine((text) => text.trim() !== '', NOT_BLANK)
const flag = z.boolean('true or false')
const effort = z.enum(EFFORTS, `one of ${EFFORTS.join(', ')}`)
const isEffort = (value: unknown): value is Effort => EFFORTS.some((known) => known === value)
/** Not `z.int`: its issue for a fraction would stop the checks across fields. */
const whole = (min: number, max: number, expected: string) =>
  z
    .number(expected)
    .refine((value) => Number.isSafeInteger(value) && value >= min && value <= max, expected)
    .meta({ form: 'whole number' })
const positive = whole(1, Number.MAX_SAFE_INTEGER, 'a positive whole number')
const price = z.number('a number of US dollars, 0 or more').nonnegative('a number of US dollars, 0 or more')

export const CuratedModel = z
  .strictObject({
    id: notBlank.describe('The model id, byte for byte.'),
    display_name: notBlank.optional().describe('The name to show.'),
    context_window: positive.optional().describe('Tokens of input and output together.'),
    max_input_tokens: positive.optional().describe('Tokens of input.'),
    max_output_tokens: positive.optional().describe('Tokens of output.'),
    supports_tools: flag.optional().describe('Whether it calls tools.'),
    supports_reasoning: flag.optional().describe('Whether it reasons.'),
    reasoning_efforts: z
      .array(effort, 'a list of efforts')
      .superRefine((list, context) => {
        for (const [index, item] of list.entries()) {
          if (!isEffort(item) || list.indexOf(item) === index) continue
          context.addIssue({ code: 'custom', path: [index], message: 'an effort that stands only once in the list' })
        }
      }, ALWAYS_FOR_LISTS)
      .optional()
      .describe('The efforts it takes, weakest first.'),
    default_reasoning_effort: effort.optional().describe('The effort used when none is asked for.'),
    cost_input_per_million: price.optional().describe('US dollars per million tokens of input.'),
    cost_output_per_million: price.optional().describe('US dollars per million tokens of output.'),
  })
  .superRefine((model, context) => {
    const { reasoning_efforts: list, default_reasoning_effort: chosen } = model
    if (!Array.isArray(list) || !isEffort(chosen) || list.includes(chosen)) return
    const known = list.filter(isEffort)
    const message =
      known.length === 0
        ? 'left out, as reasoning_efforts is empty'
        : `one of its reasoning_efforts: ${known.join(', ')}`
    context.addIssue({ code: 'custom', path: ['default_reasoning_effort'], message })
  }, ALWAYS_FOR_TABLES)
export type CuratedModel = z.infer<typeof CuratedModel>

export const Discovery = z
  .strictObject({
    enabled: flag.optional().describe('Whether to ask the provider for its list.'),
    command: notBlank.optional().describe('A program that prints the list; run without a shell.'),
    endpoint: httpUrl.optional().describe('Where the list is.'),
    timeout: duration('10s').describe('How long one attempt may take.'),
  })
  .superRefine((discovery, context) => {
    if (discovery.command !== undefined && discovery.endpoint !== undefined) {
      context.addIssue({ code: 'custom', path: ['command'], message: 'left out where endpoint is given' })
    }
  }, ALWAYS_FOR_TABLES)

export const ProviderModels = z.strictObject({
  default: notBlank.optional().describe('The model used when none is chosen. Any id; it need not be listed anywhere.'),
  curated: z
    .array(CuratedModel, 'tables under [[providers.<id>.models.curated]]')
    .superRefine((models, context) => {
      const seen = new Set<string>()
      for (const [index, model] of models.entries()) {
        const id: unknown = model?.id
        if (typeof id !== 'string' || id.trim() === '') continue
        if (seen.has(id))
          context.addIssue({ code: 'custom', path: [index, 'id'], message: 'an id that no earlier entry has' })
        seen.add(id)
      }
    }, ALWAYS_FOR_LISTS)
    .default([])
    .describe('Facts about models. Never an allow-list: it hides nothing.'),
  discovery: Discovery.optional().describe('How the live list of this provider is found.'),
})

export const ProviderConfig = z.strictObject({
  display_name: notBlank.optional().describe('The name to show.'),
  kind: z
    .enum(['api', 'local', 'agent'], 'one of api, local, agent')
    .optional()
    .describe('What it is: an API, a server on this machine, or a coding agent.'),
  base_url: httpUrl.optional().describe('Where its API is.'),
  auth: z
    .enum(['required', 'optional', 'none'], 'required, optional or none')
    .optional()
    .describe('Whether its list of models needs a credential.'),
  api_key: notBlank
    .optional()
    .describe('The name of an environment variable, a command as "!cmd …", or, if neither, the key itself.'),
  api_key_env: notBlank.optional().describe('The name of an environment variable that holds the key.'),
  models: ProviderModels.default({ curated: [] }),
})
export type ProviderConfig = z.infer<typeof ProviderConfig>

export const DEFAULT_PORT = 7365
const LOOPBACK_HOSTS = ['127.0.0.1', '::1', 'localhost'] as const

const HOST_NAME = /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/
const HOST_NAME_FORM = 'a host name in lower case, without a port'

const DaemonConfig = z.strictObject({
  host: z
    .enum(LOOPBACK_HOSTS, 'a loopback address: localhost, 127.0.0.1 or ::1')
    .default('localhost')
    .describe('The loopback address to listen on; localhost is both. No other address is accepted.'),
  port: whole(0, 65535, 'a port from 0 to 65535')
    .default(DEFAULT_PORT)
    .describe('The TCP port; 0 takes any free one, and so does the default when it is taken. Read at start.'),
  log_level: z
    .enum(['debug', 'info', 'warn', 'error'], 'one of debug, info, warn, error')
    .default('info')
    .describe('How much goes to the log file.'),
  offline: flag.default(false).describe('Make no connection to anybody. What is known stays, and says how old it is.'),
  request_timeout: duration('30s').describe('A request that has not arrived completely by then is closed.'),
  allowed_hosts: z
    .array(z.string().regex(HOST_NAME, HOST_NAME_FORM), `a list of host names, each ${HOST_NAME_FORM}`)
    .default([])
    .describe('Names beside localhost, 127.0.0.1 and [::1] that the Host header may have, such as that of a tunnel.'),
})

const ModelsDevConfig = z.strictObject({
  enabled: flag.default(true).describe('Whether models.dev is asked at all.'),
  endpoint: httpUrl.default('https://models.dev/api.json').describe('Where the catalog is.'),
  ttl: duration('24h').describe('How long an answer counts as fresh.'),
  timeout: duration('10s').describe('How long one attempt may take.'),
})

const LocalServersConfig = z.strictObject({
  enabled: flag
    .default(true)
    .describe('Whether Ollama, llama.cpp and LM Studio are looked for on this machine without being configured.'),
})

const PROVIDER_ID_FORM = 'a provider id: lower-case letters, digits, ".", "_" and "-", starting with a letter or digit'

export const ConfigFile = z.strictObject({
  daemon: DaemonConfig.prefault({}),
  model_catalog: z
    .strictObject({
      sources: z
        .strictObject({
          models_dev: ModelsDevConfig.prefault({}),
          local_servers: LocalServersConfig.prefault({}),
        })
        .prefault({}),
    })
    .prefault({}),
  providers: z
    .record(z.string(), ProviderConfig, 'tables under [providers.<id>]')
    .superRefine((providers, context) => {
      for (const id of Object.keys(providers)) {
        if (!PROVIDER_ID_PATTERN.test(id)) context.addIssue({ code: 'custom', path: [id], message: PROVIDER_ID_FORM })
      }
    }, ALWAYS_FOR_TABLES)
    .default({})
    .describe('Providers by id.'),
})
export type ConfigFile = z.infer<typeof ConfigFile>

/** Keys that older tools used, and what to write instead. */
export const RETIRED_PROVIDER_KEYS: Readonly<Record<string, string>> = {
  default_model: 'models.default',
  supported_models: 'models.curated',
  supports_reasoning_effort: 'models.curated[].reasoning_efforts',
}
