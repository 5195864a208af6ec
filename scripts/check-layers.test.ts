import { describe, expect, it } from 'vitest'
import { importsOf, resolveImport, violations } from './check-layers.ts'

describe('what a module imports', () => {
  it('holds every form in which another module can be named', () => {
    const source = `
      import a from './a.ts'
      import type { B } from './b.ts'
      import './c.ts'
      export * from './d.ts'
      export { e } from './e.ts'
      export type { F } from './f.ts'
      const g = () => import('./g.ts')
      type H = import('./h.ts').H
      const text = "import './not-an-import.ts'" // import './nor-this.ts'
    `
    expect([...importsOf('x.ts', source)].sort()).toEqual(
      ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((n) => `./${n}.ts`),
    )
  })

  it('refuses text that is not TypeScript', () => {
    expect(() => importsOf('x.ts', 'import {')).toThrow('x.ts')
  })

  it('is a path from the root for our own modules, and a name otherwise', () => {
    const from = 'packages/daemon/src/server/app.ts'
    expect(resolveImport(from, '../store/store.ts')).toBe('packages/daemon/src/store/store.ts')
    expect(resolveImport(from, '@signalbox/contract/ids')).toBe('packages/contract/src/ids.ts')
    expect(resolveImport(from, 'node:fs')).toBe('node:fs')
    expect(resolveImport(from, 'hono/tiny')).toBe('hono/tiny')
  })
})

describe('a violation', () => {
  it.each([
    ['packages/contract/src/a.ts', '@signalbox/core/time'],
    ['packages/contract/src/a.ts', 'node:fs'],
    ['packages/core/src/a.ts', '@signalbox/daemon/store/store'],
    ['packages/core/src/a.ts', '../../daemon/src/store/store.ts'],
    ['packages/core/src/catalog/a.ts', 'node:crypto'],
    ['packages/cli/src/a.ts', '@signalbox/core/time'],
    ['packages/cli/src/a.ts', '@signalbox/daemon/server/app'],
    ['packages/daemon/src/main.ts', '@signalbox/cli/main'],
    ['packages/daemon/src/platform/a.ts', '../store/store.ts'],
    ['packages/daemon/src/telemetry/a.ts', '../server/app.ts'],
    ['packages/daemon/src/credentials/a.ts', '../telemetry/telemetry.ts'],
    ['packages/daemon/src/credentials/a.ts', '@signalbox/core/time'],
    ['packages/daemon/src/store/a.ts', '../catalog/catalog.ts'],
    ['packages/daemon/src/sources/a.ts', '../catalog/catalog.ts'],
    ['packages/daemon/src/sources/models-dev/a.ts', '../../server/app.ts'],
    ['packages/daemon/src/server/routes/a.ts', '../../store/store.ts'],
    ['packages/daemon/src/server/a.ts', '../credentials/find.ts'],
    ['packages/daemon/src/store/a.ts', './store.cases.ts'],
    ['packages/daemon/src/main.ts', '../../../test/harness/daemon.ts'],
    ['packages/daemon/src/main.ts', './store/testing/run-child.ts'],
    ['packages/daemon/src/main.ts', './store/store.arbitraries.ts'],
  ])('is that %s imports %s', (file, specifier) => {
    expect(violations(file, `import type { X } from '${specifier}'`)).toHaveLength(1)
  })

  it.each([
    ['packages/core/src/a.ts', '@signalbox/contract/ids'],
    ['packages/cli/src/a.ts', '@signalbox/daemon/platform/home'],
    ['packages/cli/src/a.ts', 'node:net'],
    ['packages/daemon/src/catalog/a.ts', '../store/store.ts'],
    ['packages/daemon/src/server/a.ts', '../catalog/catalog.ts'],
    ['packages/daemon/src/credentials/a.ts', '../platform/home.ts'],
    ['packages/daemon/src/server/a.test.ts', '../store/store.ts'],
    ['packages/daemon/src/store/a.test.ts', './store.cases.ts'],
  ])('is not that %s imports %s', (file, specifier) => {
    expect(violations(file, `import '${specifier}'`)).toEqual([])
  })

  it('names the file, the import and the reason', () => {
    expect(violations('packages/core/src/a.ts', `import 'node:fs'`)).toEqual([
      'packages/core/src/a.ts imports node:fs: core is pure: no I/O',
    ])
  })
})
