/** How a check script ends: each problem on a line, and exit code 1 when there is one. */
export function report(problems: readonly string[]): void {
  for (const problem of problems) console.error(problem)
  if (problems.length > 0) process.exitCode = 1
}
