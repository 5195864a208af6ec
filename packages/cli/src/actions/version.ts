import type { Action } from '../context.ts'
import { print } from '../output.ts'

/** Replaced when the program is bundled. */
const VERSION = process.env.SIGNALBOX_VERSION ?? 'dev'

export const version: Action = async ({ stdout }) => {
  await print(stdout, `signalbox ${VERSION}\n`)
  return 0
}
