/** What every source must do, whatever it asks. Each implementation runs all of it: see `source.test.ts`. */
import { ProviderId, SOURCE_PRIORITY, SourceId, type SourceKind, sourceKindOf } from '@signalbox/contract/ids'
import { Model } from '@signalbox/contract/model'
import type { StatedRow } from '@signalbox/contract/row'
import { FIELDS } from '@signalbox/core/catalog/facts'
import { mergeModel } from '@signalbox/core/catalog/merge'
import { projectModel } from '@signalbox/core/catalog/project'
import { rowsOf } from '@signalbox/core/catalog/rows'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeRig, START } from '../refresh/testing/rig.ts'
import { statedRow } from './source.examples.ts'
import type { ProviderRows, Source, SourceAnswer, SourceCall } from './source.ts'

export interface OpenedSource extends AsyncDisposable {
  readonly source: Source
  readonly world: World
}

/** What a source depends on, where it does. */
export interface World {
  readonly slow?: {
    /** From now on it does not answer. */
    hang(): void
    /** Resolves when a call is waiting for it. */
    waiting(): Promise<void>
  }
  /** From now on it fails, with this text in every place that a careless source would quote. */
  fail?(canary: string): void
}

/** Which kinds ask somebody, and so age and may be left out while offline (CAT-184). */
const TTL_MS: Readonly<Record<SourceKind, number | null>> = {
  config: null,
  provider_live: 3_600_000,
  extension: 3_600_000,
  models_dev: 86_400_000,
  builtin: null,
}

const STATED_KEYS = Object.keys(statedRow('x')).sort()

/** @param needs what the source depends on: a world that may be slow, one that may fail, both or none */
export function sourceCases(name: string, needs: readonly (keyof World)[], open: () => Promise<OpenedSource>): void {
  describe(`the ${name} source, as every source`, () => {
    let opened: OpenedSource
    let source: Source
    beforeEach(async () => {
      opened = await open()
      source = opened.source
    })
    afterEach(async () => {
      await opened[Symbol.asyncDispose]()
    })

    const call = (signal: AbortSignal = new AbortController().signal): SourceCall => ({
      provider_id: source.scope.kind === 'global' ? null : (source.scope.provider_ids[0] ?? null),
      signal,
      now: START,
      validators: {},
    })

    it('has a well-formed id that says its kind (CAT-008, CAT-009, CAT-010)', () => {
      expect(SourceId.safeParse(source.id).success).toBe(true)
      expect(sourceKindOf(source.id)).toBe(source.kind)
      expect(source.identity).not.toBe('')
    })

    it('speaks for providers that it may speak for (CAT-009, CAT-014)', () => {
      if (source.scope.kind === 'global') {
        expect(['config', 'models_dev', 'builtin']).toContain(source.kind)
        return
      }
      const { provider_ids } = source.scope
      expect(provider_ids.length).toBeGreaterThan(0)
      expect(new Set(provider_ids).size).toBe(provider_ids.length)
      for (const id of provider_ids) expect(ProviderId.safeParse(id).success).toBe(true)
      if (source.kind === 'provider_live') expect(provider_ids).toEqual([source.id.slice('provider_live:'.length)])
    })

    it('ages as its kind does, and has a deadline (CAT-083, CAT-184)', () => {
      expect(source.ttlMs).toBe(TTL_MS[source.kind])
      expect(source.network).toBe(source.ttlMs !== null)
      expect(source.timeoutMs).toBeGreaterThan(0)
      expect(Number.isFinite(source.timeoutMs)).toBe(true)
    })

    it('answers with rows of the right shape, and states only what is its to state (CAT-012)', async () => {
      const { lists } = asRows(await source.list(call()), source)
      for (const { provider_id, rows } of lists) {
        expect(ProviderId.safeParse(provider_id).success).toBe(true)
        if (source.scope.kind === 'providers') expect(source.scope.provider_ids).toContain(provider_id)
        for (const row of rows) checkRow(row, source.kind)
        expect(new Set(rows.map((row) => row.model_id)).size).toBe(rows.length)
      }
    })

    it('answers with plain data that makes valid models', async () => {
      const { lists, validators } = asRows(await source.list(call()), source)
      expect(JSON.parse(JSON.stringify({ lists, validators }))).toEqual({ lists, validators })
      for (const model of lists.flatMap((list) => modelsOf(list, source))) {
        expect(Model.safeParse(model).error).toBeUndefined()
      }
    })

    it('gives the same answer again, without having kept anything of the first', async () => {
      const first = await source.list(call())
      expect(await source.list(call())).toEqual(first)
    })

    it('never throws synchronously, and ends at once when the call is over before it began', async () => {
      const over = source.list(call(AbortSignal.abort(new Error('over'))))
      expect(over).toBeInstanceOf(Promise)
      // A source that waits for nobody may just as well answer.
      const [outcome] = await Promise.allSettled([over])
      expect(outcome.status === 'rejected' || !needs.includes('slow')).toBe(true)
    })

    if (needs.includes('slow'))
      it('ends a call that is aborted while it waits, and the next as well', async () => {
        const { slow } = opened.world
        slow?.hang()
        const controller = new AbortController()
        const waiting = source.list(call(controller.signal))
        await slow?.waiting()
        controller.abort(new Error('enough'))
        await expect(waiting).rejects.toBeInstanceOf(Error)
        const again = source.list(call(AbortSignal.abort(new Error('over'))))
        await expect(again).rejects.toBeInstanceOf(Error)
      })

    if (needs.includes('fail'))
      it('fails with an error that quotes nothing of what it was sent (CAT-076, CAT-077)', async () => {
        opened.world.fail?.('CANARY-0123456789abcdef')
        const rig = makeRig([source])
        await rig.refresh.refresh({ source_id: source.id, force: true })
        const [status] = rig.statuses()
        expect(status).toMatchObject({ refresh_state: 'failed', last_error: expect.stringMatching(/./) })
        expect(JSON.stringify([rig.statuses(), rig.events])).not.toContain('CANARY')
      })

    it('is merged under its own id, kind and priority (CAT-008, CAT-009, CAT-010, CAT-012)', async () => {
      const rig = makeRig([source], { staticLists: staticListsOf(source) })
      await rig.refresh.refresh({ source_id: source.id, force: true })
      const models = rig.models()
      expect(models.length).toBeGreaterThan(0)
      for (const { sources } of models) {
        expect(sources).toMatchObject([
          { source_id: source.id, source_kind: source.kind, priority: SOURCE_PRIORITY[source.kind] },
        ])
      }
    })
  })
}

