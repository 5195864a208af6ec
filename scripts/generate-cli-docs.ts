/** Writes `docs/cli.md` from the command table; a test beside the table fails when the page has fallen behind. */
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { cliPage } from '@signalbox/cli/docs-page'

writeFileSync(join(dirname(import.meta.dirname), 'docs', 'cli.md'), cliPage())
