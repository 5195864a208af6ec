import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { COMMANDS } from './commands.ts'
import { cliPage } from './docs-page.ts'

it('is what docs/cli.md holds: run scripts/generate-cli-docs.ts after a change (CAT-109)', () => {
  expect(readFileSync(join(import.meta.dirname, '../../../docs/cli.md'), 'utf8')).toBe(cliPage())
})

it('has a section for every command that is not hidden, with its flags (CAT-109)', () => {
  for (const { path, flags, hidden } of COMMANDS) {
    const section = cliPage()
      .split(/^## /m)
      .find((text) => text.startsWith(`signalbox ${path.join(' ')}\n`))
    expect(section !== undefined).toBe(hidden === undefined)
    for (const flag of flags)
      if (section !== undefined && flag.hidden === undefined) expect(section).toContain(`--${flag.name}`)
  }
})
