/**
 * Makes a checkout ready: installs when the lockfile is not the one that was installed last, then builds. Plain
 * JavaScript without dependencies, because it runs first and on the machine's own Node (18 or later).
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fail, ourNode, root, runOurNode } from './with-node.mjs'

const STAMP = join(root, 'node_modules', '.signalbox-lock')

function installedLock() {
  try {
    return readFileSync(STAMP, 'utf8')
  } catch (error) {
    if (error.code === 'ENOENT') return null // never installed by us
    throw error
  }
}

/** The npm that runs us, on the Node that runs it: ours is inside the folder that npm is about to change. */
function npmCommand() {
  const { npm_execpath: npm, npm_node_execpath: node } = process.env
  return npm && node ? [node, npm] : ['npm']
}

// Not `npm ci`: scripts/check-lockfile.ts says why. `--loglevel=error` leaves out the warnings that this Node is too old
// for some packages: they will run on ours.
const INSTALL = [
  'install',
  '--no-save',
  '--include=dev',
  '--include=optional',
  '--prefer-offline',
  '--no-progress',
  '--loglevel=error',
]

function install() {
  const [command, ...args] = npmCommand()
  console.log('Installing dependencies (npm install)')
  const { status, error } = spawnSync(command, [...args, ...INSTALL], { cwd: root, stdio: 'inherit' })
  if (error) throw new Error(`npm could not be started: ${error.message}`)
  if (status !== 0) throw new Error('npm install failed; its messages are above.')
}

try {
  const lock = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')
  if (installedLock() !== lock) {
    install()
    ourNode() // a platform without a Node package is told before the stamp says that all is well
    writeFileSync(STAMP, lock)
  }
  process.exitCode = await runOurNode(['scripts/build.ts'])
} catch (error) {
  fail(error) // nothing here is recoverable: one sentence and exit 1
}
