/**
 * Every way in which a known secret can be written: plain, escaped for JSON (also JSON inside of JSON), for a URL, a
 * shell, JavaScript or HTML, and as base64 (also in the middle of something longer, such as `user:secret`) or hex.
 */
const SHORT_ESCAPES: Readonly<Record<string, string>> = {
  '\b': 'b',
  '\t': 't',
  '\n': 'n',
  '\v': 'v',
  '\f': 'f',
  '\r': 'r',
}
const ENTITIES: Readonly<Record<string, string>> = { '"': 'quot', "'": 'apos', '&': 'amp', '<': 'lt', '>': 'gt' }

/** Quoting doubles backslashes at each level; four levels are enough, and a bound keeps the match linear. */
const ESCAPE = String.raw`\\{1,16}`
const ALPHANUMERIC = /^[A-Za-z0-9]$/

/** A pattern source that matches the text in any of its spellings. */
export function spellings(secret: string): string {
  const bytes = Buffer.from(secret)
  const encoded = [...base64Cores(bytes).map(anySpelling), bytes.toString('hex'), bytes.toString('hex').toUpperCase()]
  return [anySpelling(secret), ...encoded.filter((form) => form.length >= 8)].join('|')
}

/** A run of backslashes is one unit: spelled one by one, their repeats would multiply. */
const UNITS = /\\+|[^\\]/gu

function anySpelling(text: string): string {
  const units = text.match(UNITS) ?? []
  return units
    .map((unit, index) => {
      if (ALPHANUMERIC.test(unit)) return unit
      if (unit.startsWith('\\')) return backslashes(unit.length)
      // Not on the first unit: a match that could start with any number of backslashes would not be linear.
      const quoted = index > 0 && !units[index - 1]?.startsWith('\\') ? String.raw`\\{0,16}` : ''
      return `(?:${quoted}${literal(unit)}|${escapes(unit).join('|')})`
    })
    .join('')
}

const codeUnits = (text: string) => Array.from({ length: text.length }, (_, index) => text.charCodeAt(index))
const literal = (text: string) =>
  codeUnits(text)
    .map((unit) => `\\u${hex(unit, 4)}`)
    .join('')

const backslashes = (count: number) => String.raw`(?:\\{${count},${16 * count}}|(?:${percent('\\')}){${count}})`

function escapes(character: string): readonly string[] {
  const forms = [
    codeUnits(character)
      .map((unit) => `${ESCAPE}u${anyCase(hex(unit, 4))}`)
      .join(''),
  ]
  const code = character.codePointAt(0) ?? 0
  if (code <= 0xff) forms.push(`${ESCAPE}x${anyCase(hex(code, 2))}`)
  if (character.isWellFormed()) forms.push(percent(character))
  if (character === ' ') forms.push(String.raw`\+`)
  if (character === "'") forms.push(String.raw`'\\{1,16}''`)
  const short = SHORT_ESCAPES[character]
  if (short !== undefined) forms.push(ESCAPE + short)
  const entity = ENTITIES[character]
  if (entity !== undefined) forms.push(`&(?:${entity}|#0{0,3}${code}|#[xX]0{0,3}${anyCase(hex(code, 2))});`)
  return forms
}

/** Also encoded twice or three times, where the sign itself becomes `%25`. */
const percent = (character: string) =>
  [...Buffer.from(character)].map((byte) => `%(?:25){0,2}${anyCase(hex(byte, 2))}`).join('')

const hex = (value: number, digits: number) => value.toString(16).padStart(digits, '0')
const anyCase = (digits: string) => digits.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)

/**
 * Base64 writes three bytes as four characters, so the same bytes have three forms, by where they start. The characters
 * that they share with their neighbours are left out: what remains is in every encoding of a text that holds them.
 */
function base64Cores(bytes: Buffer): readonly string[] {
  const cores = [0, 1, 2].map((offset) => {
    const padded = Buffer.concat([Buffer.alloc(offset), bytes])
    const text = padded.toString('base64').replace(/=+$/, '')
    const shared = padded.length % 3 === 0 ? 0 : 1
    return text.slice(offset === 0 ? 0 : offset + 1, text.length - shared)
  })
  const urlSafe = cores.map((core) => core.replaceAll('+', '-').replaceAll('/', '_'))
  return [...new Set([...cores, ...urlSafe])].filter((core) => core.length >= 8)
}
