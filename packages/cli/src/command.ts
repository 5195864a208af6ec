/** What a command is. Parsing, help, completion and `docs/cli.md` all read these shapes and nothing else. */
import type { ValueKind } from './values.ts'

export interface Flag {
  readonly name: string
  readonly short?: string
  readonly description: string
  /** What it takes; with neither `value` nor `choices` it is a switch. */
  readonly value?: ValueKind
  readonly choices?: readonly string[]
  readonly default?: string
  /** The query parameter or body field that it becomes. */
  readonly field?: string
  readonly hidden?: true
}

export interface Argument {
  readonly name: string
  readonly value: ValueKind
  readonly required: boolean
  readonly many?: true
  readonly choices?: readonly string[]
  readonly description: string
}

export interface Example {
  readonly line: string
  readonly does: string
}

export interface Command {
  readonly path: readonly string[]
  readonly summary: string
  readonly about?: string
  readonly action: ActionName
  /** `{/provider}` is the argument as a path segment, or nothing when it is not given. */
  readonly route?: string
  readonly arguments: readonly Argument[]
  readonly flags: readonly Flag[]
  readonly examples: readonly Example[]
  readonly hidden?: true
}

/** Words that only hold other commands. */
export interface Group {
  readonly path: readonly string[]
  readonly summary: string
}

export type ActionName =
  | 'show'
  | 'explain'
  | 'refresh'
  | 'auth-list'
  | 'auth-add'
  | 'auth-remove'
  | 'auth-test'
  | 'daemon-run'
  | 'daemon-start'
  | 'daemon-stop'
  | 'daemon-status'
  | 'config-path'
  | 'config-check'
  | 'logs'
  | 'completion'
  | 'complete'
  | 'version'
  | 'help'

/** A command line that was understood. Switches that are on hold `true`. */
export interface Invocation {
  readonly command: Command
  readonly args: readonly string[]
  readonly flags: ReadonlyMap<string, string>
}

export type OutputFormat = 'table' | 'text' | 'json' | 'jsonl'

export const takesValue = (flag: Flag): boolean => flag.value !== undefined || flag.choices !== undefined
