/** Errors as answers, in the envelope that the path's clients expect. */
import { inspect } from 'node:util'
import { SignalboxError } from '@signalbox/contract/errors'
import type { Telemetry } from '../telemetry/telemetry.ts'
import { type Answer, type Headers, jsonAnswer } from './answer.ts'

const OPENAI_PREFIX = '/api/openai/'

export const isOpenAIPath = (path: string): boolean => path.startsWith(OPENAI_PREFIX)

/** Anything thrown, as an error of ours. What is not ours is a fault: the client learns nothing but that. */
export function toSignalboxError(error: unknown, telemetry: Telemetry): SignalboxError {
  if (error instanceof SignalboxError) return error
  telemetry.emit('daemon.fault', {
    error: error instanceof Error ? (error.stack ?? error.message) : inspect(error, { depth: 2 }),
  })
  return new SignalboxError('internal', 'a fault in Signalbox; the log has the details')
}

export function errorAnswer(error: SignalboxError, path: string, headers: Headers = {}): Answer {
  return jsonAnswer(errorBody(error, path), error.status, headers)
}

export function errorBody(error: SignalboxError, path: string): unknown {
  if (!isOpenAIPath(path)) return error
  return {
    error: {
      message: error.message,
      type: error.status >= 500 ? 'server_error' : 'invalid_request_error',
      param: error.details.field ?? null,
      code: error.code,
    },
  }
}
