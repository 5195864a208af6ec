import { expect, it } from 'vitest'
import { Limiter } from './limiter.ts'

it('runs at most so many at once, in order, and goes on after failures (CAT-087)', async () => {
  const limiter = new Limiter(2)
  let running = 0
  let most = 0
  const order: number[] = []
  const work = (index: number) => async () => {
    running += 1
    most = Math.max(most, running)
    order.push(index)
    await new Promise((resolve) => setImmediate(resolve))
    running -= 1
    if (index % 2 === 0) throw new Error(`${index}`)
    return index
  }
  const all = await Promise.allSettled([0, 1, 2, 3, 4, 5, 6].map((index) => limiter.run(work(index))))
  expect(most).toBe(2)
  expect(order).toEqual([0, 1, 2, 3, 4, 5, 6])
  expect(all.map((one) => one.status === 'fulfilled')).toEqual([false, true, false, true, false, true, false])
  expect(await limiter.run(async () => 'free')).toBe('free')
})
