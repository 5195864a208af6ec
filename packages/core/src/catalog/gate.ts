/**
 * The integrity gate: last good is never replaced by worse. Captive portals, half-written files and outages answer with
 * an empty or shrunken list far more often than a provider really drops its models.
 */

/** A smaller set than the last good one, and how often it has been seen. */
export interface ShrunkenAnswer {
  /** Hash of the answer's keys. */
  readonly set: string
  readonly first_seen: number
  readonly seen: number
}

/** What is remembered of the last good answer. */
export interface GoodAnswer {
  readonly identity: string
  readonly row_count: number
  readonly shrunken: ShrunkenAnswer | null
}

export interface NewAnswer {
  readonly identity: string
  readonly row_count: number
  readonly set: string
  /** An empty or small answer can be true: a local server may hold nothing. */
  readonly mayBeEmpty: boolean
}

export type Verdict =
  | { readonly accepted: true }
  | { readonly accepted: false; readonly problem: string; readonly remember: GoodAnswer }

const GATE_FROM_ROWS = 20
const REPEATS_TO_BELIEVE = 3
const TIME_TO_BELIEVE_MS = 3_600_000

/**
 * Whether `answer` may replace the last good one. A list of fewer than half the rows (where there were 20 or more) is
 * believed only once three refreshes over at least an hour returned the same set; an empty one never, unless it may be.
 */
export function judgeAnswer(last: GoodAnswer | null, answer: NewAnswer, now: number): Verdict {
  if (last === null || last.identity !== answer.identity || answer.mayBeEmpty) return ACCEPTED
  if (answer.row_count === 0 && last.row_count > 0) {
    return {
      accepted: false,
      problem: `an empty list, where the last good one had ${last.row_count} rows`,
      remember: last,
    }
  }
  if (last.row_count < GATE_FROM_ROWS || answer.row_count * 2 >= last.row_count) return ACCEPTED
  const shrunken = seenAgain(last.shrunken, answer.set, now)
  if (shrunken.seen >= REPEATS_TO_BELIEVE && now - shrunken.first_seen >= TIME_TO_BELIEVE_MS) return ACCEPTED
  const problem = `only ${answer.row_count} rows, where the last good answer had ${last.row_count}`
  return { accepted: false, problem, remember: { ...last, shrunken } }
}

const ACCEPTED: Verdict = Object.freeze({ accepted: true })

function seenAgain(before: ShrunkenAnswer | null, set: string, now: number): ShrunkenAnswer {
  if (before?.set !== set) return { set, first_seen: now, seen: 1 }
  return { ...before, seen: before.seen + 1 }
}
