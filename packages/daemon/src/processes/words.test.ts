import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { splitWords } from './words.ts'

describe('a command line', () => {
  it.each<[string, readonly string[]]>([
    ['op read op://a/b/c', ['op', 'read', 'op://a/b/c']],
    ['  a \t b  ', ['a', 'b']],
    ['', []],
    ["''", ['']],
    ['a "" b', ['a', '', 'b']],
    [`a'b c'd"e f"`, ['ab cde f']],
    [String.raw`a\ b \'c \\`, ['a b', "'c", '\\']],
    [String.raw`"a\"b\\c\$d\ne"`, [String.raw`a"b\c$d\ne`]],
    [String.raw`'a\b$c|d'`, [String.raw`a\b$c|d`]],
    ['a#b c~d', ['a#b', 'c~d']],
    ['--x=ä\u{1f600}', ['--x=ä\u{1f600}']],
  ])('is split as a shell does: %s', (line, words) => {
    expect(splitWords(line)).toEqual(words)
  })

  it.each(["a 'b", 'a "b', 'a \\', `'a"`])('with a quote that is not closed is refused: %s', (line) => {
    expect(() => splitWords(line)).toThrow(expect.objectContaining({ problem: 'unclosed_quote' }))
  })

  it.each([
    'a | b',
    'a; b',
    'a && b',
    'a > b',
    'a $B',
    'a "$B"',
    'a `b`',
    'a $(b)',
    'a *',
    '~/a',
    'a\nb',
    '# a',
    'a\0b',
  ])('with what only a shell understands is refused, not run differently: %s', (line) => {
    expect(() => splitWords(line)).toThrow(expect.objectContaining({ problem: 'shell_syntax' }))
  })

  it('of any words, quoted, gives those words, as a real shell does', () => {
    const quoted = (word: string) => `'${word.replaceAll("'", String.raw`'\''`)}'`
    const anyWords = fc.array(
      fc.string({ unit: 'grapheme' }).filter((word) => !word.includes('\0')),
      { minLength: 1 },
    )
    fc.assert(
      fc.property(anyWords, (words) => {
        expect(splitWords(words.map(quoted).join(' '))).toEqual(words)
      }),
    )
    const line = String.raw`'a b' "c\"d" e\ f 'g'\''h' "i\j" k''l`
    const shell = execFileSync('sh', ['-c', `printf '%s\\0' ${line}`], { encoding: 'utf8' })
    expect(splitWords(line)).toEqual(shell.split('\0').slice(0, -1))
  })

  it('of any text gives words or our own error, which does not quote it', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', ' ', "'", '"', '\\', '$', '|', '~', '\n') }), (line) => {
        try {
          expect(splitWords(line).every((word) => typeof word === 'string')).toBe(true)
        } catch (error) {
          // Expected: a line that is refused.
          expect(error).toMatchObject({ name: 'CommandError' })
        }
      }),
    )
  })
})
