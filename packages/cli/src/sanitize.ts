import { TERMINAL_UNSAFE } from '@signalbox/contract/terminal'

const escaped = (char: string) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`

/** Foreign text for a terminal: what it would obey is shown as `\u001b` instead. Line feeds stay, indented. */
export const printable = (text: string): string =>
  text.replace(TERMINAL_UNSAFE, (char) => (char === '\n' ? '\n  ' : char === '\t' ? ' ' : escaped(char)))

/** JSON text with the same value, in which nothing is left that a terminal would obey. Line feeds between tokens stay. */
export const printableJson = (json: string): string =>
  json.replace(TERMINAL_UNSAFE, (char) => (char === '\n' ? char : escaped(char)))
