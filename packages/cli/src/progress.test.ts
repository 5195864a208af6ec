import { describe, expect, it } from 'vitest'
import { progressLine } from './progress.ts'

const event = (fields: Record<string, unknown>) =>
  JSON.stringify({
    event: 'catalog.refresh.succeeded',
    refresh_request_id: 'r1',
    source_id: 'models_dev',
    provider_id: 'openai',
    row_count: 12,
    duration_ms: 1240,
    ...fields,
  })

describe('a progress line', () => {
  it.each([
    [{ event: 'catalog.refresh.started' }, 'models_dev (openai): asking\n'],
    [{}, 'models_dev (openai): 12 models in 1.2 s\n'],
    [{ source_id: 'provider_live:openai' }, 'provider_live:openai: 12 models in 1.2 s\n'],
    [
      { event: 'catalog.refresh.failed', provider_id: null, error: 'HTTP 500\u001b[31m' },
      'models_dev: failed: HTTP 500\\u001b[31m\n',
    ],
  ])('says what happened (CAT-150): %j', (fields, line) => {
    expect(progressLine(event(fields), 'r1')).toBe(line)
  })

  it('is not written for another refresh, another event or what is no event', () => {
    expect(progressLine(event({ refresh_request_id: 'r2' }), 'r1')).toBeNull()
    expect(progressLine(event({ event: 'catalog.snapshot.published' }), 'r1')).toBeNull()
    expect(progressLine('{"half', 'r1')).toBeNull()
    expect(progressLine('null', 'r1')).toBeNull()
  })
})
