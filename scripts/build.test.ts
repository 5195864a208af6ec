import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { buildAll } from './build.ts'

let root: string
const put = (name: string, text: string) => writeFileSync(join(root, name), text)
const dist = () => readdirSync(join(root, 'dist')).sort()
const build = () =>
  buildAll(root, join(root, 'dist'), [
    { name: 'cli', entry: 'main.ts', format: 'cjs' },
    { name: 'daemon', entry: 'other.ts', format: 'esm' },
  ])
const run = (program: 'cli.cjs' | 'daemon.mjs', ...args: string[]) =>
  execFileSync(process.execPath, [join(root, 'dist', program), ...args], { encoding: 'utf8' })

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'signalbox-build-'))
  put('package.json', '{ "version": "9.8.7", "type": "module" }')
  put(
    'main.ts',
    `
    import { shared } from './shared.ts'
    const version: string = process.env.SIGNALBOX_VERSION ?? 'dev'
    console.log(version, shared, import.meta.url.endsWith('/dist/cli.cjs'))
  `,
  )
  put('lazy.ts', `export const say = () => console.log('lazy part')`)
  put('shared.ts', `export const shared = 'shared'`)
  put(
    'other.ts',
    `
    import { shared } from './shared.ts'
    if (process.argv[2] === 'lazy') (await import('./lazy.ts')).say()
    else console.log(shared)
  `,
  )
})
afterEach(() => rmSync(root, { recursive: true }))

describe('the build', () => {
  it('makes programs that run, with the version of package.json', async () => {
    await build()
    expect(run('cli.cjs')).toBe('9.8.7 shared true\n')
    expect(run('daemon.mjs')).toBe('shared\n')
  })

  it('keeps lazily imported parts out of the main file, and the two programs apart', async () => {
    await build()
    expect(readFileSync(join(root, 'dist/daemon.mjs'), 'utf8')).not.toContain('lazy part')
    expect(run('daemon.mjs', 'lazy')).toBe('lazy part\n')
    expect(dist()).toEqual(['cli.cjs', expect.stringMatching(/^daemon-lazy-\w+\.mjs$/), 'daemon.mjs'])
  })

  it('gives CommonJS dependencies a require', async () => {
    put('legacy.cjs', `const { sep } = require('node:path'); exports.sep = sep`)
    put('other.ts', `import { sep } from './legacy.cjs'; console.log(sep)`)
    await build()
    expect(run('daemon.mjs')).toBe('/\n')
  })

  it('keeps the licences of what it bundles, and refuses what has none', async () => {
    mkdirSync(join(root, 'node_modules/@them/part'), { recursive: true })
    put('node_modules/@them/part/package.json', '{ "version": "1.2.3", "main": "index.js" }')
    put('node_modules/@them/part/index.js', 'exports.part = 1')
    put('other.ts', `import { part } from '@them/part'; console.log(part)`)
    await expect(build()).rejects.toThrow('@them/part is bundled, but states no licence')
    put('node_modules/@them/part/LICENSE.md', 'Do as you please.')
    await build()
    expect(readFileSync(join(root, 'dist/LICENSES.txt'), 'utf8')).toMatch(
      /^@them\/part 1\.2\.3 \(see below\)\n\nDo as you please\.\n/,
    )
  })

  it('removes the files of an earlier build and leaves unchanged ones untouched', async () => {
    mkdirSync(join(root, 'dist'))
    put('dist/daemon-old-ABC.mjs', '')
    await build()
    const { ino } = statSync(join(root, 'dist/cli.cjs'))
    put('lazy.ts', `export const say = () => console.log('other text')`)
    await build()
    expect(dist()).toHaveLength(3)
    expect(run('daemon.mjs', 'lazy')).toBe('other text\n')
    expect(statSync(join(root, 'dist/cli.cjs')).ino).toBe(ino)
  })

  it('fails on a missing entry and leaves the last build as it was', async () => {
    await build()
    rmSync(join(root, 'other.ts'))
    await expect(build()).rejects.toThrow('other.ts')
    expect(run('cli.cjs')).toBe('9.8.7 shared true\n')
  })
})
