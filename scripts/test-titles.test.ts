import { describe, expect, it } from 'vitest'
import { testTitles } from './test-titles.ts'

const states = (source: string) =>
  Object.fromEntries(testTitles('a.test.ts', source).map(({ title, state }) => [title, state]))
const body = '() => { expect(1).toBe(1) }'

describe('a title', () => {
  it('is found in every form of a call, with its line', () => {
    const source = `
it('a', ${body})
test("b", ${body})
it.concurrent(\`c \${x} d\`, ${body})
it.each([1, 2])('e %s', ${body})
it.each\`n\`('f', ${body})
test.for(table)('g ' + 'h', ${body})
it('i', { timeout: 5 }, ${body})
it('j', named)`
    expect(testTitles('a.test.ts', source)).toEqual(
      ['a', 'b', 'c … d', 'e %s', 'f', 'g h', 'i', 'j'].map((title, index) => ({
        title,
        line: index + 2,
        state: 'runs',
      })),
    )
  })

  it('is not what a comment, another string or another function says', () => {
    expect(
      testTitles('a.test.ts', `// it('a', ${body})\nconst s = "it('b', f)"\nsubmit('c', f)\nitem.it('d', f)`),
    ).toEqual([])
  })

  it('refuses text that does not parse', () => {
    expect(() => testTitles('a.test.ts', `it('a', () => {`)).toThrow('a.test.ts')
  })
})

describe('a test', () => {
  it.each(['it.skip', 'it.todo', 'it.concurrent.skip', 'test.skip.each([1])'])('is skipped when it is %s', (call) => {
    expect(states(`${call}('a', ${body})`)).toEqual({ a: 'skipped' })
  })

  it('is skipped when its options say so', () => {
    expect(
      states(`it('a', { skip: true }, ${body}); it('b', { todo: true }, ${body}); it('c', { skip: false }, ${body})`),
    ).toEqual({
      a: 'skipped',
      b: 'skipped',
      c: 'runs',
    })
  })

  it('is skipped when it has no function or an empty one', () => {
    expect(states(`it('a'); it('b', () => {}); it('c', async function () { /* later */ })`)).toEqual({
      a: 'skipped',
      b: 'skipped',
      c: 'skipped',
    })
  })

  it('is skipped inside a group that is', () => {
    expect(states(`describe.skip('a', () => { describe('b', () => { it('c', ${body}) }) })`)).toEqual({
      a: 'skipped',
      b: 'skipped',
      c: 'skipped',
    })
  })

  it.each(['it.skipIf(x)', 'it.runIf(x)', 'it.fails'])('is conditional when it is %s', (call) => {
    expect(states(`${call}('a', ${body})`)).toEqual({ a: 'conditional' })
  })
})

describe('a group', () => {
  it('runs when a test inside it does', () => {
    expect(states(`describe('a', () => { it.skip('b', ${body}); it('c', ${body}) })`)).toEqual({
      a: 'runs',
      b: 'skipped',
      c: 'runs',
    })
  })

  it('is skipped when no test inside it runs', () => {
    expect(states(`describe('a', () => { it.todo('b') })`)).toEqual({ a: 'skipped', b: 'skipped' })
  })

  it('runs when a shared suite is called inside it with a title of its own', () => {
    expect(
      states(`describe('a', () => { describe('b', () => { for (const x of y) it(x.name + ' c', ${body}) }) })`),
    ).toEqual({
      a: 'runs',
      b: 'runs',
      '… c': 'runs',
    })
  })
})
