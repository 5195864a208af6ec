import { describe, expect, it } from 'vitest'
import { redactConfig } from './redacted-config.ts'

const config = { daemon: { port: 1 }, providers: { x: { base_url: 'https://x/v1', api_key: 'sk-canary' }, y: {} } }

describe('a configuration that is shown or kept', () => {
  it('has no key in it, and everything else', () => {
    expect(redactConfig(config)).toEqual({ daemon: { port: 1 }, providers: { x: { base_url: 'https://x/v1' }, y: {} } })
    expect(redactConfig(config, '[redacted]').providers.x.api_key).toBe('[redacted]')
    expect(config.providers.x.api_key).toBe('sk-canary')
  })

  it.each([null, 1, 'text', [], {}, { providers: null }, { providers: { x: 'sk' } }])(
    'is itself where it has none: %j',
    (value) => {
      expect(redactConfig(value)).toEqual(value)
    },
  )
})
