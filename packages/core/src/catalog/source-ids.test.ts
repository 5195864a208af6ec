import { ProviderId, SOURCE_PRIORITY, SourceId, sourceKindOf } from '@signalbox/contract/ids'
import { describe, expect, it } from 'vitest'
import { kindOf } from './rows.ts'
import { source } from './testing/samples.ts'

describe('provider and source ids', () => {
  it.each(['openai', 'llama.cpp', '302ai', 'a', 'lm-studio', 'x_y', 'models'])(
    'takes %j as a provider id (CAT-014)',
    (id) => {
      expect(ProviderId.safeParse(id).success).toBe(true)
      expect(sourceKindOf(`provider_live:${id}`)).toBe('provider_live')
    },
  )

  it.each(['', 'OpenAI', '.hidden', '-x', '_x', 'a b', 'a/b', 'a:b', 'openai\n', 'opénai', '../etc'])(
    'refuses %j as a provider id, also after "provider_live:" (CAT-014)',
    (id) => {
      expect(ProviderId.safeParse(id).success).toBe(false)
      expect(sourceKindOf(`provider_live:${id}`)).toBeNull()
    },
  )

  it.each(['hub', '3-d_x', 'a'])('takes %j as an extension slug (CAT-014)', (slug) => {
    expect(sourceKindOf(`extension:${slug}`)).toBe('extension')
  })

  it.each(['', 'my.ext', 'Hub', '-x', '_x', 'a:b', 'hub\n', '@scope/x'])(
    'refuses %j as an extension slug (CAT-014)',
    (slug) => {
      expect(sourceKindOf(`extension:${slug}`)).toBeNull()
      expect(SourceId.safeParse(`extension:${slug}`).success).toBe(false)
    },
  )

  it.each(['', 'Config', 'config:x', 'provider_live', 'extension', 'acp_session:1', 'toString', ':x', 'models_dev '])(
    'does not take %j for a source that is merged (CAT-014)',
    (id) => {
      expect(sourceKindOf(id)).toBeNull()
      expect(SourceId.safeParse(id).success).toBe(false)
    },
  )

  it.each([
    ['config', 'config', 120],
    ['provider_live:llama.cpp', 'provider_live', 110],
    ['extension:hub', 'extension', 100],
    ['models_dev', 'models_dev', 50],
    ['builtin', 'builtin', 10],
  ] as const)('gives %s the kind %s and the priority %i (CAT-012)', (id, kind, priority) => {
    expect(kindOf(source(id))).toBe(kind)
    expect(SOURCE_PRIORITY[kind]).toBe(priority)
  })
})
