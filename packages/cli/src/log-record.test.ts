import { describe, expect, it } from 'vitest'
import { renderRecord } from './log-record.ts'

const record = {
  time: '2026-05-07T18:32:11Z',
  level: 'warn',
  event: 'catalog.refresh.failed',
  source_id: 'models_dev',
  provider_id: null,
  error: 'timed out after 10 s',
}

describe('a log record for people', () => {
  it('is time, level, event and the fields that say something', () => {
    expect(renderRecord(JSON.stringify(record), false)).toBe(
      '2026-05-07 18:32:11  warn   catalog.refresh.failed  source_id=models_dev  error="timed out after 10 s"',
    )
  })

  it('is coloured by level only when asked', () => {
    const plain = renderRecord(JSON.stringify(record), false)
    expect(renderRecord(JSON.stringify(record), true)).toBe(`\u001b[33m${plain}\u001b[0m`)
  })

  it('never lets a control character through (CAT-150)', () => {
    expect(renderRecord(JSON.stringify({ ...record, error: '\u001b]0;x\u0007' }), false)).toContain(
      'error=\\u001b]0;x\\u0007',
    )
    expect(renderRecord('not json \u001b[2J', false)).toBe('not json \\u001b[2J')
  })

  it.each(['', '{"event"', 'null', '[]', '{"a":1}'])('leaves %j, which is no record, as it is', (line) => {
    expect(renderRecord(line, false)).toBe(line)
  })
})
