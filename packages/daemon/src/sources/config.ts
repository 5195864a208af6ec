/** The `config` source: the operator's file, read anew at each refresh. */
import { SignalboxError } from '@signalbox/contract/errors'
import type { ConfigService } from '../config/config-service.ts'
import { problemLine } from '../config/problem.ts'
import { CONFIG_SOURCE, configRows } from './config-rows.ts'
import type { Source } from './source.ts'

const TIMEOUT_MS = 5_000

/** A file with problems is a failed refresh that names the first; the rows of the last good one stay. */
export function configSource(service: Pick<ConfigService, 'file' | 'reload'>): Source {
  return {
    id: CONFIG_SOURCE,
    kind: 'config',
    scope: { kind: 'global' },
    ttlMs: null,
    timeoutMs: TIMEOUT_MS,
    enabled: true,
    identity: service.file,
    network: false,
    mayBeEmpty: true,
    async list({ signal }) {
      signal.throwIfAborted()
      const { config, changedAt, problems } = await service.reload()
      const [first] = problems
      if (first !== undefined) {
        const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : ''
        throw new SignalboxError('invalid_config', `${problemLine(first)}${more}`, {
          field: first.path ?? undefined,
          expected: first.expected ?? undefined,
        })
      }
      return { kind: 'rows', lists: configRows(config, changedAt), rejected: [], validators: {} }
    },
  }
}
