/**
 * Values whose name says that they are secret: `api_key=…`, `"clientSecret": "…"`, `password: …`, in plain text, in
 * JSON, and in JSON inside of JSON. The end of a quoted value is found by counting backslashes, which no regular
 * expression does well.
 */
import { REDACTED } from './secret-shapes.ts'

/** Without a left edge, so that `OPENAI_API_KEY` and `accessToken` are found by their ends. */
const NAMES = [
  'api[_-]?key',
  'access[_-]?key',
  'secret[_-]?key',
  'private[_-]?key',
  'session[_-]?key',
  'secret',
  'token',
  'pass(?:word|wd|phrase)',
  'code[_-]?verifier',
  'device[_-]?code',
  'authorization',
  'cookie',
]
const QUOTE = String.raw`\\{0,16}["']`
const NAME_AND_SIGN = new RegExp(
  String.raw`(${NAMES.join('|')})(${QUOTE})?\s{0,4}(?:[:=]|%3[aAdD])\s{0,4}(${QUOTE})?`,
  'gi',
)

/** What a bare value ends at, by the name in front of it. */
const BARE = /[^\s"'\\&,;(){}[\]<>]+/y
const BARE_BY_NAME: Readonly<Record<string, RegExp>> = {
  authorization: /(?:(?:Bearer|Basic|Token|Digest|ApiKey|Negotiate)\s{1,4})?(?:\[redacted\]|[^\s"'\\,;(){}[\]<>]+)/iy,
  cookie: /[^"'\\\r\n]+/y,
}

/** Values that say that there is no secret. */
const NO_SECRET = /^(?:null|undefined|true|false|none|)$/i

export function redactPairs(text: string): string {
  let out = ''
  let copied = 0
  NAME_AND_SIGN.lastIndex = 0
  for (let match = NAME_AND_SIGN.exec(text); match !== null; match = NAME_AND_SIGN.exec(text)) {
    const [, name = '', nameQuote, quote] = match
    const start = NAME_AND_SIGN.lastIndex
    const end = quote === undefined ? endOfBare(text, start, name) : endOfQuoted(text, start, quote)
    const value = text.slice(start, end)
    if (NO_SECRET.test(value) || value === REDACTED) continue
    // A bare value after a quoted name is a JSON number: the mark needs its own quotes to stay JSON.
    const mark = quote === undefined && nameQuote?.endsWith('"') ? nameQuote + REDACTED + nameQuote : REDACTED
    out += text.slice(copied, start) + mark
    copied = end
    NAME_AND_SIGN.lastIndex = end
  }
  return out + text.slice(copied)
}

function endOfBare(text: string, start: number, name: string): number {
  const pattern = BARE_BY_NAME[name.toLowerCase()] ?? BARE
  pattern.lastIndex = start
  return pattern.test(text) ? pattern.lastIndex : start
}

/**
 * A quote with no more backslashes in front than the opening one closes the value; one with more is inside of it. A
 * single quote is not escaped by JSON, so an unescaped double quote ends that value too.
 */
function endOfQuoted(text: string, start: number, opening: string): number {
  const depth = opening.length - 1
  const single = opening.endsWith("'")
  const quotes = single ? /\\*["']/g : /\\*"/g
  quotes.lastIndex = start
  for (let match = quotes.exec(text); match !== null; match = quotes.exec(text)) {
    const [closing] = match
    const closes = single && closing.endsWith('"') ? closing.length === 1 : closing.length - 1 <= depth
    if (closes) return match.index
  }
  return text.length
}
