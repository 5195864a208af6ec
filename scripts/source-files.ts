/** The TypeScript files of the repository, as paths from its root with `/`. */
import { globSync } from 'node:fs'

const SOURCES = ['packages/*/src/**/*.ts', 'scripts/**/*.ts', 'test/**/*.ts', 'bench/**/*.ts']

/** Files that hold tests. */
export const TEST_FILE = /\.(?:test|cases)\.ts$/

/** Files that exist for tests only. */
export const TEST_ONLY = /\.(?:test|cases|arbitraries)\.ts$|\/testing\//

export function sourceFiles(root: string): readonly string[] {
  return globSync(SOURCES, { cwd: root }).sort()
}
