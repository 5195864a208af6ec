import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    environment: 'node',
    include: ['packages/**/*.test.ts', 'test/**/*.test.ts', 'scripts/**/*.test.ts'],
    passWithNoTests: false,
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 20_000,
    retry: 0,
  },
})
