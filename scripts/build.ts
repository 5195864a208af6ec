/**
 * Bundles the two programs into `dist/`, apart from each other: the CLI loads one small file and nothing of the daemon's.
 * The CLI is CommonJS, because starting it is measured against bare Node, and an ES module's `import … from 'node:fs'`
 * reads every export of it, `fs.promises` and half of readline included. In the daemon `import()` becomes a chunk that is
 * read only when it is reached.
 */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { build } from 'esbuild'
import { bundledLicenses } from './bundled-licenses.ts'

export interface Program {
  readonly name: string
  readonly entry: string
  readonly format: 'esm' | 'cjs'
}

const PROGRAMS: readonly Program[] = [
  { name: 'cli', entry: 'packages/cli/src/main.ts', format: 'cjs' },
  { name: 'daemon', entry: 'packages/daemon/src/main.ts', format: 'esm' },
]

/** Some dependencies are CommonJS and call `require` for Node's own modules. */
const REQUIRE_BANNER = `import { createRequire as __createRequire } from 'node:module'
const require = __createRequire(import.meta.url)`

/** What differs between the two formats. */
const FORMATS = {
  esm: { splitting: true, outExtension: { '.js': '.mjs' }, define: {}, banner: {} },
  cjs: {
    splitting: false,
    outExtension: { '.js': '.cjs' },
    define: { 'import.meta.url': '__programUrl' },
    banner: { js: "const __programUrl = require('node:url').pathToFileURL(__filename).href" },
  },
} as const

async function bundle(root: string, outdir: string, version: string, { name, entry, format }: Program) {
  const { define, ...options } = FORMATS[format]
  const { outputFiles, metafile, warnings } = await build({
    absWorkingDir: root,
    entryPoints: { [name]: entry },
    outdir,
    write: false,
    metafile: true,
    bundle: true,
    format,
    ...options,
    platform: 'node',
    target: 'node24',
    chunkNames: `${name}-[name]-[hash]`,
    // In sources: `process.env.SIGNALBOX_VERSION ?? 'dev'`, which also works unbundled.
    define: { ...define, 'process.env.SIGNALBOX_VERSION': JSON.stringify(version) },
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    logLevel: 'silent', // errors are thrown, warnings told below
  })
  for (const { text, location } of warnings) console.warn(`${location?.file ?? entry}:${location?.line ?? 0}: ${text}`)
  const needsRequire = format === 'esm' && Object.values(metafile.inputs).some((input) => input.format === 'cjs')
  const files = outputFiles.map(({ path, text }) => ({
    path,
    text: needsRequire ? `${REQUIRE_BANNER}\n${text}` : text,
  }))
  return { files, inputs: Object.keys(metafile.inputs) }
}

/** What is there now, or null. */
function current(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null // a new file
    throw error
  }
}

/**
 * Builds all programs, then writes: a failed build leaves `outdir` as it was, unchanged files are not touched, and each
 * file is replaced whole, so that a daemon that runs from `outdir` never reads half of one.
 */
export async function buildAll(root: string, outdir: string, programs: readonly Program[] = PROGRAMS): Promise<void> {
  const manifest: unknown = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  if (typeof manifest !== 'object' || manifest === null || !('version' in manifest))
    throw new Error('package.json has no version')
  const version = String(manifest.version)
  const bundles = await Promise.all(programs.map((program) => bundle(root, outdir, version, program)))
  const licenses = bundledLicenses(
    root,
    bundles.flatMap(({ inputs }) => inputs),
  )
  const files = bundles.flatMap((one) => one.files)
  if (licenses !== '') files.push({ path: join(outdir, 'LICENSES.txt'), text: licenses })
  mkdirSync(outdir, { recursive: true })
  for (const { path, text } of files) {
    if (current(path) === text) continue
    const draft = `${path}.${process.pid}.tmp`
    writeFileSync(draft, text)
    renameSync(draft, path)
  }
  const wanted = new Set(files.map(({ path }) => basename(path)))
  for (const name of readdirSync(outdir)) if (!wanted.has(name)) rmSync(join(outdir, name), { recursive: true })
}

if (import.meta.main) {
  const root = dirname(import.meta.dirname)
  try {
    await buildAll(root, join(root, 'dist'))
  } catch (error) {
    // a fault in the sources; esbuild's message names file and line
    console.error(`signalbox: ${error instanceof Error ? error.message : String(error)}`)
    process.exitCode = 1
  }
}
