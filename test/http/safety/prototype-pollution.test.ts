/** Names that mean something to JavaScript are names like any other. */
import { describe, expect, it } from 'vitest'
import { errorOf, modelsOf, oneDaemon, refreshesDuring } from '../one-daemon.ts'

const daemon = oneDaemon()
const NAMES = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', '__defineGetter__']
const headers = { 'content-type': 'application/json' }

describe.each(NAMES)('the name %s', (name) => {
  it('is an unknown query parameter (CAT-145)', async () => {
    for (const path of [
      '/api/providers/models',
      '/api/providers/openai/models',
      '/api/providers/models/status',
      '/api/daemon',
      '/api/explain',
    ]) {
      expect(errorOf(await daemon().overTcp(`${path}?${name}=1`))).toMatchObject({
        code: 'invalid_request',
        field: name,
      })
      expect(errorOf(await daemon().overTcp(`${path}?${name}[force]=1`))).toMatchObject({
        code: 'invalid_request',
        field: `${name}[force]`,
      })
    }
  })

  it('is an unknown body field, and no source runs (CAT-146)', async () => {
    const started = await refreshesDuring(daemon(), async () => {
      for (const body of [
        `{"${name}":{"force":true}}`,
        `{"${name}":null,"force":true}`,
        `{"force":true,"${name}":1}`,
      ]) {
        const answer = await daemon().overTcp('/api/providers/models/refresh', { method: 'POST', headers, body })
        expect(errorOf(answer)).toMatchObject({ code: 'invalid_request', field: name })
      }
    })
    expect(started).toEqual([])
  })

  it('as a value finds nothing', async () => {
    expect(modelsOf(await daemon().overTcp(`/api/providers/models?q=${name}`))).toEqual([])
    expect(errorOf(await daemon().overTcp(`/api/explain?provider_id=openai&model_id=${name}`)).code).toBe(
      'unknown_model',
    )
    expect(errorOf(await daemon().overTcp(`/api/providers/models?source_id=${name}`)).code).toBe('invalid_request')
  })
})
