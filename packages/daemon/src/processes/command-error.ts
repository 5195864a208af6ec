/** Why a command reference gave no value. Nothing of the command line or its output is ever in here. */
export const COMMAND_PROBLEMS = {
  no_command: 'the command is empty',
  unclosed_quote: 'the command has a quote that is not closed, or ends in a backslash',
  shell_syntax: "the command has shell syntax, and is run without a shell: quote it, or write sh -c '…'",
  not_started: 'the command could not be started',
  failed: 'the command failed',
  timed_out: 'the command did not end in time',
  too_much_output: 'the command printed too much',
  no_output: 'the first line that the command printed is empty',
  malformed_output: 'the first line that the command printed has characters that cannot be sent, or is too long',
  stopped: 'the command was stopped',
} as const
export type CommandProblem = keyof typeof COMMAND_PROBLEMS

export class CommandError extends Error {
  readonly problem: CommandProblem

  /** No cause: Node's own errors hold the command line. */
  constructor(problem: CommandProblem) {
    super(COMMAND_PROBLEMS[problem])
    this.name = 'CommandError'
    this.problem = problem
  }
}
