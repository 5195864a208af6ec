/** A provider's list from a program of the user's: `[providers.<id>.models.discovery] command`. */
import type { ModelId, ProviderId, SourceId } from '@signalbox/contract/ids'
import type { StatedRow } from '@signalbox/contract/row'
import { NO_FACTS } from '@signalbox/core/catalog/facts'
import { childEnvironment } from '../../credentials/child-environment.ts'
import type { Credential } from '../../credentials/resolve.ts'
import type { Environment } from '../../credentials/value.ts'
import { CallError } from '../../http/failures.ts'
import { parseJson } from '../../http/parse-json.ts'
import { CommandError } from '../../processes/command-error.ts'
import { programOutput } from '../../processes/program-output.ts'
import { splitWords } from '../../processes/words.ts'
import { type Source, SourceFailure } from '../source.ts'
import type { Page } from './dialect.ts'
import { DIALECTS } from './dialects.ts'

export interface CommandTarget {
  readonly provider_id: ProviderId
  readonly command: string
  readonly timeoutMs: number
  /** Null where the provider has none; the program is run all the same, it may know better. */
  readonly credential: Credential | null
  /** The variable in which the program finds the credential. */
  readonly credentialName: string | null
}

const TTL_MS = 3_600_000
const MAX_BYTES = 8 * 1024 * 1024

export function commandSource(target: CommandTarget, environment: Environment, directory: string): Source {
  const { provider_id, command, timeoutMs } = target
  return {
    id: `provider_live:${provider_id}` as SourceId,
    kind: 'provider_live',
    scope: { kind: 'providers', provider_ids: [provider_id] },
    ttlMs: TTL_MS,
    timeoutMs,
    enabled: true,
    identity: JSON.stringify([command, target.credential?.ref ?? null]),
    // It may ask anybody, and so is not run while offline.
    network: true,
    mayBeEmpty: false,
    async list({ signal }) {
      const { rows, rejected } = await run(target, environment, directory, signal)
      return {
        kind: 'rows',
        lists: [{ provider_id, rows }],
        rejected: rejected.map((row) => ({ ...row, provider_id })),
        validators: {},
      }
    },
  }
}

async function run(
  { command, timeoutMs, credential, credentialName }: CommandTarget,
  environment: Environment,
  directory: string,
  signal: AbortSignal,
): Promise<Pick<Page, 'rows' | 'rejected'>> {
  const secret = credential?.secret ?? null
  const own = secret === null || credentialName === null ? {} : { [credentialName]: secret.reveal() }
  try {
    const [program = '', ...args] = splitWords(command)
    const options = {
      environment: { ...childEnvironment(environment), ...own },
      directory,
      signal,
      timeoutMs,
      maxBytes: MAX_BYTES,
    }
    return rowsOf((await programOutput(program, args, options)).toString('utf8'))
  } catch (error) {
    // Expected: it is missing, failed, hung, or printed something else.
    if (error instanceof CommandError) throw new SourceFailure(error.message, 'provider_unreachable', null)
    throw error
  }
}

/** JSON in any form that an OpenAI-compatible list has, or one id per line. */
function rowsOf(output: string): Pick<Page, 'rows' | 'rejected'> {
  const page = /^\s*[[{]/.test(output) ? jsonPage(output) : null
  if (page !== null) return page
  const rows = lineRows(output)
  if (rows.length === 0)
    throw new SourceFailure('the command did not print a list of models', 'provider_unreachable', null)
  return { rows, rejected: [] }
}

function jsonPage(output: string): Page {
  try {
    const page = DIALECTS['openai-compatible'].parse(parseJson(output))
    if (page !== null) return page
  } catch (error) {
    // Expected: cut short, or no JSON.
    if (!(error instanceof CallError)) throw error
  }
  throw new SourceFailure('the command did not print a list of models', 'provider_unreachable', null)
}

const HEADINGS: ReadonlySet<string> = new Set(['id', 'model', 'name'])
const ID_MAX = 512

function lineRows(output: string): StatedRow[] {
  const ids = output.split('\n').flatMap((line) => line.trim().split(/\s+/)[0] || [])
  return [...new Set(ids)]
    .filter((id) => !HEADINGS.has(id.toLowerCase()) && id.length <= ID_MAX)
    .map((id) => ({
      model_id: id as ModelId,
      facts: NO_FACTS,
      available: true,
      denial: null,
      refreshed_at: null,
      expires_at: null,
      declared_stale: false,
    }))
}
