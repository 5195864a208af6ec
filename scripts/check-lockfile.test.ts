import { describe, expect, it } from 'vitest'
import { checkLockfile } from './check-lockfile.ts'

const root = { devDependencies: { b: '1', a: '2' }, optionalDependencies: { o: '1' } }
const cli = { dependencies: { c: '^3' } }
const packages = {
  '': root,
  'packages/cli': cli,
  'node_modules/@signalbox/cli': { resolved: 'packages/cli', link: true },
}

describe('the lockfile', () => {
  it('is fine when it knows what every package.json asks for, in any order', () => {
    const reordered = { ...root, devDependencies: { a: '2', b: '1' } }
    expect(checkLockfile({ packages }, { '': reordered, 'packages/cli': cli })).toEqual([])
  })

  it.each([
    ['a new dependency', { dependencies: { c: '^3', d: '1' } }],
    ['another range', { dependencies: { c: '^4' } }],
    ['a removed dependency', {}],
  ])('is stale when a package.json has %s', (_, changed) => {
    expect(checkLockfile({ packages }, { '': root, 'packages/cli': changed })).toEqual([
      'package-lock.json does not have the dependencies of packages/cli/package.json: run "npm install"',
    ])
  })

  it('is stale when it does not know a workspace', () => {
    expect(checkLockfile({ packages: { '': root } }, { '': root, 'packages/cli': cli })).toHaveLength(1)
  })

  it('must not name a registry', () => {
    const named = { ...packages, 'node_modules/c': { resolved: 'https://registry.example/c.tgz' } }
    expect(checkLockfile({ packages: named }, {})).toEqual([expect.stringContaining('node_modules/c')])
  })
})
