import { describe, expect, it } from 'vitest'
import { terminalHeader } from './terminal.ts'

const screen = { isTTY: true, columns: 120 }

describe('the terminal header', () => {
  it.each([
    ['a terminal', screen, {}, 'width=120; color=1'],
    ['a pipe', {}, {}, null],
    ['NO_COLOR', screen, { NO_COLOR: '1' }, 'width=120'],
    ['an empty NO_COLOR, which counts as unset', screen, { NO_COLOR: '' }, 'width=120; color=1'],
    ['a dumb terminal', screen, { TERM: 'dumb' }, 'width=120'],
    ['a pipe with FORCE_COLOR', {}, { FORCE_COLOR: '1' }, 'color=1'],
    ['FORCE_COLOR=0 on a terminal', screen, { FORCE_COLOR: '0' }, 'width=120'],
    ['a terminal that does not know its width', { isTTY: true, columns: 0 }, {}, 'color=1'],
  ])('for %s (CAT-106)', (_, out, env, expected) => {
    expect(terminalHeader(out, env)).toBe(expected)
  })
})
