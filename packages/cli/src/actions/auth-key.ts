/** The key of `auth add`: from standard input, on a terminal asked for with echo off. */
import type { Writable } from 'node:stream'
import type { ReadStream } from 'node:tty'
import { print } from '../output.ts'
import { KeyInputError } from './auth-usage.ts'

/** More than any key, and little enough for a file that was piped in by mistake. */
const INPUT_MAX = 65_536

type Input = AsyncIterable<Buffer | string> & { readonly isTTY?: boolean }
const isTerminal = (input: Input | ReadStream): input is ReadStream => input.isTTY === true

export async function readKey(provider: string, input: Input | ReadStream, errors: Writable): Promise<string> {
  const text = isTerminal(input) ? await askFor(provider, input, errors) : await readAll(input)
  const key = text.trim()
  if (key === '') throw new KeyInputError('the key is empty')
  if (/[\r\n]/.test(key)) throw new KeyInputError('the key has more than one line')
  return key
}

async function readAll(input: Input): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of input) {
    const bytes = Buffer.from(chunk)
    size += bytes.length
    if (size > INPUT_MAX) throw new KeyInputError('the key is too long')
    chunks.push(bytes)
  }
  return Buffer.concat(chunks).toString('utf8')
}

async function askFor(provider: string, input: ReadStream, errors: Writable): Promise<string> {
  // before the prompt: what is typed as soon as it shows must not be echoed
  input.setRawMode(true)
  try {
    await print(errors, `Key for ${provider} (not shown): `)
    return await typedLine(input)
  } finally {
    input.setRawMode(false)
    input.pause()
    await print(errors, '\n')
  }
}

/** What each key does; everything else is part of the line. */
const ENTER: ReadonlySet<string> = new Set(['\r', '\n', '\u0004'])
const ERASE: ReadonlySet<string> = new Set(['\u007f', '\b'])
const ERASE_ALL = '\u0015'
const INTERRUPT = '\u0003'

/** A paste comes in one piece: what stands after its first line feed shows that it was more than a key. */
async function typedLine(input: ReadStream): Promise<string> {
  let line: readonly string[] = []
  for await (const chunk of input.setEncoding('utf8').iterator({ destroyOnReturn: false }) as AsyncIterable<string>) {
    const typed = [...chunk]
    for (const [at, character] of typed.entries()) {
      if (character === INTERRUPT) throw new KeyInputError('no key was given')
      if (ENTER.has(character)) return [...line, ...typed.slice(at)].join('')
      if (character === ERASE_ALL) line = []
      else line = ERASE.has(character) ? line.slice(0, -1) : [...line, character]
      if (line.length > INPUT_MAX) throw new KeyInputError('the key is too long')
    }
  }
  return line.join('')
}
