import { describe, expect, it } from 'vitest'
import { type GoodAnswer, judgeAnswer, type NewAnswer } from './gate.ts'
import { HOUR, NOW } from './testing/samples.ts'

const MINUTE = HOUR / 60
const good = (row_count: number): GoodAnswer => ({ identity: 'endpoint+key', row_count, shrunken: null })
const answer = (row_count: number, rest: Partial<NewAnswer> = {}): NewAnswer => ({
  identity: 'endpoint+key',
  row_count,
  set: `set of ${row_count}`,
  mayBeEmpty: false,
  ...rest,
})

/** Judge answers in turn, at the given minutes, each with what the one before left behind. */
function judgeInTurn(last: GoodAnswer, answers: readonly (readonly [minute: number, answer: NewAnswer])[]): boolean[] {
  let known = last
  return answers.map(([minute, one]) => {
    const verdict = judgeAnswer(known, one, NOW + minute * MINUTE)
    if (!verdict.accepted) known = verdict.remember
    return verdict.accepted
  })
}

describe('a shrunken answer', () => {
  it.each([
    [20, 9, false],
    [20, 10, true],
    [21, 10, false],
    [21, 11, true],
    [19, 1, true],
    [8_261, 4_130, false],
    [8_261, 4_131, true],
    [20, 500, true],
  ])('after %i rows, of %i: accepted is %s (CAT-181)', (before, now, accepted) => {
    expect(judgeAnswer(good(before), answer(now), NOW).accepted).toBe(accepted)
  })

  it('is refused with both counts, and the last good answer is remembered with it (CAT-181)', () => {
    expect(judgeAnswer(good(100), answer(3), NOW)).toEqual({
      accepted: false,
      problem: expect.stringMatching(/\b3 rows.*\b100\b/),
      remember: { ...good(100), shrunken: { set: 'set of 3', first_seen: NOW, seen: 1 } },
    })
  })

  it('is believed when the third refresh over an hour returns the same set (CAT-181)', () => {
    const same = answer(3)
    expect(
      judgeInTurn(good(100), [
        [0, same],
        [30, same],
        [60, same],
      ]),
    ).toEqual([false, false, true])
  })

  it('is not believed for being repeated within the hour, however often (CAT-181)', () => {
    const same = answer(3)
    const often = Array.from({ length: 60 }, (_, minute) => [minute, same] as const)
    expect(judgeInTurn(good(100), often)).not.toContain(true)
    expect(judgeInTurn(good(100), [...often, [60, same]]).at(-1)).toBe(true)
  })

  it('is not believed the second time, however late (CAT-181)', () => {
    expect(
      judgeInTurn(good(100), [
        [0, answer(3)],
        [600, answer(3)],
        [601, answer(3)],
      ]),
    ).toEqual([false, false, true])
  })

  it('starts over when the set differs, even in the same number (CAT-181)', () => {
    const other = answer(3, { set: 'another' })
    expect(
      judgeInTurn(good(100), [
        [0, answer(3)],
        [30, answer(3)],
        [60, other],
        [90, answer(3)],
        [120, answer(3)],
        [150, answer(3)],
      ]),
    ).toEqual([false, false, false, false, false, true])
  })

  it('is not compared with one of another endpoint or credential (CAT-181)', () => {
    expect(judgeAnswer(good(100), answer(3, { identity: 'endpoint+other key' }), NOW).accepted).toBe(true)
  })

  it('does not change what was remembered (CAT-181)', () => {
    const last = Object.freeze({ ...good(100), shrunken: Object.freeze({ set: 'set of 3', first_seen: NOW, seen: 1 }) })
    judgeAnswer(last, answer(3), NOW + MINUTE)
    expect(last.shrunken.seen).toBe(1)
  })
})

describe('an empty answer', () => {
  it.each([1, 19, 20, 8_261])(
    'is refused where the last good one had %i rows, and nothing is forgotten (CAT-182)',
    (before) => {
      expect(judgeAnswer(good(before), answer(0), NOW)).toEqual({
        accepted: false,
        problem: expect.stringContaining(`${before} rows`),
        remember: good(before),
      })
    },
  )

  it('is refused for ever, however often it comes (CAT-182)', () => {
    const daily = Array.from({ length: 10 }, (_, day) => [day * 24 * 60, answer(0)] as const)
    expect(judgeInTurn(good(30), daily)).not.toContain(true)
  })

  it('is accepted where there was no good one, or an empty one (CAT-182)', () => {
    expect(judgeAnswer(null, answer(0), NOW).accepted).toBe(true)
    expect(judgeAnswer(good(0), answer(0), NOW).accepted).toBe(true)
  })

  it('is always accepted from a local server (CAT-182)', () => {
    expect(judgeAnswer(good(30), answer(0, { mayBeEmpty: true }), NOW).accepted).toBe(true)
  })
})
