/** Every check of `npm test` beside the tests: a name and the command, found in `node_modules/.bin` or run on our Node. */
export interface Check {
  readonly name: string
  readonly command: readonly [string, ...string[]]
}

const script = (file: string): Check['command'] => [process.execPath, `scripts/${file}`]

export const CHECKS: readonly Check[] = [
  { name: 'types', command: ['tsc', '-p', '.'] },
  { name: 'promises', command: ['oxlint', '--type-aware', '--deny-warnings'] },
  { name: 'unused code', command: ['knip', '--no-progress', '--no-config-hints'] },
  { name: 'format and lint', command: ['biome', 'check', '--error-on-warnings', '--max-diagnostics=30'] },
  { name: 'layers', command: script('check-layers.ts') },
  { name: 'lockfile', command: script('check-lockfile.ts') },
  { name: 'requirements', command: script('check-requirements.ts') },
]
