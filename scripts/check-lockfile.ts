/**
 * What `npm ci` would have checked, and cannot here: a registry mirror may lack the packages of other platforms, npm then
 * leaves them out of the lockfile, and `npm ci` refuses it. Set-up runs `npm install --no-save` instead, which would
 * install whatever a package.json says that the lockfile does not know. Also: the lockfile names no registry.
 */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { report } from './report.ts'

type Dependencies = Readonly<Record<string, string>>
interface Manifest {
  readonly dependencies?: Dependencies
  readonly devDependencies?: Dependencies
  readonly optionalDependencies?: Dependencies
}
interface Lockfile {
  readonly packages: Readonly<Record<string, Manifest & { readonly resolved?: string }>>
}

const KINDS = ['dependencies', 'devDependencies', 'optionalDependencies'] as const
const listed = (dependencies: Dependencies = {}) => JSON.stringify(Object.entries(dependencies).sort())

/** `manifests` by folder from the root, `''` for the root itself, as the lockfile names them. */
export function checkLockfile(lock: Lockfile, manifests: Readonly<Record<string, Manifest>>): readonly string[] {
  const drift = Object.entries(manifests).flatMap(([folder, manifest]) =>
    KINDS.filter((kind) => listed(manifest[kind]) !== listed(lock.packages[folder]?.[kind])).map(
      (kind) => `package-lock.json does not have the ${kind} of ${join(folder, 'package.json')}: run "npm install"`,
    ),
  )
  const hosts = Object.entries(lock.packages)
    .filter(([, { resolved }]) => resolved !== undefined && /^[a-z+]+:/.test(resolved))
    .map(([name]) => `package-lock.json names a registry for ${name}: keep omit-lockfile-registry-resolved in .npmrc`)
  return [...drift, ...hosts]
}

if (import.meta.main) {
  const root = dirname(import.meta.dirname)
  const read = (file: string): unknown => JSON.parse(readFileSync(join(root, file), 'utf8'))
  const folders = ['', ...globSync('packages/*/package.json', { cwd: root }).map(dirname)]
  const manifests = Object.fromEntries(
    folders.map((folder) => [folder, read(join(folder, 'package.json')) as Manifest]),
  )
  report(checkLockfile(read('package-lock.json') as Lockfile, manifests)) // npm's own formats
}
