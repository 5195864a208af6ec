import { SignalboxError } from '@signalbox/contract/errors'
import type { Telemetry } from '../telemetry/telemetry.ts'
import { GateRefusal } from './outcome.ts'

const PLAIN_NAME = /^[A-Za-z]{1,40}$/

/** Our own errors are written for people; anything else may quote what a provider sent, so only its kind is told. */
export function describeFailure(error: unknown, telemetry: Telemetry): string {
  if (error instanceof SignalboxError || error instanceof GateRefusal) return error.message || 'the source failed'
  const kind = error instanceof Error ? (PLAIN_NAME.test(error.name) ? error.name : 'Error') : typeof error
  telemetry.emit('daemon.fault', { error: [kind, ...framesOf(error)].join('\n') })
  return `the source failed unexpectedly (${kind})`
}

/** Where it happened, for us; without the message, which may span lines. */
function framesOf(error: unknown): string[] {
  const stack = error instanceof Error ? (error.stack ?? '') : ''
  return stack.split('\n').filter((line) => /^\s+at .*:\d+:\d+\)?$/.test(line))
}
