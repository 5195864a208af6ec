import { describe, expect, it } from 'vitest'
import { until, within } from './until.ts'

describe('until', () => {
  it('gives the first value that is one, 0 and the empty text included', async () => {
    const values = [null, undefined, false, 0]
    expect(await until('a number', () => values.shift())).toBe(0)
    expect(await until('a text', async () => '')).toBe('')
  })

  it('says what it waited for in vain', async () => {
    await expect(until('rain', () => null, 1)).rejects.toThrow('Waited 1 ms in vain: rain')
  })

  it('passes an error on at once', async () => {
    await expect(until('rain', () => Promise.reject(new Error('no sky')))).rejects.toThrow('no sky')
  })
})

describe('within', () => {
  it('gives the outcome of the promise', async () => {
    expect(await within('one', Promise.resolve(1))).toBe(1)
    await expect(within('one', Promise.reject(new Error('two')))).rejects.toThrow('two')
  })

  it('says what did not happen in time', async () => {
    await expect(within('rain', Promise.withResolvers().promise, 1)).rejects.toThrow('Waited 1 ms in vain: rain')
  })
})
