/** Measuring side by side: each round runs every contender once, in turn, so that noise hits all of them alike. */

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted[Math.floor(sorted.length / 2)]
  if (middle === undefined) throw new RangeError('nothing was measured')
  return middle
}

export interface Contender<T> {
  readonly name: string
  readonly run: () => Promise<T>
}

/** All results by contender, after one round that is thrown away. */
export async function interleave<T>(rounds: number, contenders: readonly Contender<T>[]): Promise<Map<string, T[]>> {
  const results = new Map<string, T[]>(contenders.map(({ name }) => [name, []]))
  for (let round = -1; round < rounds; round++) {
    for (const { name, run } of contenders) {
      const result = await run()
      if (round >= 0) results.get(name)?.push(result)
    }
  }
  return results
}

/** One line: what, the ratio, and the bar it is held against. */
export function reportRatio(what: string, ratio: number, bar: string, detail = ''): void {
  console.log(`${what.padEnd(52)} ${ratio.toFixed(2).padStart(6)}x  (aim: ${bar})${detail === '' ? '' : `  ${detail}`}`)
}
