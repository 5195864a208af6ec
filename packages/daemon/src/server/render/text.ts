/** Text for a terminal: nothing a source sent can move the cursor, change colours or hide characters. */
import { TERMINAL_UNSAFE } from '@signalbox/contract/terminal'

/** Control and escape characters as visible escapes: `\u{1b}`. */
export function printable(text: string): string {
  return text.replace(TERMINAL_UNSAFE, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`)
}

const ASCII = /^[\x20-\x7e]*$/
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}]/u
const segmenter = new Intl.Segmenter()

/** Columns a text takes on a terminal. */
export function displayWidth(text: string): number {
  if (ASCII.test(text)) return text.length
  let width = 0
  for (const { segment } of segmenter.segment(text)) width += WIDE.test(segment) ? 2 : 1
  return width
}

/** Cut to `width` columns, with an ellipsis where something was cut. */
export function fit(text: string, width: number): string {
  if (displayWidth(text) <= width) return text
  let cut = ''
  let used = 0
  for (const { segment } of segmenter.segment(text)) {
    const next = displayWidth(segment)
    if (used + next > width - 1) break
    cut += segment
    used += next
  }
  return `${cut}…`
}
