/** What may stand where the cursor is, from the command table and, for ids, from whoever knows them. */
import { type Argument, type Command, type Flag, takesValue } from './command.ts'
import { GROUPS } from './commands.ts'
import { findCommand, flagsOf, isGroup, nextWords } from './parse.ts'
import type { ValueKind } from './values.ts'

export interface Candidate {
  readonly value: string
  readonly description: string
}

/** Ids that only a running daemon knows; each is empty when none runs. */
export interface Ids {
  providers(): Promise<readonly string[]>
  sources(): Promise<readonly string[]>
  models(provider: string): Promise<readonly string[]>
}

interface Place {
  readonly path: readonly string[]
  readonly command: Command | undefined
  /** Positional words after the command. */
  readonly given: number
  /** The flag whose value is being typed. */
  readonly flag: Flag | undefined
}

/** Where the cursor is. Tolerant: what it does not know, it steps over. */
function placeOf(before: readonly string[]): Place {
  let path: readonly string[] = []
  let given = 0
  let flag: Flag | undefined
  for (const word of before) {
    if (flag !== undefined) {
      flag = undefined
      continue
    }
    const command = findCommand(path)
    if (word.startsWith('-')) {
      const known = flagsOf(command).find(({ name, short }) => word === `--${name}` || word === `-${short}`)
      if (known !== undefined && takesValue(known)) flag = known
    } else if (command === undefined && (findCommand([...path, word]) ?? isGroup([...path, word])))
      path = [...path, word]
    else given++
  }
  return { path, command: findCommand(path), given, flag }
}

const plain = (values: readonly string[], description: string): readonly Candidate[] =>
  values.map((value) => ({ value, description }))

const summaryOf = (path: readonly string[]) =>
  findCommand(path)?.summary ?? GROUPS.find((group) => group.path.join(' ') === path.join(' '))?.summary ?? ''

const commandsAfter = (path: readonly string[]): readonly Candidate[] =>
  nextWords(path).map((value) => ({ value, description: summaryOf([...path, value]) }))

async function modelsLike(current: string, ids: Ids): Promise<readonly Candidate[]> {
  const slash = current.indexOf('/')
  if (slash < 0)
    return plain(
      (await ids.providers()).map((id) => `${id}/`),
      'provider',
    )
  const provider = current.slice(0, slash)
  return plain(
    (await ids.models(provider)).map((id) => `${provider}/${id}`),
    'model',
  )
}

async function valuesOf(
  rule: { readonly value?: ValueKind; readonly choices?: readonly string[] },
  current: string,
  ids: Ids,
): Promise<readonly Candidate[]> {
  if (rule.choices !== undefined) return plain(rule.choices, '')
  if (rule.value === 'provider') return plain(await ids.providers(), 'provider')
  if (rule.value === 'source') return plain(await ids.sources(), 'source')
  if (rule.value === 'model') return modelsLike(current, ids)
  return []
}

function argumentAt({ command, given }: Place): Argument | undefined {
  const last = command?.arguments.at(-1)
  return command?.arguments[given] ?? (last?.many === undefined ? undefined : last)
}

/** Words after the program's name; the last is the one being typed. */
export async function candidatesFor(words: readonly string[], ids: Ids): Promise<readonly Candidate[]> {
  const current = words.at(-1) ?? ''
  const before = words.slice(0, -1)
  const place = placeOf(before)
  const found = await candidatesAt(place, before, current, ids)
  return found.filter(({ value }) => value.startsWith(current))
}

async function candidatesAt(
  place: Place,
  before: readonly string[],
  current: string,
  ids: Ids,
): Promise<readonly Candidate[]> {
  if (place.flag !== undefined) return valuesOf(place.flag, current, ids)
  const assigned = /^--([^=]+)=(.*)$/s.exec(current)
  if (assigned !== null) {
    const flag = flagsOf(place.command).find(({ name }) => name === assigned[1])
    const values = flag === undefined ? [] : await valuesOf(flag, assigned[2] ?? '', ids)
    return values.map(({ value, description }) => ({ value: `--${assigned[1]}=${value}`, description }))
  }
  if (current.startsWith('-')) {
    const offered = flagsOf(place.command).filter(
      ({ name, hidden }) => hidden === undefined && !before.includes(`--${name}`),
    )
    return offered.map(({ name, description }) => ({ value: `--${name}`, description }))
  }
  if (place.command?.action === 'help') return commandsAfter(before.slice(before.indexOf('help') + 1))
  if (place.command === undefined) return commandsAfter(place.path)
  const argument = argumentAt(place)
  return argument === undefined ? [] : valuesOf(argument, current, ids)
}
