/** Telemetry in one place: a record is made, rendered once, redacted once, logged, and handed to whoever listens. */
import {
  EVENT_LEVEL,
  type EventFields,
  type EventName,
  type EventRecord,
  LEVELS,
  type Level,
} from '@signalbox/contract/events'
import type { Log } from './log-file.ts'
import type { Secrets } from './redact.ts'
import type { Telemetry } from './telemetry.ts'

export interface TelemetryOptions {
  readonly log: Pick<Log, 'append'>
  /** How much goes to the log. Listeners get everything. */
  readonly level: Level
  readonly now: () => number
  readonly secrets: Pick<Secrets, 'redact'>
}

export interface EventBus extends Telemetry {
  /** For a configuration that changed. */
  setLevel(level: Level): void
}

type Listener = Parameters<Telemetry['subscribe']>[0]
interface Rendered {
  readonly record: EventRecord
  readonly line: string
}

const isAtLeast = (level: Level, least: Level) => LEVELS.indexOf(level) >= LEVELS.indexOf(least)

export function createTelemetry({ log, level, now, secrets }: TelemetryOptions): EventBus {
  let least = level
  /** Wrapped, so that one function can listen twice and leave once. */
  const subscriptions = new Set<{ readonly listener: Listener }>()
  /** What a listener emits waits for its turn: everyone sees events in the order of the log. */
  const queue: Rendered[] = []
  let delivering = false

  function emit<E extends EventName>(event: E, fields: EventFields[E]): void {
    const level: Level = EVENT_LEVEL[event]
    const rendered = render({ time: new Date(now()).toISOString(), level, event, ...fields }, secrets)
    if (isAtLeast(level, least)) log.append(rendered.line)
    queue.push(rendered)
    if (!delivering) deliverAll()
  }

  function deliverAll(): void {
    delivering = true
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      for (const subscription of [...subscriptions]) deliver(subscription, next)
    }
    delivering = false
  }

  function deliver(subscription: { readonly listener: Listener }, { record, line }: Rendered): void {
    if (!subscriptions.has(subscription)) return
    try {
      subscription.listener(record, line)
    } catch (error) {
      // Expected from nobody: the listener is at fault, and the others must not notice.
      subscriptions.delete(subscription)
      emit('daemon.fault', { error: `An event listener failed at ${record.event} and was removed: ${describe(error)}` })
    }
  }

  return {
    emit,
    subscribe(listener) {
      const subscription = { listener }
      subscriptions.add(subscription)
      return () => void subscriptions.delete(subscription)
    },
    setLevel(changed) {
      least = changed
    },
  }
}

const describe = (error: unknown) => (error instanceof Error ? `${error.name}: ${error.message}` : String(error))

/** The record is read back from the line: no listener ever sees what the line does not show. */
function render(fields: object, { redact }: Pick<Secrets, 'redact'>): Rendered {
  const plain = JSON.stringify(fields)
  const redacted = redact(plain)
  const line = redacted === plain || isJson(redacted) ? redacted : redactByValue(fields, redact)
  return { record: JSON.parse(line) as EventRecord, line }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch (error) {
    // Expected: a secret that looks like a number, or that ends in a backslash, took some of the JSON along.
    if (error instanceof SyntaxError) return false
    throw error
  }
}

const redactByValue = (fields: object, redact: Secrets['redact']): string =>
  JSON.stringify(fields, (_key, value: unknown) => {
    if (typeof value !== 'string' && typeof value !== 'number') return value
    const redacted = redact(String(value))
    return redacted === String(value) ? value : redacted
  })
