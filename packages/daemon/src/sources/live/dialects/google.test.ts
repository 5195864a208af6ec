import { describe, expect, it } from 'vitest'
import { pageOf, statedBy } from '../testing/stated-rows.ts'
import { google } from './google.ts'

const pro = {
  name: 'models/gemini-2.5-pro',
  version: '2.5',
  displayName: 'Gemini 2.5 Pro',
  description: 'never kept',
  inputTokenLimit: 1_048_576,
  outputTokenLimit: 65_536,
  supportedGenerationMethods: ['generateContent', 'countTokens', 'createCachedContent'],
  temperature: 1,
  thinking: true,
}

describe('the Google list', () => {
  it('strips models/ and takes limits as they are stated (CAT-213)', () => {
    expect(statedBy(google, { models: [pro] })).toEqual({
      'gemini-2.5-pro': {
        display_name: 'Gemini 2.5 Pro',
        max_input_tokens: 1_048_576,
        max_output_tokens: 65_536,
        supports_reasoning: true,
      },
    })
  })

  it('strips the prefix once and nowhere else (CAT-213)', () => {
    const rows = statedBy(google, { models: [{ name: 'models/models/x' }, { name: 'tunedModels/mine' }] })
    expect(Object.keys(rows)).toEqual(['models/x', 'tunedModels/mine'])
  })

  it('does not offer for chat what cannot generate content (CAT-213, CAT-222)', () => {
    const only = (name: string, ...supportedGenerationMethods: readonly string[]) => ({
      name,
      supportedGenerationMethods,
    })
    const page = pageOf(google, {
      models: [
        pro,
        only('models/gemini-embedding-001', 'embedContent', 'asyncBatchEmbedContent'),
        only('models/imagen-4', 'predict'),
      ],
    })
    expect(page.rows.map((row) => row.model_id)).toEqual(['gemini-2.5-pro'])
    expect(page.leftOut).toEqual([
      { model_id: 'gemini-embedding-001', purpose: 'embedding' },
      { model_id: 'imagen-4', purpose: 'other' },
    ])
  })

  it('goes on with the page token, and ends without one (CAT-213)', () => {
    expect(pageOf(google, { models: [pro], nextPageToken: 'Ch9' }).next).toEqual({
      cursor: 'Ch9',
      query: { pageSize: '1000', pageToken: 'Ch9' },
    })
    expect(pageOf(google, { models: [pro], nextPageToken: '' }).next).toBeNull()
    expect(pageOf(google, { models: [pro] }).next).toBeNull()
  })
})
