/** Print what one route answers. The daemon has rendered it: the bytes are copied, not read. */

import type { Invocation, OutputFormat } from '../command.ts'
import { type Action, type Context, outputOf } from '../context.ts'
import { ask, expectSuccess, READ_PATIENCE } from '../daemon-call.ts'
import { copy } from '../output.ts'
import { printable } from '../sanitize.ts'
import { terminalHeader } from '../terminal.ts'

const ACCEPT: { readonly [format in OutputFormat]: string } = {
  table: 'text/plain',
  text: 'text/plain',
  json: 'application/json',
  jsonl: 'application/x-ndjson',
}

/** `Accept`, and for a table what the screen is like. */
export function representation({ invocation, stdout, env }: Context): {
  readonly accept: string
  readonly headers: Readonly<Record<string, string>>
} {
  const format = outputOf(invocation)
  const terminal = format === 'table' ? terminalHeader(stdout, env) : null
  return { accept: ACCEPT[format], headers: terminal === null ? {} : { 'Signalbox-Terminal': terminal } }
}

export function pathOf({ command, args }: Invocation): string {
  const [provider] = args
  return (command.route ?? '').replace('{/provider}', provider === undefined ? '' : `/${encodeURIComponent(provider)}`)
}

function queryOf({ command, flags }: Invocation): string {
  const pairs = command.flags.flatMap(({ name, field }) => {
    const value = flags.get(name)
    return field === undefined || value === undefined ? [] : [`${field}=${encodeURIComponent(value)}`]
  })
  return pairs.length > 0 ? `?${pairs.join('&')}` : ''
}

export async function showPath(context: Context, path: string, patience: number | null): Promise<number> {
  const answer = await expectSuccess(await ask(context, { method: 'GET', path, ...representation(context), patience }))
  await copy(answer.body, context.stdout)
  const warning = answer.headers.get('signalbox-warning')
  if (warning !== undefined) process.stderr.write(`warning: ${printable(decodeURIComponent(warning))}\n`)
  return 0
}

export const show: Action = (context) => {
  const { invocation } = context
  // a refresh takes as long as its slowest source
  const patience = invocation.flags.has('refresh') ? null : READ_PATIENCE
  return showPath(context, pathOf(invocation) + queryOf(invocation), patience)
}
