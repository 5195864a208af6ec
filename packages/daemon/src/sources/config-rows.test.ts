import { ConfigFile } from '@signalbox/contract/config'
import { NO_FACTS } from '@signalbox/core/catalog/facts'
import { describe, expect, it } from 'vitest'
import { configRows } from './config-rows.ts'

const AT = 1_700_000_000_000
const rows = (providers: Record<string, unknown>) => configRows(ConfigFile.parse({ providers }), AT)
const ids = (lists: ReturnType<typeof rows>) =>
  lists.map(({ provider_id, rows }) => [provider_id, rows.map(({ model_id }) => model_id)])

describe('the rows of a configuration', () => {
  it('hold the default also when it is not curated, as a row that states nothing else (CAT-135)', () => {
    const [list] = rows({ codex: { models: { default: 'Org/X:free' } } })
    expect(list?.rows).toEqual([
      {
        model_id: 'Org/X:free',
        facts: NO_FACTS,
        available: null,
        denial: null,
        refreshed_at: AT,
        expires_at: null,
        declared_stale: false,
      },
    ])
  })

  it('hold a default that is curated once, with its facts (CAT-135)', () => {
    const lists = rows({ codex: { models: { default: 'b', curated: [{ id: 'b', context_window: 8 }, { id: 'a' }] } } })
    expect(ids(lists)).toEqual([['codex', ['a', 'b']]])
    expect(lists[0]?.rows[1]?.facts.context_window).toBe(8)
  })

  it('state every curated field, and null for what is not written (CAT-136)', () => {
    const model = {
      id: 'm',
      display_name: 'M',
      context_window: 3,
      max_input_tokens: 2,
      max_output_tokens: 1,
      supports_tools: false,
      supports_reasoning: true,
      reasoning_efforts: ['low', 'max'],
      default_reasoning_effort: 'max',
      cost_input_per_million: 0,
      cost_output_per_million: 2.5,
    }
    const { id, ...facts } = model
    const [list] = rows({ p: { models: { curated: [model, { id: 'n' }] } } })
    expect(list?.rows[0]).toMatchObject({ model_id: id, facts: { ...NO_FACTS, ...facts } })
    expect(list?.rows[1]?.facts).toEqual(NO_FACTS)
  })

  it('are of the time of the last change and never expire or fail (CAT-174)', () => {
    const [list] = rows({ p: { models: { default: 'm' } } })
    expect(list).toMatchObject({
      source_id: 'config',
      provider_id: 'p',
      refreshed_at: AT,
      fresh_until: null,
      failed: false,
    })
  })

  it('have no list for a provider that names no model', () => {
    expect(rows({ p: { base_url: 'http://localhost' }, q: { models: {} } })).toEqual([])
  })

  it('are the same whatever the order in the file', () => {
    const a = { models: { curated: [{ id: 'x' }, { id: 'X' }, { id: 'é' }] } }
    const b = { models: { curated: [{ id: 'é' }, { id: 'X' }, { id: 'x' }] } }
    expect(rows({ p: a, 10: b, constructor: a })).toEqual(rows({ constructor: b, 10: a, p: b }))
  })
})
