import type { Facts, RowList, StatedRow } from '@signalbox/contract/row'
import { FIELDS } from '@signalbox/core/catalog/facts'
import { describe, expect, it } from 'vitest'
import { statedRow } from '../sources/source.examples.ts'
import { decodeRows, encodeRows } from '../store/sqlite/row-codec.ts'
import { list } from '../store/store.samples.ts'
import { readRows, sameRows } from './same-rows.ts'

const STATED: Facts = {
  display_name: 'A',
  context_window: 1,
  max_input_tokens: 2,
  max_output_tokens: 3,
  supports_tools: false,
  supports_reasoning: true,
  reasoning_efforts: ['low', 'high'],
  default_reasoning_effort: 'low',
  family: 'f',
  modalities: { input: ['text'], output: ['text'] },
  release_date: '2026-01-01',
  lifecycle: 'active',
  cost_input_per_million: 0,
  cost_output_per_million: 1,
  cost_cache_read_per_million: 2,
  cost_cache_write_per_million: 3,
  cost_tiers: [
    {
      above_context_tokens: 1,
      input_per_million: 1,
      output_per_million: null,
      cache_read_per_million: null,
      cache_write_per_million: null,
    },
  ],
}
const row = statedRow('a', STATED, { available: true, expires_at: 5 })

describe('rows', () => {
  it('are the same after a restart', () => {
    const rows = [row, statedRow('b'), statedRow('c', { supports_tools: true })]
    expect(sameRows(rows, decodeRows(encodeRows(rows)))).toBe(true)
  })

  it.each(FIELDS)('are others when %s is', (field) => {
    expect(sameRows([row], [{ ...row, facts: { ...STATED, [field]: null } }])).toBe(false)
    expect(sameRows([{ ...row, facts: { ...STATED, [field]: null } }], [row])).toBe(false)
  })

  const others: readonly (readonly [string, Partial<StatedRow>])[] = [
    ['id', { model_id: statedRow('A').model_id }],
    ['availability', { available: false }],
    ['denial', { denial: 'retired' }],
    ['time', { refreshed_at: 1 }],
    ['end', { expires_at: null }],
    ['staleness', { declared_stale: true }],
    ['effort list', { facts: { ...STATED, reasoning_efforts: ['high', 'low'] } }],
  ]
  it.each(others)('are others when the %s is', (_, change) => {
    expect(sameRows([row], [{ ...row, ...change }])).toBe(false)
  })

  it('are others when one is missing or added', () => {
    expect(sameRows([row], [])).toBe(false)
    expect(sameRows([], [row])).toBe(false)
    expect(sameRows([], [])).toBe(true)
  })

  it('are read a few at a time, each list once', async () => {
    let turns = 0
    let reading = true
    const count = () => {
      turns += 1
      if (reading) setImmediate(count)
    }
    setImmediate(count)
    const read: number[] = []
    const rows = Array.from({ length: 400 }, (_, index) => statedRow(`m${index}`))
    const lists = [0, 1, 2, 3].map(
      (index): RowList => ({
        ...list('models_dev', `p${index}`),
        get rows() {
          read.push(index)
          return rows
        },
      }),
    )
    await readRows(lists)
    reading = false
    expect(read).toEqual([0, 1, 2, 3])
    expect(turns).toBeGreaterThanOrEqual(2)
  })
})
