import { describe, expect, it } from 'vitest'
import { COMMANDS, GLOBAL_FLAGS, GROUPS } from './commands.ts'
import { helpPage } from './help.ts'
import { parse } from './parse.ts'

const listed = COMMANDS.filter(({ hidden }) => hidden === undefined)

describe('help', () => {
  it('fits on one screen and names every command or its group', () => {
    const lines = helpPage([]).split('\n')
    expect(lines.length).toBeLessThanOrEqual(24)
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(100)
    for (const { path } of listed) expect(helpPage([])).toMatch(new RegExp(`^  ${path[0]}`, 'm'))
  })

  it.each(listed.map((command) => [command.path.join(' '), command] as const))(
    'of %s shows every flag, argument and example (CAT-109)',
    (_, command) => {
      const page = helpPage(command.path)
      for (const { name, hidden } of command.flags) expect(page.includes(`--${name}`)).toBe(hidden === undefined)
      for (const { name } of GLOBAL_FLAGS) expect(page).toContain(`--${name}`)
      for (const { name, description } of command.arguments) expect(page).toContain(`${name}  ${description}`)
      for (const { line } of command.examples) expect(page).toContain(line)
      expect(command.examples).not.toHaveLength(0)
    },
  )

  it('of a group lists what is in it', () => {
    expect(helpPage(['daemon'])).toMatch(/daemon run .*\n.*daemon start .*\n.*daemon stop .*\n.*daemon status /)
    for (const { path } of GROUPS) expect(helpPage(path)).toContain('Commands')
  })

  it('shows only examples that work', () => {
    const examples = listed
      .flatMap(({ examples }) => examples.map(({ line }) => line))
      .filter((line) => line.startsWith('signalbox '))
    expect(examples.length).toBeGreaterThan(10)
    for (const line of examples)
      expect(() =>
        parse(
          line
            .replace(/ \|.*$/, '')
            .split(' ')
            .slice(1),
        ),
      ).not.toThrow()
  })

  it('has no escape sequence unless titles are asked for in bold', () => {
    expect(helpPage(['models'])).not.toContain('\u001b')
    expect(helpPage(['models'], (text) => `\u001b[1m${text}\u001b[0m`)).toContain('\u001b[1mUsage\u001b[0m')
  })

  it('of an unknown command is a usage error with the nearest name (CAT-110)', () => {
    expect(() => helpPage(['daemon', 'strat'])).toThrow(
      expect.objectContaining({ code: 'usage', details: expect.objectContaining({ candidates: ['daemon start'] }) }),
    )
  })
})
