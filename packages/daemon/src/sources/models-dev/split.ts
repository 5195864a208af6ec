/**
 * A JSON object's members one by one, each value still as text. Parsing 5 MB at once holds the event loop for some
 * 40 ms; parsing member by member lets the caller give way in between, and the parsed whole never exists at once.
 *
 * Exactly the texts that `JSON.parse` takes for an object are taken, provided the caller parses every value: here only
 * the outermost level is checked, and a value ends where its brackets and strings end. A repeated key is given twice.
 */
import { notJson, parseJson } from '../../http/parse-json.ts'

export type Member = readonly [key: string, valueText: string]

const [SPACE, TAB, LF, CR] = [0x20, 0x09, 0x0a, 0x0d]
const [QUOTE, BACKSLASH, COLON, COMMA] = [0x22, 0x5c, 0x3a, 0x2c]
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d]

/** Throws `source_failed` where the text is not a JSON object. */
export function* splitMembers(text: string): Generator<Member, void, undefined> {
  let at = expect(text, skipSpace(text, 0), OPEN_BRACE)
  at = skipSpace(text, at)
  if (text.charCodeAt(at) === CLOSE_BRACE) return atEnd(text, at + 1)
  for (;;) {
    const keyStart = skipSpace(text, at)
    const keyEnd = endOfString(text, expect(text, keyStart, QUOTE))
    const valueStart = skipSpace(text, expect(text, skipSpace(text, keyEnd), COLON))
    const valueEnd = endOfValue(text, valueStart)
    yield [parseKey(text.slice(keyStart, keyEnd)), text.slice(valueStart, valueEnd)]
    at = skipSpace(text, valueEnd)
    if (text.charCodeAt(at) === CLOSE_BRACE) return atEnd(text, at + 1)
    at = expect(text, at, COMMA)
  }
}

/** The text is a JSON string by its quotes; its escapes and control characters are checked here. */
function parseKey(text: string): string {
  const key = parseJson(text)
  if (typeof key !== 'string') throw notJson()
  return key
}

function skipSpace(text: string, from: number): number {
  for (let at = from; ; at++) {
    const unit = text.charCodeAt(at)
    if (unit !== SPACE && unit !== LF && unit !== CR && unit !== TAB) return at
  }
}

function expect(text: string, at: number, unit: number): number {
  if (text.charCodeAt(at) !== unit) throw notJson()
  return at + 1
}

function atEnd(text: string, from: number): void {
  if (skipSpace(text, from) !== text.length) throw notJson()
}

/** The place behind the closing quote of a string whose first character is at `from`. */
function endOfString(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit === QUOTE) return at + 1
    if (unit === BACKSLASH) at++
  }
  throw notJson()
}

function endOfValue(text: string, from: number): number {
  let depth = 0
  for (let at = from; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit === QUOTE) at = endOfString(text, at + 1) - 1
    else if (unit === OPEN_BRACE || unit === OPEN_BRACKET) depth++
    else if (depth === 0 && (unit === COMMA || unit === CLOSE_BRACE)) return at
    else if (unit === CLOSE_BRACE || unit === CLOSE_BRACKET) depth--
  }
  throw notJson()
}
