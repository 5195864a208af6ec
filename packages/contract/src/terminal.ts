/**
 * What a terminal would obey or hide: C0, DEL and C1 controls, line separators, the marks that reorder text, and the byte
 * order mark. No text of a source reaches a terminal with one of these in it.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
export const TERMINAL_UNSAFE = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu
