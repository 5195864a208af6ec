import type { SourceId } from '@signalbox/contract/ids'
import { ProviderId } from '@signalbox/contract/ids'
import type { UnknownReason } from '@signalbox/contract/model'
import { describe, expect, it } from 'vitest'
import { rememberedIdentity, writeMemory } from '../catalog/source-memory.ts'
import { StatusBoard } from '../catalog/status-board.ts'
import type { Source } from '../sources/source.ts'
import type { StatusRecord } from '../store/store.ts'
import { proofOf } from './proof.ts'

const provider_id = ProviderId.parse('openai')
const live: Source = {
  id: 'provider_live:openai' as SourceId,
  kind: 'provider_live',
  scope: { kind: 'providers', provider_ids: [provider_id] },
  ttlMs: 1,
  timeoutMs: 1,
  enabled: true,
  identity: 'this key',
  network: true,
  mayBeEmpty: false,
  list: () => Promise.reject(new Error('nobody asks here')),
}
const THIS = rememberedIdentity(live)
const OTHER = rememberedIdentity({ identity: 'another key' })

interface Past {
  readonly asked: string
  readonly good: string | null
  readonly failure: UnknownReason | 'unnamed' | null
  readonly last_success: number | null
}

function proofAfter(past: Past | null, offline = false) {
  const record: StatusRecord | null = past && {
    source_id: live.id,
    provider_id,
    outcome: past.failure === null ? 'succeeded' : 'failed',
    last_refresh: 20,
    next_refresh: null,
    last_success: past.last_success,
    last_error: null,
    reason: past.failure === 'unnamed' ? null : past.failure,
    failures: 0,
  }
  const good = past?.good == null ? null : { identity: past.good, row_count: 1, shrunken: null }
  const memory = past && writeMemory({ asked: past.asked, good, validators: {} })
  const statuses = new StatusBoard(
    record === null ? [] : [record],
    () => new Map(),
    () => offline,
  )
  return proofOf({ statuses, memoryOf: () => memory }, provider_id, live)
}

const untried = { verified: null, verified_at: null }

describe('what the provider said of a credential', () => {
  it('is nothing before it was asked', () => {
    expect(proofAfter(null)).toEqual({ ...untried, reason: 'not_probed' })
    expect(proofAfter(null, true)).toEqual({ ...untried, reason: 'offline' })
  })

  it('is yes after an answer, and no after a refusal', () => {
    const good = { asked: THIS, good: THIS, failure: null, last_success: 20 }
    expect(proofAfter(good)).toEqual({ verified: true, verified_at: 20, reason: null })
    const rejected = { asked: THIS, good: THIS, failure: 'credential_rejected', last_success: 10 } as const
    expect(proofAfter(rejected)).toEqual({ verified: false, verified_at: 20, reason: 'credential_rejected' })
  })

  it('is not what it said of another one, good or bad', () => {
    const good = { asked: OTHER, good: OTHER, failure: null, last_success: 20 }
    expect(proofAfter(good)).toEqual({ ...untried, reason: 'not_probed' })
    const rejected = { asked: OTHER, good: null, failure: 'credential_rejected', last_success: null } as const
    expect(proofAfter(rejected)).toEqual({ ...untried, reason: 'not_probed' })
    const downSince = { asked: THIS, good: OTHER, failure: 'provider_unreachable', last_success: 10 } as const
    expect(proofAfter(downSince)).toEqual({ ...untried, reason: 'provider_unreachable' })
  })

  it('stays while the provider does not answer', () => {
    const down = { asked: THIS, good: THIS, failure: 'rate_limited', last_success: 10 } as const
    expect(proofAfter(down)).toEqual({ verified: true, verified_at: 10, reason: 'rate_limited' })
    const unnamed = { ...down, failure: 'unnamed' } as const
    expect(proofAfter(unnamed)).toEqual({ verified: true, verified_at: 10, reason: 'provider_unreachable' })
  })
})
