/**
 * Finds the titles of tests in source text, and whether each one runs. The text is parsed, so a title in a comment or in
 * a string is none; only text that is written in the title itself is seen, never what a template inserts.
 */
import { type Argument, type CallExpression, type Expression, parseSync, Visitor } from 'oxc-parser'

export interface TestTitle {
  readonly title: string
  readonly line: number
  /**
   * `runs`: it proves something. `skipped`: it is switched off or has nothing to run. `conditional`: `skipIf`, `runIf`
   * or `fails`, which may be right but prove nothing everywhere.
   */
  readonly state: 'runs' | 'skipped' | 'conditional'
}

const GROUPS = new Set(['describe', 'suite'])
const TESTS = new Set(['it', 'test'])
const OFF = new Set(['skip', 'todo'])
const MAYBE = new Set(['skipIf', 'runIf', 'fails'])

/** `it.skip.each(table)` is the base `it` with the modifiers `skip` and `each`. */
function callee(node: Expression): { readonly base: string; readonly modifiers: readonly string[] } | null {
  if (node.type === 'Identifier') return { base: node.name, modifiers: [] }
  if (node.type === 'CallExpression') return callee(node.callee)
  if (node.type === 'TaggedTemplateExpression') return callee(node.tag)
  if (node.type !== 'MemberExpression' || node.computed || node.property.type !== 'Identifier') return null
  const inner = callee(node.object)
  return inner && { base: inner.base, modifiers: [...inner.modifiers, node.property.name] }
}

/** The written text of a title; null when the argument is not one. */
function textOf(node: Argument | undefined): string | null {
  if (node === undefined) return null
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : null
  if (node.type === 'TemplateLiteral') return node.quasis.map(({ value }) => value.cooked ?? value.raw).join('…')
  if (node.type !== 'BinaryExpression' || node.operator !== '+') return null
  const [left, right] = [textOf(node.left), textOf(node.right)]
  return left === null && right === null ? null : `${left ?? '…'}${right ?? '…'}`
}

/** `{ skip: true }` between title and function. */
function optionsSwitchOff(args: readonly Argument[]): boolean {
  return args.some(
    (arg) =>
      arg.type === 'ObjectExpression' &&
      arg.properties.some(
        (property) =>
          property.type === 'Property' &&
          property.key.type === 'Identifier' &&
          OFF.has(property.key.name) &&
          !(property.value.type === 'Literal' && property.value.value === false),
      ),
  )
}

/** A title without a function is a to-do, and one with an empty function proves nothing. */
function hasNothingToRun(args: readonly Argument[]): boolean {
  const body = args.slice(1).find(({ type }) => type !== 'ObjectExpression' && type !== 'Literal')
  if (body === undefined) return true
  if (body.type !== 'ArrowFunctionExpression' && body.type !== 'FunctionExpression') return false
  return body.body?.type === 'BlockStatement' && body.body.body.length === 0
}

interface Open {
  readonly node: CallExpression
  readonly entry: { title: string; line: number; state: TestTitle['state'] }
  readonly group: boolean
  /** A group proves something when a test inside it runs. */
  proven: boolean
}

export function testTitles(file: string, source: string): readonly TestTitle[] {
  const { program, errors } = parseSync(file, source)
  if (errors[0] !== undefined) throw new Error(`${file}: ${errors[0].message}`)
  const found: TestTitle[] = []
  const open: Open[] = []

  const enter = (node: CallExpression) => {
    const name = callee(node.callee)
    if (name === null || !(GROUPS.has(name.base) || TESTS.has(name.base))) return
    const title = textOf(node.arguments[0])
    if (title === null) return
    const group = GROUPS.has(name.base)
    const outer = open.at(-1)?.entry.state
    const off =
      name.modifiers.some((word) => OFF.has(word)) ||
      optionsSwitchOff(node.arguments) ||
      hasNothingToRun(node.arguments)
    const maybe = name.modifiers.some((word) => MAYBE.has(word))
    const state = off || outer === 'skipped' ? 'skipped' : maybe || outer === 'conditional' ? 'conditional' : 'runs'
    const entry = { title, line: source.slice(0, node.start).split('\n').length, state } satisfies TestTitle
    open.push({ node, entry, group, proven: !group && state === 'runs' })
    found.push(entry)
  }

  const leave = (node: CallExpression) => {
    const last = open.at(-1)
    if (last?.node !== node) return
    open.pop()
    const outer = open.at(-1)
    if (outer !== undefined && last.proven) outer.proven = true
    if (last.group && !last.proven && last.entry.state === 'runs') last.entry.state = 'skipped'
  }

  new Visitor({ CallExpression: enter, 'CallExpression:exit': leave }).visit(program)
  return found
}
