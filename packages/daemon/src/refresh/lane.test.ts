import { describe, expect, it } from 'vitest'
import { Lanes } from './lane.ts'

describe('a lane', () => {
  it('shares what runs with those who want the same (CAT-085)', async () => {
    const lanes = new Lanes<object>()
    const held = Promise.withResolvers<object>()
    let runs = 0
    const work = () => {
      runs += 1
      return held.promise
    }
    const all = [lanes.run('a', 'x', work), lanes.run('a', 'x', work), lanes.run('a', 'x', work)]
    held.resolve({})
    const [first, ...others] = await Promise.all(all)
    expect(runs).toBe(1)
    for (const other of others) expect(other).toBe(first)
  })

  it('runs one wish after the other, joining those that came meanwhile (CAT-084, CAT-086)', async () => {
    const lanes = new Lanes<string>()
    const log: string[] = []
    const work = (name: string) => async () => {
      log.push(`${name} begins`)
      await new Promise((resolve) => setImmediate(resolve))
      log.push(`${name} ends`)
      return name
    }
    const results = await Promise.all(['x', 'y', 'z', 'y', 'x'].map((wish) => lanes.run('a', wish, work(wish))))
    expect(results).toEqual(['x', 'y', 'z', 'y', 'x'])
    expect(log).toEqual(['x begins', 'x ends', 'y begins', 'y ends', 'z begins', 'z ends'])
  })

  it('keeps different lanes apart (CAT-087)', async () => {
    const lanes = new Lanes<number>()
    const held = Promise.withResolvers<number>()
    const slow = lanes.run('a', 'x', () => held.promise)
    expect(await lanes.run('b', 'x', async () => 2)).toBe(2)
    held.resolve(1)
    expect(await slow).toBe(1)
  })

  it('is free again after a failure, which only those who shared it see (CAT-153)', async () => {
    const lanes = new Lanes<number>()
    const failing = lanes.run('a', 'x', () => Promise.reject(new Error('no')))
    const next = lanes.run('a', 'y', async () => 1)
    await expect(failing).rejects.toThrow('no')
    expect(await next).toBe(1)
    expect(await lanes.run('a', 'x', async () => 2)).toBe(2)
  })

  it('is idle when nothing runs or waits to run (CAT-092)', async () => {
    const lanes = new Lanes<number>()
    await lanes.idle()
    const held = Promise.withResolvers<number>()
    const ended: string[] = []
    const first = lanes.run('a', 'x', () => held.promise).then(() => ended.push('first'))
    const second = lanes.run('a', 'y', async () => 1).then(() => ended.push('second'))
    const idle = lanes.idle().then(() => ended.push('idle'))
    held.resolve(1)
    await Promise.all([first, second, idle])
    expect(ended).toEqual(['first', 'second', 'idle'])
  })
})
