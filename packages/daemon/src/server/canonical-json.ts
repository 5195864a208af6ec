/** Canonical JSON as bytes: compact, one final line feed, and no control character raw, whatever a source put in a text. */
export const canonicalJson = (value: unknown): Buffer => escapeControls(Buffer.from(`${JSON.stringify(value)}\n`))

const DEL = 0x7f
/** First byte of U+0080 to U+00BF in UTF-8; the controls among them have a second byte below 0xA0. */
const C1_LEAD = 0xc2
const C1_END = 0xa0

/**
 * JSON escapes controls below U+0020 by itself, but not DEL and U+0080 to U+009F, which a terminal obeys as well. In JSON
 * they stand only inside strings, so each can be replaced by its escape. Returns the same buffer where there is none.
 */
export function escapeControls(json: Buffer): Buffer {
  const parts: Buffer[] = []
  let copied = 0
  for (let at = nextControl(json, 0); at >= 0; at = nextControl(json, copied)) {
    const [code, length] = json[at] === DEL ? [DEL, 1] : [json[at + 1] ?? 0, 2]
    parts.push(json.subarray(copied, at), Buffer.from(`\\u00${code.toString(16)}`))
    copied = at + length
  }
  return parts.length === 0 ? json : Buffer.concat([...parts, json.subarray(copied)])
}

function nextControl(json: Buffer, from: number): number {
  const del = json.indexOf(DEL, from)
  const c1 = nextC1(json, from, del < 0 ? json.length : del)
  return c1 < 0 ? del : c1
}

function nextC1(json: Buffer, from: number, end: number): number {
  for (let at = json.indexOf(C1_LEAD, from); at >= 0 && at < end; at = json.indexOf(C1_LEAD, at + 2)) {
    if ((json[at + 1] ?? C1_END) < C1_END) return at
  }
  return -1
}
