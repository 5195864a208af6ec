import { printable } from './sanitize.ts'

const SGR: Readonly<Record<string, string>> = { debug: '\u001b[2m', warn: '\u001b[33m', error: '\u001b[31m' }
const RESET = '\u001b[0m'

const show = (value: unknown): string => {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return /[\s"=]/.test(text) || text === '' ? JSON.stringify(text) : text
}

/** One log line for a person: time, level, event, then the fields that say something. Other text is left as it is. */
export function renderRecord(line: string, color: boolean): string {
  let record: unknown
  try {
    record = JSON.parse(line)
  } catch (error) {
    if (error instanceof SyntaxError) return printable(line) // a crash's last words, or half a line
    throw error
  }
  if (typeof record !== 'object' || record === null || !('event' in record)) return printable(line)
  const { time = '', level = '', event, ...fields }: Record<string, unknown> = { ...record }
  const said = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined)
  const parts = [
    String(time).replace('T', ' ').replace(/Z$/, ''),
    String(level).padEnd(5),
    String(event),
    ...said.map(([key, value]) => `${key}=${show(value)}`),
  ]
  const text = printable(parts.join('  '))
  const begin = SGR[String(level)]
  return color && begin !== undefined ? `${begin}${text}${RESET}` : text
}
