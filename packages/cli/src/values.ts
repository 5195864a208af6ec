/**
 * What arguments and flags may hold. The patterns repeat those of the contract, whose modules load zod: the CLI cannot
 * afford that at start, so a test compares the two.
 */
export const PROVIDER_ID = /^[a-z0-9][a-z0-9._-]*$/
export const REQUEST_ID = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/
export const SOURCE_ID =
  /^(?:config|models_dev|builtin|provider_live:[a-z0-9][a-z0-9._-]*|extension:[a-z0-9][a-z0-9_-]*)$/
export const LIMIT_MAX = 100_000

interface Value {
  readonly placeholder: string
  readonly accepts: (text: string) => boolean
  readonly expected: string
  /** Fixed words that a mistyped value is compared with. */
  readonly known?: readonly string[]
}

const wholeNumber = (text: string, from: number, to: number) =>
  /^\d{1,9}$/.test(text) && Number(text) >= from && Number(text) <= to

/** `provider/model`, split at the first slash: model ids hold slashes themselves. */
export function splitModel(text: string): { readonly provider: string; readonly model: string } | null {
  const slash = text.indexOf('/')
  const provider = text.slice(0, slash)
  const model = text.slice(slash + 1)
  return slash > 0 && model !== '' && PROVIDER_ID.test(provider) ? { provider, model } : null
}

export const VALUES = {
  provider: {
    placeholder: 'provider',
    accepts: (text) => PROVIDER_ID.test(text),
    expected: 'a provider id: lower-case letters, digits, ".", "_" and "-", starting with a letter or digit',
  },
  model: {
    placeholder: 'provider/model',
    accepts: (text) => splitModel(text) !== null,
    expected: 'a provider id, "/" and a model id, such as openai/gpt-5.2',
  },
  source: {
    placeholder: 'id',
    accepts: (text) => SOURCE_ID.test(text),
    expected: 'config, models_dev, builtin, provider_live:<provider> or extension:<slug>',
    known: ['config', 'models_dev', 'builtin'],
  },
  request: {
    placeholder: 'id',
    accepts: (text) => REQUEST_ID.test(text),
    expected: 'up to 128 letters, digits, ".", "_", ":" and "-", starting with a letter or digit',
  },
  limit: {
    placeholder: 'n',
    accepts: (text) => wholeNumber(text, 1, LIMIT_MAX),
    expected: `a whole number from 1 to ${LIMIT_MAX}`,
  },
  lines: {
    placeholder: 'lines',
    accepts: (text) => wholeNumber(text, 0, 1_000_000),
    expected: 'a whole number from 0 to 1000000',
  },
  directory: {
    placeholder: 'dir',
    accepts: (text) => text.trim() !== '' && !text.includes('\0'),
    expected: 'a directory',
  },
  text: { placeholder: 'text', accepts: () => true, expected: 'text' },
  word: { placeholder: 'word', accepts: () => true, expected: 'a word' },
} as const satisfies Record<string, Value>

export type ValueKind = keyof typeof VALUES

export const valueRule = (kind: ValueKind): Value => VALUES[kind]