/** The built-in source never hands rows over: the daemon takes them from the file at start. */
const BUILTIN_ROWS: ProviderRows = { provider_id: ProviderId.parse('acme'), rows: [statedRow('a')] }

function staticListsOf({ id, kind }: Source) {
  if (kind !== 'builtin') return []
  return [{ ...BUILTIN_ROWS, source_id: id, refreshed_at: START, fresh_until: null, failed: false }]
}

/** `unchanged` to a call without validators is for a source whose rows are already here. */
function asRows(answer: SourceAnswer, source: Source): Extract<SourceAnswer, { kind: 'rows' }> {
  if (answer.kind === 'rows') {
    expect(answer.lists.length).toBeGreaterThan(0)
    return answer
  }
  expect(source.kind).toBe('builtin')
  return { kind: 'rows', lists: [], rejected: [], validators: {} }
}

function checkRow(row: StatedRow, kind: SourceKind): void {
  expect(row.model_id).not.toBe('')
  // No field with which a row could claim another source, priority or provider.
  expect(Object.keys(row).sort()).toEqual(STATED_KEYS)
  expect(Object.keys(row.facts).sort()).toEqual([...FIELDS].sort())
  if (kind !== 'provider_live' && kind !== 'extension') expect([row.available, row.denial]).toEqual([null, null])
  if (row.denial !== null) expect(row.available).toBe(false)
  for (const time of [row.refreshed_at, row.expires_at]) expect(time === null || Number.isSafeInteger(time)).toBe(true)
}

function modelsOf(list: ProviderRows, source: Source) {
  const stamped = { ...list, source_id: source.id, refreshed_at: START, fresh_until: null, failed: false }
  return rowsOf(stamped, START).map((row) =>
    projectModel(mergeModel([row], { includeStale: false, probe: 'not_probed' })),
  )
}
