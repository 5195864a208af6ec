import { describe, expect, it } from 'vitest'
import { pageOf, statedBy } from '../testing/stated-rows.ts'
import { openai } from './openai.ts'

const entry = (id: string) => ({ id, object: 'model', created: 1_715_367_049, owned_by: 'system' })
const list = (...ids: readonly string[]) => ({ object: 'list', data: ids.map(entry) })

describe('the OpenAI list', () => {
  it('gives ids as they are and states nothing else (CAT-211)', () => {
    expect(statedBy(openai, list('gpt-5.2', 'ft:gpt-4o:acme::A1b2'))).toEqual({
      'gpt-5.2': {},
      'ft:gpt-4o:acme::A1b2': {},
    })
  })

  it('never lists embedding models, nor those for speech and images (CAT-222)', () => {
    const page = pageOf(
      openai,
      list('text-embedding-3-small', 'gpt-5.2', 'whisper-1', 'dall-e-3', 'omni-moderation-latest'),
    )
    expect(page.rows.map((row) => row.model_id)).toEqual(['gpt-5.2'])
    expect(page.leftOut).toContainEqual({ model_id: 'text-embedding-3-small', purpose: 'embedding' })
  })

  it('drops a bad row, names it, and keeps the rest (CAT-155)', () => {
    const data = [entry('a'), { object: 'model' }, 'b', { id: ' ' }, { id: 7 }, entry('a'), entry('c')]
    const { rows, rejected } = pageOf(openai, { object: 'list', data })
    expect(rows.map((row) => row.model_id)).toEqual(['a', 'c'])
    expect(rejected.map(({ model_id, reason }) => [model_id, reason])).toEqual([
      [null, 'no id'],
      [null, 'not an object'],
      [null, 'no id'],
      [null, 'no id'],
      ['a', 'the id is repeated'],
    ])
  })

  it('drops the rows that invalid UTF-8 hit, and only where there was some (CAT-155)', () => {
    const document = list('good', 'b\ufffdd')
    expect(openai.parse(document, { damaged: true })?.rows.map((row) => row.model_id)).toEqual(['good'])
    expect(openai.parse(document)?.rows).toHaveLength(2)
  })

  it('tells an empty list from an answer that is none', () => {
    expect(pageOf(openai, { object: 'list', data: [] }).rows).toEqual([])
    expect(pageOf(openai, { object: 'list', data: null }).rows).toEqual([])
    for (const other of [
      {},
      [],
      null,
      'data',
      { error: { message: 'no' } },
      { data: {} },
      { data: null, error: 'x' },
    ]) {
      expect(openai.parse(other)).toBeNull()
    }
  })
})
