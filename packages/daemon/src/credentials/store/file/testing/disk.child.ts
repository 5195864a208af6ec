/** Fills up or locks a small disk between two puts and prints what happened as JSON. Arguments: scenario, mount point. */
import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { secret, storedKey } from '../../../testing/samples.ts'
import { CredentialStoreError } from '../../credential-store-error.ts'
import { credentialFiles, FileCredentialStore } from '../file-store.ts'

const [scenario = '', disk = ''] = process.argv.slice(2)
const files = credentialFiles(disk)
const filler = join(disk, 'filler')
const store = new FileCredentialStore(files, secret)

const SPOIL: Readonly<Record<string, () => void>> = {
  full: () => {
    try {
      writeFileSync(filler, Buffer.alloc(8 * 1024 * 1024))
    } catch (error) {
      // Expected: the disk is full, which is the point.
      if (!(error instanceof Error) || !('code' in error) || error.code !== 'ENOSPC') throw error
    }
  },
  'read-only': () => execFileSync('mount', ['-o', 'remount,ro', disk]),
}
const REPAIR: Readonly<Record<string, () => void>> = {
  full: () => rmSync(filler),
  'read-only': () => execFileSync('mount', ['-o', 'remount,rw', disk]),
}

async function put(name: string): Promise<string> {
  try {
    await store.put(storedKey('openai', 'x'.repeat(10_000), name))
    return 'stored'
  } catch (error) {
    // Expected: the disk takes no writes.
    if (error instanceof CredentialStoreError) return error.problem
    throw error
  }
}

await put('first')
const before = readFileSync(files.file)
SPOIL[scenario]?.()
const during = await put('second')
const same = readFileSync(files.file).equals(before)
const readable = (await store.list()).length
REPAIR[scenario]?.()
const after = await put('third')
console.log(JSON.stringify({ during, same, readable, after, names: (await store.list()).map(({ name }) => name) }))
