/** The licences of what was bundled into `dist/`: most of them ask to be kept with every copy. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const PACKAGE = /^node_modules\/((?:@[^/]+\/)?[^/]+)\//
const LICENSE_FILE = /^(licen[cs]e|copying)(\.|-|$)/i

/** @param inputs paths relative to `root` of every file that a bundle was made from */
export function bundledLicenses(root: string, inputs: Iterable<string>): string {
  const names = new Set([...inputs].flatMap((path) => PACKAGE.exec(path)?.[1] ?? []))
  return [...names]
    .sort()
    .map((name) => licenseOf(root, name))
    .join('\n')
}

interface Manifest {
  readonly version: string
  readonly license?: string
  readonly author?: unknown
}

function licenseOf(root: string, name: string): string {
  const dir = join(root, 'node_modules', name)
  const { version, license, author } = JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8')) as Manifest
  const file = readdirSync(dir).find((entry) => LICENSE_FILE.test(entry))
  if (file === undefined && license === undefined) throw new Error(`${name} is bundled, but states no licence`)
  const text =
    file === undefined
      ? `The package has no licence file; its manifest says ${license}${author === undefined ? '' : `, by ${JSON.stringify(author)}`}.`
      : readFileSync(join(dir, file), 'utf8').trim()
  return `${name} ${version} (${license ?? 'see below'})\n\n${text}\n\n${'-'.repeat(80)}\n`
}
