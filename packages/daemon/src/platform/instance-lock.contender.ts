/**
 * A process that contends for a lock, for `instance-lock.test.ts`. Messages in: `try`, `release`, `parent` (start a
 * child that outlives us), `exit`. Messages out: `ready`, `won`, `lost`, `released`, `{ child: pid }`.
 */
import { spawn } from 'node:child_process'
import { acquireLock, type InstanceLock } from './instance-lock.ts'

const file = process.argv[2] ?? ''
let lock: InstanceLock | null = null

const COMMANDS: Readonly<Record<string, () => unknown>> = {
  try: () => {
    lock = acquireLock(file)
    return lock === null ? 'lost' : 'won'
  },
  release: () => {
    lock?.release()
    return 'released'
  },
  parent: () => ({
    child: spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)'], { stdio: 'ignore', detached: true }).pid,
  }),
  exit: () => process.exit(0),
}
process.on('message', (command: string) => process.send?.(COMMANDS[command]?.()))
process.send?.('ready')
