/** The configuration file on disk: its bytes, and what they say. A file that cannot be read is a problem, not a crash. */
import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, lstat, open } from 'node:fs/promises'
import { ConfigFile } from '@signalbox/contract/config'
import type { ConfigProblem } from '@signalbox/contract/daemon'
import { MAX_CONFIG_BYTES, type ParsedConfig, parseConfig, tooLarge } from './parse.ts'
import { fileProblem } from './problem.ts'
import { isMissing, refusalCode } from './refusal.ts'

export type ConfigBytes =
  | { readonly kind: 'missing' }
  | { readonly kind: 'bytes'; readonly bytes: Buffer }
  | { readonly kind: 'unreadable'; readonly problem: ConfigProblem }

/** Read the file, following links. */
export async function readConfigBytes(file: string): Promise<ConfigBytes> {
  let handle: FileHandle | undefined
  try {
    // Without O_NONBLOCK, opening a named pipe would wait for a writer for ever.
    handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK)
    const stat = await handle.stat()
    if (!stat.isFile()) {
      const what = stat.isDirectory() ? 'is a directory' : 'is not a regular file'
      return { kind: 'unreadable', problem: fileProblem(file, what, 'a text file') }
    }
    if (stat.size > MAX_CONFIG_BYTES) return { kind: 'unreadable', problem: tooLarge(file) }
    return { kind: 'bytes', bytes: await handle.readFile() }
  } catch (error) {
    // A missing file or directory is a choice; what else the system refuses (permission, link loop, I/O) is a problem.
    if (isMissing(error))
      return (await isLink(file)) ? { kind: 'unreadable', problem: danglingLink(file) } : { kind: 'missing' }
    const problem = fileProblem(file, `cannot be read (${refusalCode(error)})`, 'a file that you can read')
    return { kind: 'unreadable', problem }
  } finally {
    await handle?.close()
  }
}

/** Equal when the file says the same. */
export function contentHash(read: ConfigBytes): string {
  if (read.kind === 'bytes') return createHash('sha256').update(read.bytes).digest('hex')
  return read.kind === 'missing' ? 'missing' : `unreadable: ${read.problem.message}`
}

/** What the bytes say; a missing file is all defaults. */
export async function parseConfigBytes(read: ConfigBytes, file: string): Promise<ParsedConfig> {
  if (read.kind === 'missing') return { ok: true, config: ConfigFile.parse({}), values: {} }
  if (read.kind === 'unreadable') return { ok: false, problems: [read.problem] }
  const text = decodeUtf8(read.bytes)
  if (text === null) return { ok: false, problems: [utf8Problem(read.bytes, file)] }
  return parseConfig(text, file)
}

export async function loadConfig(file: string): Promise<ParsedConfig> {
  return parseConfigBytes(await readConfigBytes(file), file)
}

const newDecoder = () => new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return newDecoder().decode(bytes)
  } catch (error) {
    if (error instanceof TypeError) return null
    throw error
  }
}

/** The first line that is not UTF-8, and the place in it where it stops being so. */
function utf8Problem(bytes: Buffer, file: string): ConfigProblem {
  let line = 1
  let start = 0
  let end = bytes.indexOf('\n')
  while (end >= 0 && decodeUtf8(bytes.subarray(start, end)) !== null) {
    line++
    start = end + 1
    end = bytes.indexOf('\n', start)
  }
  const column = validPrefixLength(bytes.subarray(start, end < 0 ? bytes.length : end)) + 1
  return { file, line, column, path: null, message: 'is not UTF-8 text', expected: 'a file saved as UTF-8' }
}

function validPrefixLength(line: Uint8Array): number {
  const decoder = newDecoder()
  let length = 0
  try {
    for (let i = 0; i < line.length; i++) length += decoder.decode(line.subarray(i, i + 1), { stream: true }).length
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
  }
  return length
}

/** Whoever made the link has a configuration somewhere: defaults would be a guess. */
const danglingLink = (file: string) => fileProblem(file, 'is a link to a file that does not exist', 'a link to a file')

async function isLink(file: string): Promise<boolean> {
  try {
    return (await lstat(file)).isSymbolicLink()
  } catch (error) {
    if (isMissing(error)) return false
    throw error
  }
}
