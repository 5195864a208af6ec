/** Turns vitest's exit code and JSON report into counts that cannot look better than the run was. */
export interface Counts {
  readonly passed: number
  readonly failed: number
}

interface Report {
  readonly numPassedTests: number
  readonly testResults: readonly {
    readonly status: string
    readonly assertionResults: readonly { readonly status: string }[]
  }[]
}

/** `read` returns the report's text and may throw: a run that died before writing it is one failure. */
export function countTests(exitCode: number, read: () => string): Counts {
  let report: Report
  try {
    report = JSON.parse(read()) as Report // our own vitest's format
  } catch (error) {
    console.error(`vitest left no report: ${error instanceof Error ? error.message : String(error)}`)
    return { passed: 0, failed: 1 }
  }
  let failed = 0
  for (const { status, assertionResults } of report.testResults) {
    const inFile = assertionResults.filter((test) => test.status === 'failed').length
    // A file that could not be loaded has no tests to fail.
    failed += inFile === 0 && status === 'failed' ? 1 : inFile
  }
  // Unhandled errors and "no tests" show only in the exit code.
  return { passed: report.numPassedTests, failed: exitCode !== 0 && failed === 0 ? 1 : failed }
}
