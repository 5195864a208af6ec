import type { Socket } from 'node:net'
import type { Writable } from 'node:stream'
import type { Invocation, OutputFormat } from './command.ts'

/** What an action may touch. */
export interface Context {
  readonly invocation: Invocation
  /** The URL of the program itself: the daemon's bundle is beside it. */
  readonly program: string
  /** Starts a daemon in the background, or waits for one that somebody else is starting. */
  readonly start: () => Promise<Started>
  readonly env: NodeJS.ProcessEnv
  readonly stdout: Writable & { readonly isTTY?: boolean; readonly columns?: number }
}

/** A connection to the daemon, and whether it is one that we started. */
export interface Started {
  readonly socket: Socket
  readonly started: boolean
}

/** Resolves to the exit code. */
export type Action = (context: Context) => Promise<number>

const FORMATS: readonly OutputFormat[] = ['table', 'text', 'json', 'jsonl']

export const outputOf = ({ flags }: Invocation): OutputFormat =>
  FORMATS.find((format) => format === flags.get('output')) ?? 'table'
