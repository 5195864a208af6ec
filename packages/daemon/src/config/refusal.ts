/** What the system may refuse about any path at any time is a value to us; any other error is a fault, and thrown on. */
import { systemErrorCode } from '../platform/system-error.ts'

/** `ENOENT`, `EACCES`, … */
export function refusalCode(error: unknown): string {
  const code = systemErrorCode(error)
  if (code === null) throw error
  return code
}

export function isMissing(error: unknown): boolean {
  const code = refusalCode(error)
  return code === 'ENOENT' || code === 'ENOTDIR'
}
