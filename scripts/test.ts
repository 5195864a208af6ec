/**
 * `npm test`: all checks, two at a time, then all tests. Everything runs even when something failed; the last line is
 * `N passed, N failed`, in which each check counts as one. Arguments go to vitest: `npm test -- packages/core`.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { CHECKS, type Check } from './checks.ts'
import { type Counts, countTests } from './count-tests.ts'

const root = dirname(import.meta.dirname)
const env = {
  ...process.env,
  PATH: [dirname(process.execPath), join(root, 'node_modules/.bin'), process.env.PATH].join(delimiter),
}

interface Ended {
  readonly code: number
  readonly output: string
}

function run(command: readonly [string, ...string[]], stdio: 'pipe' | 'inherit'): Promise<Ended> {
  const [program, ...args] = command
  const child = spawn(program, args, { cwd: root, env, stdio: ['ignore', stdio, stdio] })
  let output = ''
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => (output += chunk))
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => (output += chunk))
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ code: 1, output: error.message }))
    child.once('close', (code) => resolve({ code: code ?? 1, output }))
  })
}

async function runCheck({ name, command }: Check): Promise<boolean> {
  const start = performance.now()
  const { code, output } = await run(command, 'pipe')
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)`)
  if (code !== 0) console.log(output.trimEnd())
  return code === 0
}

async function runChecks(): Promise<Counts> {
  const queue = CHECKS.values()
  const results: boolean[] = []
  const worker = async () => {
    for (const check of queue) results.push(await runCheck(check))
  }
  await Promise.all([worker(), worker()])
  const passed = results.filter(Boolean).length
  return { passed, failed: results.length - passed }
}

async function runTests(args: readonly string[]): Promise<Counts> {
  const dir = mkdtempSync(join(tmpdir(), 'signalbox-test-'))
  const file = join(dir, 'results.json')
  try {
    const vitest = join(root, 'node_modules/vitest/vitest.mjs')
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
    const { code } = await run([process.execPath, vitest, 'run', '--allowOnly=false', ...reporters, ...args], 'inherit')
    return countTests(code, () => readFileSync(file, 'utf8'))
  } finally {
    rmSync(dir, { recursive: true })
  }
}

const args = process.argv.slice(2)
const checksOnly = args.includes('--checks-only')
const checks = await runChecks()
const tests = checksOnly ? { passed: 0, failed: 0 } : await runTests(args)
const failed = checks.failed + tests.failed
console.log(`${checks.passed + tests.passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
