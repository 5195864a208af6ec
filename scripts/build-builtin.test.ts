import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadBuiltin } from '../packages/daemon/src/sources/builtin.ts'
import { translateModelsDev } from '../packages/daemon/src/sources/models-dev/translate.ts'

const SCRIPT = join(import.meta.dirname, 'build-builtin.ts')
const DOCUMENT = {
  acme: {
    name: 'Acme',
    npm: '@ai-sdk/groq',
    models: {
      a: { id: 'a', name: 'A', description: 'not to be shipped', limit: { context: 1000, output: 0 } },
      b: { id: 'b', cost: { input: 0 } },
      broken: { name: 'has no id' },
    },
  },
}
const PI = { 'openai-completions': { a: { api: 'openai-completions', baseUrl: 'https://acme.test/v1' } } }

let dir: string
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'signalbox-build-'))
  mkdirSync(join(dir, 'pi'))
  writeFileSync(join(dir, 'api.json'), JSON.stringify(DOCUMENT))
  writeFileSync(join(dir, 'pi', 'acme.json'), JSON.stringify(PI))
})
afterAll(() => rmSync(dir, { recursive: true, force: true }))

const run = (...args: readonly string[]) =>
  spawnSync(process.execPath, [SCRIPT, ...args], { cwd: dir, encoding: 'utf8' })

describe('building the built-in catalog', () => {
  it('writes a file that loads to what was translated, and names what it dropped', () => {
    const { status, stdout } = run('api.json', 'pi', '--date', '2026-01-02', '--out', 'out.json')
    expect(status).toBe(0)
    expect(stdout).toContain('1 providers, 2 models')
    expect(stdout).toContain('dropped: acme ?: no id')
    const { date, lists, providers } = loadBuiltin(join(dir, 'out.json'))
    expect(date).toBe('2026-01-02')
    expect(lists.map(({ provider_id, rows }) => ({ provider_id, rows }))).toEqual(translateModelsDev(DOCUMENT).lists)
    const acme = { name: 'Acme', base_url: 'https://acme.test/v1', api: 'openai-completions', env: [], docs: null }
    expect([...providers]).toEqual([['acme', acme]])
    expect(readFileSync(join(dir, 'out.json'), 'utf8')).not.toContain('not to be shipped')
  })

  it('writes the same bytes again for the same input', () => {
    for (const out of ['1.json', '2.json']) run('api.json', 'pi', '--date', '2026-01-02', '--out', out)
    expect(readFileSync(join(dir, '2.json'))).toEqual(readFileSync(join(dir, '1.json')))
  })

  it.each([[['api.json']], [['api.json', '--date', 'today']], [['--date', '2026-01-02']]])(
    'explains itself for %j',
    (args) => {
      const { status, stderr } = run(...args)
      expect(status).toBe(2)
      expect(stderr).toContain('usage:')
    },
  )
})
