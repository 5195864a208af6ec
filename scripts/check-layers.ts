/**
 * Dependency direction: who may import whom. Type imports count, because a type is knowledge too. Tests are free to
 * set up whatever they need; nothing may import a test.
 */
import { readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { parseSync, Visitor } from 'oxc-parser'
import { report } from './report.ts'
import { sourceFiles, TEST_ONLY } from './source-files.ts'

interface Rule {
  readonly from: RegExp
  /** What it may import; with `never`, what it may not. A target is a path from the root, or a package or `node:` name. */
  readonly only?: RegExp
  readonly never?: RegExp
  readonly why: string
}

const OWN = '^packages/'
const daemon = (...folders: string[]) => new RegExp(`${OWN}daemon/src/(?:${folders.join('|')})/`)
/** Of our own code only these; any npm package or Node module is fine (knip checks that it is declared). */
const ownOnly = (...paths: string[]) => new RegExp(`^(?!packages/)|${OWN}(?:${paths.join('|')})`)

export const RULES: readonly Rule[] = [
  {
    from: /^packages\//,
    never: new RegExp(`^(?:test|scripts|bench)/|${TEST_ONLY.source}`),
    why: 'the product does not import tests or tooling',
  },
  { from: /^packages\/contract\//, only: ownOnly('contract/'), why: 'contract stands alone' },
  { from: /^packages\/contract\//, never: /^node:/, why: 'contract is shapes: it must run anywhere' },
  { from: /^packages\/core\//, only: ownOnly('contract/', 'core/'), why: 'core imports contract only' },
  { from: /^packages\/core\//, never: /^(?:node:|bun:|undici$|hono)/, why: 'core is pure: no I/O' },
  {
    from: /^packages\/cli\//,
    only: ownOnly('contract/', 'cli/', 'daemon/src/platform/'),
    why: 'the CLI knows the contract and where the home is; the daemon does the work',
  },
  {
    from: /^packages\/daemon\//,
    only: ownOnly('contract/', 'core/', 'daemon/'),
    why: 'the daemon does not know the CLI',
  },
  { from: daemon('platform'), only: ownOnly('contract/', 'daemon/src/platform/'), why: 'platform is the bottom layer' },
  {
    from: daemon('telemetry'),
    only: ownOnly('contract/', 'core/', 'daemon/src/(?:telemetry|platform)/'),
    why: 'everything reports to telemetry; it knows nobody',
  },
  {
    from: daemon('credentials'),
    only: ownOnly('contract/', 'daemon/src/(?:credentials|platform|processes)/'),
    why: 'a secret has one home, and that home has no other business',
  },
  {
    from: daemon('store'),
    only: ownOnly('contract/', 'core/', 'daemon/src/(?:store|platform|telemetry)/'),
    why: 'a store holds and decides nothing',
  },
  {
    from: daemon('sources'),
    never: daemon('catalog', 'server', 'refresh', 'store'),
    why: 'a source fetches and translates; it never sees the snapshot',
  },
  {
    from: daemon('server'),
    never: daemon('store', 'credentials'),
    why: 'a surface reads snapshots, never the store or a secret',
  },
]

/** Everything a module names as its dependency: imports, re-exports, `import()` and `import('…').Type`. */
export function importsOf(file: string, source: string): readonly string[] {
  const { module, program, errors } = parseSync(file, source)
  if (errors[0] !== undefined) throw new Error(`${file}: ${errors[0].message}`)
  const found = module.staticImports.map(({ moduleRequest }) => moduleRequest.value)
  for (const { entries } of module.staticExports) {
    for (const { moduleRequest } of entries) if (moduleRequest) found.push(moduleRequest.value)
  }
  const literal = (node: { readonly type: string }) => {
    if (node.type === 'Literal' && 'value' in node && typeof node.value === 'string') found.push(node.value)
  }
  new Visitor({
    ImportExpression: (node) => literal(node.source),
    TSImportType: (node) => literal(node.source),
  }).visit(program)
  return found
}

/** A path from the root for our own modules; the bare name of anything else. */
export function resolveImport(file: string, specifier: string): string {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(file), specifier)
  const own = /^@signalbox\/([^/]+)(?:\/(.+))?$/.exec(specifier)
  return own === null ? specifier : `packages/${own[1]}/src/${own[2] ?? 'index'}.ts`
}

export function violations(file: string, source: string, rules: readonly Rule[] = RULES): readonly string[] {
  if (TEST_ONLY.test(file)) return []
  const targets = importsOf(file, source).map((specifier) => resolveImport(file, specifier))
  return rules
    .filter(({ from }) => from.test(file))
    .flatMap(({ only, never, why }) =>
      targets
        .filter((target) => (only !== undefined && !only.test(target)) || never?.test(target) === true)
        .map((target) => `${file} imports ${target}: ${why}`),
    )
}

if (import.meta.main) {
  const root = dirname(import.meta.dirname)
  report(sourceFiles(root).flatMap((file) => violations(file, readFileSync(join(root, file), 'utf8'))))
}
