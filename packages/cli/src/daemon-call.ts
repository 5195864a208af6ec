/** Asking the daemon: connect, starting it where that is allowed, and turn an error answer into an error. */
import type { Socket } from 'node:net'
import { AnsweredError } from './answered-error.ts'
import { type Answer, exchange, type Request, textOf } from './client.ts'
import { notRunning, reach } from './connect.ts'
import type { Context } from './context.ts'

/** Reads come from memory; this only ends the wait for a daemon that hangs. */
export const READ_PATIENCE = 30_000

export async function connectOrStart({ env, invocation, start }: Context): Promise<Socket> {
  const socket = await reach(env)
  if (socket !== null) return socket
  if (invocation.flags.has('no-start')) throw notRunning()
  return (await start()).socket
}

/** The answer, whatever its status. */
export const ask = async (context: Context, request: Request): Promise<Answer> =>
  exchange(await connectOrStart(context), request)

/** Throws what the daemon said when it is an error. */
export async function expectSuccess(answer: Answer): Promise<Answer> {
  if (answer.status < 400) return answer
  throw AnsweredError.parse(answer.status, await textOf(answer))
}
