import { describe, expect, it } from 'vitest'
import { progressLine } from './progress.ts'

const event = {
  event: 'catalog.refresh.succeeded',
  refresh_request_id: 'r1',
  source_id: 'models_dev',
  provider_id: 'openai',
  row_count: 12,
  duration_ms: 1240,
}

describe('a progress line', () => {
  it.each([
    [{ event: 'catalog.refresh.started' }, 'models_dev (openai): asking\n'],
    [{}, 'models_dev (openai): 12 models in 1.2 s\n'],
    [{ source_id: 'provider_live:openai' }, 'provider_live:openai: 12 models in 1.2 s\n'],
    [{ event: 'catalog.source.stale_fallback' }, 'models_dev (openai): keeping 12 models from before\n'],
    [
      { event: 'catalog.refresh.failed', provider_id: null, error: 'HTTP 500\u001b[31m' },
      'models_dev: failed: HTTP 500\\u001b[31m\n',
    ],
  ])('says what happened (CAT-150): %j', (fields, line) => {
    expect(progressLine({ ...event, ...fields })).toBe(line)
  })

  it('is not written for other events', () => {
    expect(progressLine({ ...event, event: 'catalog.snapshot.published' })).toBeNull()
    expect(progressLine({})).toBeNull()
  })
})
