import { ProviderId } from '@signalbox/contract/ids'
import { describe, expect, it } from 'vitest'
import { enrichedFrom, PROVIDER_ALIASES } from './provider-aliases.ts'

const id = (text: string) => ProviderId.parse(text)

describe('provider aliases', () => {
  it.each([
    ['codex', 'openai'],
    ['claude', 'anthropic'],
    ['gemini', 'google'],
    ['moonshot', 'moonshotai'],
    ['vercel-ai-gateway', 'vercel'],
    ['lm-studio', 'lmstudio'],
  ])('enriches %s from the models.dev rows of %s (CAT-178)', (ours, theirs) => {
    expect(enrichedFrom(id(ours))).toBe(theirs)
  })

  it('leaves a provider alone that has its own rows (CAT-177)', () => {
    for (const theirs of Object.values(PROVIDER_ALIASES)) expect(enrichedFrom(id(theirs))).toBeNull()
    expect(enrichedFrom(id('openrouter'))).toBeNull()
  })

  it('does not find what objects inherit', () => {
    expect(enrichedFrom(id('constructor'))).toBeNull()
  })

  it('holds only well-formed ids, and no chain of aliases', () => {
    for (const [ours, theirs] of Object.entries(PROVIDER_ALIASES)) {
      expect(ProviderId.safeParse(ours).success).toBe(true)
      expect(ProviderId.safeParse(theirs).success).toBe(true)
      expect(Object.keys(PROVIDER_ALIASES)).not.toContain(theirs)
    }
  })
})
