/** Where each key and value of a TOML text stands. Loaded only when there is something to complain about. */
import type { AST } from 'toml-eslint-parser'
import type { Path } from './problem.ts'

/** 1-based, columns in UTF-16 units, as editors count. */
export interface Position {
  readonly line: number
  readonly column: number
}

export interface Positions {
  /** Where the key is written. */
  key(path: Path): Position | null
  /** Where the value is written; that of the nearest enclosing key or table when it is not written at all. */
  value(path: Path): Position | null
}

/** Deeper than any key of ours; keeps a hostile text from making us index every prefix of an endless dotted key. */
const MAX_DEPTH = 16

/** Index the text, which must be TOML without byte order mark. What the parser cannot read has no positions. */
export async function positionsOf(text: string): Promise<Positions> {
  const { parseTOML, ParseError } = await import('toml-eslint-parser')
  const index = new PositionIndex()
  try {
    index.add(parseTOML(text))
  } catch (error) {
    // The two parsers differ in a corner of the grammar, or this one recursed too deep. Positions are then unknown.
    if (!(error instanceof ParseError || error instanceof RangeError)) throw error
  }
  return index
}

class PositionIndex implements Positions {
  readonly #keys = new Map<string, Position>()
  readonly #values = new Map<string, Position>()

  key(path: Path): Position | null {
    return this.#keys.get(id(path)) ?? this.value(path)
  }

  value(path: Path): Position | null {
    for (let length = path.length; length > 0; length--) {
      const key = id(path.slice(0, length))
      const position = this.#values.get(key) ?? this.#keys.get(key)
      if (position !== undefined) return position
    }
    return null
  }

  add(program: AST.TOMLProgram): void {
    for (const node of program.body[0].body) {
      if (node.type === 'TOMLKeyValue') this.#addPair([], node)
      else this.#addTable(node)
    }
  }

  #addTable(table: AST.TOMLTable): void {
    const keys = table.key.keys
    let written = 0
    const path: (string | number)[] = []
    for (const part of table.resolvedKey.slice(0, MAX_DEPTH)) {
      path.push(part)
      // An index is not written: it stands where its list's name stands.
      const node = typeof part === 'number' ? keys[written - 1] : keys[written++]
      if (node !== undefined) setFirst(this.#keys, path, node)
    }
    for (const pair of table.body) this.#addPair(table.resolvedKey, pair)
  }

  #addPair(base: Path, pair: AST.TOMLKeyValue): void {
    const path = [...base]
    for (const key of pair.key.keys) {
      if (path.length >= MAX_DEPTH) return
      path.push(key.type === 'TOMLBare' ? key.name : key.value)
      setFirst(this.#keys, path, key)
    }
    this.#addValue(path, pair.value)
  }

  #addValue(path: Path, node: AST.TOMLContentNode): void {
    if (path.length > MAX_DEPTH) return
    setFirst(this.#values, path, node)
    if (node.type === 'TOMLInlineTable') for (const pair of node.body) this.#addPair(path, pair)
    if (node.type === 'TOMLArray')
      for (const [index, item] of node.elements.entries()) this.#addValue([...path, index], item)
  }
}

const id = (path: Path) => JSON.stringify(path)

function setFirst(map: Map<string, Position>, path: Path, node: AST.TOMLNode): void {
  const key = id(path)
  const { line, column } = node.loc.start
  if (!map.has(key)) map.set(key, { line, column: column + 1 })
}
