import { existsSync, renameSync } from 'node:fs'

/** The side files go first: a -wal that is left beside a new file could be taken for its own. */
const PARTS = ['-wal', '-shm', ''] as const

/** Move a damaged file out of the way under a name that nothing has yet, and return that name. Nothing is deleted. */
export function setAside(file: string, now: number): string {
  const stamp = new Date(now).toISOString().replace(/\.\d+/, '').replaceAll(/[-:]/g, '')
  const target = freeName(`${file}.corrupt-${stamp}`)
  for (const part of PARTS) if (existsSync(file + part)) renameSync(file + part, target + part)
  return target
}

function freeName(wanted: string): string {
  const taken = (name: string) => PARTS.some((part) => existsSync(name + part))
  if (!taken(wanted)) return wanted
  let count = 2
  while (taken(`${wanted}.${count}`)) count++
  return `${wanted}.${count}`
}
