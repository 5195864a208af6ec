import { describe, expect, it } from 'vitest'
import { readCatalog } from './read-catalog.ts'
import { translateModelsDev } from './translate.ts'

const models = Object.fromEntries(
  Array.from({ length: 200 }, (_, at) => [`m${at}`, { id: `m${at}`, name: 'x'.repeat(500) }]),
)
const large = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`p${at}`, { name: `P ${at}`, models }]))
const text = JSON.stringify(large)

describe('reading a large catalog', () => {
  it('gives what translating the whole at once gives', async () => {
    expect(await readCatalog(text, new AbortController().signal, {})).toEqual(translateModelsDev(large))
  })

  it('lets other work run in between', async () => {
    let turns = 0
    const count = () => {
      turns++
      next = setImmediate(count)
    }
    let next = setImmediate(count)
    await readCatalog(text, new AbortController().signal, {})
    clearImmediate(next)
    expect(turns).toBeGreaterThan(2)
  })

  it('ends soon after it is told to stop', async () => {
    const stop = new AbortController()
    const reading = readCatalog(text, stop.signal, {})
    stop.abort(new Error('enough'))
    await expect(reading).rejects.toThrow('enough')
  })
})
