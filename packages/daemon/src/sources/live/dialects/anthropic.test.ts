import { describe, expect, it } from 'vitest'
import { pageOf, statedBy } from '../testing/stated-rows.ts'
import { anthropic } from './anthropic.ts'

const yes = { supported: true }
const no = { supported: false }
const opus = {
  type: 'model',
  id: 'claude-opus-4-6',
  display_name: 'Claude Opus 4.6',
  created_at: '2026-02-04T00:00:00Z',
  max_input_tokens: 200_000,
  max_tokens: 128_000,
  capabilities: {
    image_input: yes,
    effort: { ...yes, low: yes, medium: yes, high: yes, max: no },
    thinking: { ...yes, types: { adaptive: yes, enabled: yes } },
  },
}
const old = {
  type: 'model',
  id: 'claude-3-haiku-20240307',
  display_name: 'Claude Haiku 3',
  created_at: '1970-01-01T00:00:00Z',
}

describe('the Anthropic list', () => {
  it('takes names, limits, stated efforts and the release, and leaves the rest unknown (CAT-212)', () => {
    expect(statedBy(anthropic, { data: [opus, old], has_more: false, first_id: opus.id, last_id: old.id })).toEqual({
      'claude-opus-4-6': {
        display_name: 'Claude Opus 4.6',
        max_input_tokens: 200_000,
        max_output_tokens: 128_000,
        supports_reasoning: true,
        reasoning_efforts: ['low', 'medium', 'high'],
        release_date: '2026-02-04',
      },
      'claude-3-haiku-20240307': { display_name: 'Claude Haiku 3' },
    })
  })

  it('goes on after the last id while there is more (CAT-212)', () => {
    expect(pageOf(anthropic, { data: [opus], has_more: true, last_id: opus.id }).next).toEqual({
      cursor: opus.id,
      query: { limit: '1000', after_id: opus.id },
    })
    expect(pageOf(anthropic, { data: [opus], has_more: false, last_id: opus.id }).next).toBeNull()
  })

  it('does not take a list for complete that says it is not and has no last id (CAT-154)', () => {
    expect(pageOf(anthropic, { data: [opus], has_more: true, last_id: null }).next).toBe('lost')
  })

  it('names the version of the API (CAT-212)', () => {
    expect(anthropic.extraHeaders).toEqual({ 'anthropic-version': '2023-06-01' })
  })
})
