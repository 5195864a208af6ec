/**
 * `config.toml`. Strict: an unknown key is an error. The descriptions are the reference page (`docs/configuration.md`,
 * generated); defaults live here and nowhere else.
 */
import { z } from '@hono/zod-openapi'
import { Effort } from './effort.ts'
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

const duration = (example: string) =>
  z
    .string()
    .refine((text) => durationMs(text) !== null, `a positive duration such as "${example}"`)
    .default(example)

const isHttpUrl = (text: string) => {
  if (!URL.canParse(text)) return false
  const { protocol, username, password } = new URL(text)
  return (protocol === 'https:' || protocol === 'http:') && username === '' && password === ''
}
const httpUrl = z.string().refine(isHttpUrl, 'an absolute http:// or https:// URL without user name or password')

const notBlank = z.string().refine((text) => text.trim() !== '', 'text that is not blank')
const tokens = z.int('a positive whole number').positive('a positive whole number')
const price = z.number('a number of US dollars, 0 or more').nonnegative('a number of US dollars, 0 or more')

export const CuratedModel = z
  .strictObject({
    id: notBlank.describe('The model id, byte for byte.'),
    display_name: notBlank.optional().describe('The name to show.'),
    context_window: tokens.optional().describe('Tokens of input and output together.'),
    max_input_tokens: tokens.optional().describe('Tokens of input.'),
    max_output_tokens: tokens.optional().describe('Tokens of output.'),
    supports_tools: z.boolean().optional().describe('Whether it calls tools.'),
    supports_reasoning: z.boolean().optional().describe('Whether it reasons.'),
    reasoning_efforts: z
      .array(Effort)
      .optional()
      .describe('The efforts it takes, weakest first.')
      .refine((list) => list === undefined || new Set(list).size === list.length, 'each effort once'),
    default_reasoning_effort: Effort.optional().describe('The effort used when none is asked for.'),
    cost_input_per_million: price.optional().describe('US dollars per million tokens of input.'),
    cost_output_per_million: price.optional().describe('US dollars per million tokens of output.'),
  })
  .superRefine((model, context) => {
    const { reasoning_efforts: list, default_reasoning_effort: chosen } = model
    if (list !== undefined && chosen !== undefined && !list.includes(chosen)) {
      context.addIssue({ code: 'custom', path: ['default_reasoning_effort'], message: `one of its reasoning_efforts: ${list.join(', ')}` })
    }
  })
export type CuratedModel = z.infer<typeof CuratedModel>

export const Discovery = z
  .strictObject({
    enabled: z.boolean().optional().describe('Whether to ask the provider for its list.'),
    command: notBlank.optional().describe('A program that prints the list; run without a shell.'),
    endpoint: httpUrl.optional().describe('Where the list is.'),
    timeout: duration('10s').describe('How long one attempt may take.'),
  })
  .superRefine((discovery, context) => {
    if (discovery.command !== undefined && discovery.endpoint !== undefined) {
      context.addIssue({ code: 'custom', path: ['command'], message: 'either command or endpoint, not both' })
    }
  })

export const ProviderModels = z.strictObject({
  default: notBlank.optional().describe('The model used when none is chosen. Any id; it need not be listed anywhere.'),
  curated: z
    .array(CuratedModel)
    .default([])
    .describe('Facts about models. Never an allow-list: it hides nothing.')
    .superRefine((models, context) => {
      const seen = new Set<string>()
      for (const [index, { id }] of models.entries()) {
        if (seen.has(id)) context.addIssue({ code: 'custom', path: [index, 'id'], message: `an id that is not listed yet ("${id}" is repeated)` })
        seen.add(id)
      }
    }),
  discovery: Discovery.optional().describe('How the live list of this provider is found.'),
})

export const ProviderConfig = z.strictObject({
  display_name: notBlank.optional().describe('The name to show.'),
  kind: z.enum(['api', 'local', 'agent']).optional().describe('What it is: an API, a server on this machine, or a coding agent.'),
  base_url: httpUrl.optional().describe('Where its API is.'),
  models: ProviderModels.default({ curated: [] }),
})
export type ProviderConfig = z.infer<typeof ProviderConfig>

export const DEFAULT_PORT = 7365
const LOOPBACK_HOSTS = ['127.0.0.1', '::1', 'localhost'] as const

const DaemonConfig = z.strictObject({
  host: z.enum(LOOPBACK_HOSTS, 'a loopback address: 127.0.0.1, ::1 or localhost').default('127.0.0.1').describe('The loopback address to listen on. No other address is accepted.'),
  port: z.int('a port from 0 to 65535').min(0, 'a port from 0 to 65535').max(65535, 'a port from 0 to 65535').default(DEFAULT_PORT).describe('The TCP port; 0 takes any free one.'),
  log_level: z.enum(['debug', 'info', 'warn', 'error']).default('info').describe('How much goes to the log file.'),
  request_timeout: duration('30s').describe('A request that has not arrived completely by then is closed.'),
  requests_per_second: z.int('a positive whole number').positive('a positive whole number').default(20_000).describe('Requests per second on TCP before 429, with a burst of as many.'),
})

const ModelsDevConfig = z.strictObject({
  enabled: z.boolean().default(true).describe('Whether models.dev is asked at all.'),
  endpoint: httpUrl.default('https://models.dev/api.json').describe('Where the catalog is.'),
  ttl: duration('24h').describe('How long an answer counts as fresh.'),
  timeout: duration('10s').describe('How long one attempt may take.'),
})

const providerId = z.string().regex(PROVIDER_ID_PATTERN, 'lower-case letters, digits, ".", "_" and "-", starting with a letter or digit')

export const ConfigFile = z.strictObject({
  daemon: DaemonConfig.prefault({}),
  model_catalog: z
    .strictObject({ sources: z.strictObject({ models_dev: ModelsDevConfig.prefault({}) }).prefault({}) })
    .prefault({}),
  providers: z.record(providerId, ProviderConfig).default({}).describe('Providers by id.'),
})
export type ConfigFile = z.infer<typeof ConfigFile>

/** Keys that older tools used, and what to write instead. */
export const RETIRED_PROVIDER_KEYS: Readonly<Record<string, string>> = {
  default_model: 'models.default',
  supported_models: 'models.curated',
  supports_reasoning_effort: 'models.curated[].reasoning_efforts',
}
