import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

let root: string
const put = (name: string, text: string) => writeFileSync(join(root, name), text)
const log = () => (existsSync(join(root, 'log')) ? readFileSync(join(root, 'log'), 'utf8').trim().split('\n') : [])

/** An npm that "installs" the running Node as the package of this platform, and writes down that it ran. */
const FAKE_NPM = `
  import { appendFileSync, mkdirSync, rmSync, symlinkSync } from 'node:fs'
  import { NODE_PACKAGES } from './scripts/with-node.mjs'
  appendFileSync('log', process.argv[2] + '\\n')
  if (process.env.NPM_FAILS) process.exit(7)
  rmSync('node_modules', { recursive: true, force: true })
  const bin = 'node_modules/' + NODE_PACKAGES[process.platform + '-' + process.arch] + '/bin'
  mkdirSync(bin, { recursive: true })
  if (!process.env.NPM_OMITS_NODE) symlinkSync(process.execPath, bin + '/node')
`
const setup = (env: NodeJS.ProcessEnv = {}) =>
  spawnSync(process.execPath, ['scripts/setup.mjs'], {
    cwd: root,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, npm_execpath: join(root, 'npm.mjs'), npm_node_execpath: process.execPath, ...env },
  })

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'signalbox set-up-'))
  mkdirSync(join(root, 'scripts'))
  for (const name of ['setup.mjs', 'with-node.mjs'])
    cpSync(join(import.meta.dirname, name), join(root, 'scripts', name))
  put('scripts/build.ts', `import { appendFileSync } from 'node:fs'; appendFileSync('log' as string, 'build\\n')`)
  put('npm.mjs', FAKE_NPM)
  put('package-lock.json', '{}')
})
afterEach(() => rmSync(root, { recursive: true }))

describe('set-up', () => {
  it('installs and builds on a fresh clone, and only builds afterwards', () => {
    expect(setup()).toMatchObject({ status: 0, stderr: '' })
    expect(setup().status).toBe(0)
    expect(log()).toEqual(['install', 'build', 'build'])
  })

  it('installs again when the lockfile changed', () => {
    setup()
    put('package-lock.json', '{ }')
    setup()
    expect(log()).toEqual(['install', 'build', 'install', 'build'])
  })

  it('fails without building when npm fails, and tries again the next time', () => {
    const { status, stderr } = setup({ NPM_FAILS: '1' })
    expect(status).toBe(1)
    expect(stderr).toBe('signalbox: npm install failed; its messages are above.\n')
    expect(setup().status).toBe(0)
    expect(log()).toEqual(['install', 'install', 'build'])
  })

  it('says so when npm left the Node package out', () => {
    const { status, stderr } = setup({ NPM_OMITS_NODE: '1' })
    expect(status).toBe(1)
    expect(stderr).toMatch(/^signalbox: node-\S+ is not installed\. Run "npm install" .*\n$/)
  })

  it('fails when the build fails', () => {
    put('scripts/build.ts', 'process.exitCode = 3')
    expect(setup().status).toBe(3)
  })

  it('says in one sentence that a platform has no Node package', () => {
    const script = `import { ourNode } from '${pathToFileURL(join(root, 'scripts/with-node.mjs'))}'; ourNode('plan9-mips')`
    const { stderr, status } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      encoding: 'utf8',
      cwd: root,
    })
    expect(status).toBe(1)
    expect(stderr).toContain('There is no Node package for plan9-mips')
  })

  it('lists the same Node packages in package.json, in the launcher and in the scripts', () => {
    const repo = join(import.meta.dirname, '..')
    const manifest = JSON.parse(readFileSync(join(repo, 'package.json'), 'utf8')) as { optionalDependencies: object }
    const launcher = readFileSync(join(repo, 'bin/signalbox'), 'utf8')
    const script = readFileSync(join(repo, 'scripts/with-node.mjs'), 'utf8')
    const packages = Object.keys(manifest.optionalDependencies).filter((name) => name.startsWith('node-'))
    expect(packages).toHaveLength(4)
    for (const name of packages) {
      expect(launcher).toContain(` ${name}`)
      expect(script).toContain(`'${name}'`)
    }
  })
})
