/** What is wrong with a configuration file, in words that are safe to print and log. */
import type { ConfigProblem } from '@signalbox/contract/daemon'

export type Path = readonly (string | number)[]

const SHOWN_CHARACTERS = 80
const BARE_KEY = /^[A-Za-z0-9_-]+$/

/** Quoted and cut, with control characters escaped: a file cannot write escape sequences to a terminal through us. */
export function quote(text: string): string {
  const cut = text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text
  return JSON.stringify(cut).replace(/[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g, unicodeEscape)
}

const unicodeEscape = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/** `providers.codex.models.curated[1].id` */
export function showPath(path: Path): string {
  return path
    .map((part, index) => {
      if (typeof part === 'number') return `[${part}]`
      const key = BARE_KEY.test(part) && part.length <= SHOWN_CHARACTERS ? part : quote(part)
      return index === 0 ? key : `.${key}`
    })
    .join('')
}

/** A problem of the whole file, which has no line. */
export function fileProblem(file: string, message: string, expected: string): ConfigProblem {
  return { file, line: null, column: null, path: null, message, expected }
}

/** `file:line:column message`, as the log, statuses and errors show it. */
export function problemLine({ file, line, column, message }: ConfigProblem): string {
  return line === null || column === null ? `${file} ${message}` : `${file}:${line}:${column} ${message}`
}
