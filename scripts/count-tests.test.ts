import { describe, expect, it, vi } from 'vitest'
import { countTests } from './count-tests.ts'

const file = (status: string, ...tests: string[]) => ({
  status,
  assertionResults: tests.map((test) => ({ status: test })),
})
const report =
  (numPassedTests: number, ...testResults: object[]) =>
  () =>
    JSON.stringify({ numPassedTests, testResults })

describe('the counts of a run', () => {
  it('are those of its tests', () => {
    const read = report(2, file('passed', 'passed'), file('failed', 'passed', 'failed', 'skipped'))
    expect(countTests(1, read)).toEqual({ passed: 2, failed: 1 })
  })

  it('have a failure for a file that could not be loaded', () => {
    expect(countTests(1, report(1, file('passed', 'passed'), file('failed')))).toEqual({ passed: 1, failed: 1 })
  })

  it('have a failure when only the exit code tells of one', () => {
    expect(countTests(1, report(1, file('passed', 'passed')))).toEqual({ passed: 1, failed: 1 })
  })

  it.each([
    [
      'is missing',
      () => {
        throw new Error('ENOENT')
      },
    ],
    ['is cut off', () => '{"numPassed'],
  ])('have a failure when the report %s, even with exit code 0', (_, read) => {
    const quiet = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    expect(countTests(0, read)).toEqual({ passed: 0, failed: 1 })
    quiet.mockRestore()
  })
})
