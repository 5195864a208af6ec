/** C0 and C1 controls, DEL, line separators, and the marks that reorder text: what a terminal would obey. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to keep out
const OBEYED = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

const escaped = (char: string) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`

/** Foreign text for a terminal: what it would obey is shown as `\u001b` instead. Line feeds stay, indented. */
export const printable = (text: string): string =>
  text.replace(OBEYED, (char) => (char === '\n' ? '\n  ' : char === '\t' ? ' ' : escaped(char)))

/** JSON text with the same value, in which nothing is left that a terminal would obey. Line feeds between tokens stay. */
export const printableJson = (json: string): string =>
  json.replace(OBEYED, (char) => (char === '\n' ? char : escaped(char)))
