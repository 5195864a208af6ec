/** What every store engine promises. Each engine's test file runs this suite. */
import type { ProviderId, SourceId } from '@signalbox/contract/ids'
import type { RowList } from '@signalbox/contract/row'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { anyChange } from './store.arbitraries.ts'
import { bodyOf, list, ODD_TEXTS, provider, published, row, snapshotOf, source, status } from './store.samples.ts'
import type { PublishedList, StatusRecord, Store } from './store.ts'

export interface Engine {
  readonly store: Store
  /** Close, and open again what was stored. */
  reopen(): Store
  dispose(): void
}

export function storeCases(name: string, open: () => Engine): void {
  describe(`${name} as a store`, () => {
    let engine: Engine
    beforeEach(() => {
      engine = open()
    })
    afterEach(() => {
      engine.dispose()
    })

    it('starts empty', () => {
      expect(engine.store.load()).toEqual({ lists: [], statuses: [], memories: [], published: [] })
      expect(engine.store.note('anything')).toBeNull()
    })

    it('returns odd ids and texts byte for byte (CAT-015)', () => {
      const lists = ODD_TEXTS.map((text) =>
        list(text, text, [row(text), row(`${text}/x`, { display_name: text, family: '' })]),
      )
      const statuses = ODD_TEXTS.map((text) => status(text, text, { last_error: text, outcome: 'failed' }))
      const memories = ODD_TEXTS.map((text) => ({
        source_id: source(text),
        provider_id: provider(text),
        memory: { [text]: text },
      }))
      const bodies = ODD_TEXTS.map((text) => published(text, JSON.stringify(text)))
      const notes = Object.fromEntries(ODD_TEXTS.map((text) => [text, text]))
      engine.store.commit({ lists, statuses, memories, published: bodies, notes })

      const store = engine.reopen()
      const loaded = store.load()
      expect(byProvider(loaded.lists)).toEqual(byProvider(lists))
      expect(byProvider(loaded.statuses)).toEqual(byProvider(statuses))
      expect(byProvider(loaded.memories)).toEqual(byProvider(memories))
      expect(byProvider(loaded.published.map(bodyOf))).toEqual(byProvider(bodies.map(bodyOf)))
      for (const text of ODD_TEXTS) expect(store.note(text)).toBe(text)
    })

    it('keeps ids apart that differ only in case, a prefix or a separator (CAT-015)', () => {
      const ids = [
        'gpt-5.4',
        'GPT-5.4',
        'openai/gpt-5.4',
        'openai:gpt-5.4',
        'gpt-5.4 ',
        'gpt-5.4\u0000',
        'café',
        'cafe\u0301',
      ]
      engine.store.commit({
        lists: ids.map((id) =>
          list(
            'models_dev',
            id,
            ids.map((model) => row(model)),
          ),
        ),
      })
      const { lists } = engine.reopen().load()
      expect(new Set(lists.map(({ provider_id }) => provider_id))).toEqual(new Set(ids))
      for (const { rows } of lists) expect(rows.map(({ model_id }) => model_id)).toEqual(ids)
    })

    it('replaces one list and leaves every other byte-identical (CAT-013)', () => {
      const keys = [
        ['models_dev', 'openai'],
        ['models_dev', 'anthropic'],
        ['provider_live:openai', 'openai'],
        ['extension:x', 'openai'],
      ] as const
      engine.store.commit({ lists: keys.map(([s, p]) => list(s, p, [row('a', { context_window: 1 }), row('b')])) })
      const before = engine.reopen().load().lists
      engine.dispose()
      engine = open()
      engine.store.commit({ lists: before })
      engine.store.commit({ lists: [list('models_dev', 'openai', [row('only')], { refreshed_at: 99 })] })
      const after = engine.reopen().load().lists
      const others = (lists: readonly RowList[]) =>
        lists
          .filter((one) => one.source_id !== 'models_dev' || one.provider_id !== 'openai')
          .map((one) => JSON.stringify(one))
      expect(others(after)).toEqual(others(before))
      expect(others(after)).toHaveLength(3)
      expect(after.find((one) => one.source_id === 'models_dev' && one.provider_id === 'openai')).toEqual(
        list('models_dev', 'openai', [row('only')], { refreshed_at: 99 }),
      )
    })

    it('takes new times for a list that comes back with the same rows', () => {
      const rows = [row('a', { context_window: 5 })]
      engine.store.commit({ lists: [list('models_dev', 'p', rows)] })
      engine.store.commit({
        lists: [list('models_dev', 'p', rows, { refreshed_at: 7, fresh_until: null, failed: true })],
      })
      const store = engine.reopen()
      const [loaded] = store.load().lists
      expect(loaded).toEqual(list('models_dev', 'p', rows, { refreshed_at: 7, fresh_until: null, failed: true }))

      const again = { ...loaded, failed: false } as RowList
      store.commit({ lists: [again] })
      expect(store.load().lists).toEqual([list('models_dev', 'p', rows, { refreshed_at: 7, fresh_until: null })])
    })

    it('writes the rows of a list again that it removes in the same change', () => {
      const kept = list('models_dev', 'p', [row('a')])
      engine.store.commit({ lists: [kept] })
      engine.store.commit({ removeLists: [kept], lists: [kept] })
      expect(engine.reopen().load().lists).toEqual([kept])
    })

    it('lets the last of two lists with one key win, even when it is the stored one', () => {
      const first = list('models_dev', 'p', [row('a')])
      engine.store.commit({ lists: [first] })
      engine.store.commit({ lists: [list('models_dev', 'p', [row('b')]), first] })
      expect(engine.reopen().load().lists).toEqual([first])
    })

    it('changes nothing when a part of the change cannot be stored', () => {
      engine.store.commit({
        lists: [list('models_dev', 'p', [row('a')])],
        statuses: [status('models_dev', 'p')],
        published: [published('p', '{}')],
        notes: { config: 'old' },
      })
      const before = snapshotOf(engine.store)
      const circular: Record<string, unknown> = {}
      circular.self = circular
      expect(() =>
        engine.store.commit({
          removeLists: [{ source_id: source('models_dev'), provider_id: provider('p') }],
          lists: [list('models_dev', 'q', [row('b')])],
          removeStatusesOf: [source('models_dev')],
          removePublished: [provider('p')],
          notes: { config: 'new' },
          memories: [{ source_id: source('models_dev'), provider_id: null, memory: circular }],
        }),
      ).toThrow(TypeError)
      expect(snapshotOf(engine.store)).toEqual(before)
      expect(engine.store.note('config')).toBe('old')
      expect(snapshotOf(engine.reopen())).toEqual(before)
    })

    it('keeps the status of a source that named no provider apart from those with one, one each', () => {
      const store = engine.store
      store.commit({ statuses: [status('models_dev', null), status('models_dev', 'p')] })
      const failed: Partial<StatusRecord> = {
        outcome: 'failed',
        last_error: 'no route',
        failures: 3,
        last_success: 4,
        next_refresh: null,
      }
      store.commit({ statuses: [status('models_dev', null, failed)] })
      expect(engine.reopen().load().statuses).toEqual([status('models_dev', null, failed), status('models_dev', 'p')])
    })

    it('keeps one memory per source and provider, null among them', () => {
      const memory = (provider_id: ProviderId | null, value: unknown) => ({
        source_id: source('models_dev'),
        provider_id,
        memory: { value },
      })
      engine.store.commit({ memories: [memory(null, 1), memory(provider('p'), 2)] })
      engine.store.commit({ memories: [memory(null, { deep: ['x', null] })] })
      expect(engine.reopen().load().memories).toEqual([memory(null, { deep: ['x', null] }), memory(provider('p'), 2)])
    })

    it('removes lists, the statuses of a source and published lists, and only those', () => {
      const p = provider('p')
      engine.store.commit({
        lists: [list('models_dev', 'p'), list('models_dev', 'q'), list('extension:x', 'p')],
        statuses: [status('models_dev', null), status('models_dev', 'p'), status('extension:x', 'p')],
        published: [published('p', '1'), published('q', '2')],
      })
      engine.store.commit({
        removeLists: [{ source_id: source('models_dev'), provider_id: p }],
        removeStatusesOf: [source('models_dev')],
        removePublished: [p, provider('never there')],
      })
      const loaded = engine.reopen().load()
      expect(loaded.lists).toEqual([list('extension:x', 'p'), list('models_dev', 'q')])
      expect(loaded.statuses).toEqual([status('extension:x', 'p')])
      expect(loaded.published.map(bodyOf)).toEqual([bodyOf(published('q', '2'))])
    })

    it('removes before it replaces', () => {
      engine.store.commit({
        lists: [list('models_dev', 'p', [row('old')])],
        statuses: [status('models_dev', null)],
        published: [published('p', '1')],
      })
      engine.store.commit({
        removeLists: [{ source_id: source('models_dev'), provider_id: provider('p') }],
        lists: [list('models_dev', 'p', [row('new')])],
        removeStatusesOf: [source('models_dev')],
        statuses: [status('models_dev', 'p')],
        removePublished: [provider('p')],
        published: [published('p', '2')],
      })
      const loaded = engine.reopen().load()
      expect(loaded.lists).toEqual([list('models_dev', 'p', [row('new')])])
      expect(loaded.statuses).toEqual([status('models_dev', 'p')])
      expect(loaded.published.map(bodyOf)).toEqual([bodyOf(published('p', '2'))])
    })

    it('keeps an empty list apart from no list', () => {
      engine.store.commit({ lists: [list('provider_live:ollama', 'ollama', [])] })
      expect(engine.reopen().load().lists).toEqual([list('provider_live:ollama', 'ollama', [])])
    })

    it('returns a list of 10,000 rows whole and in order', () => {
      const rows = Array.from({ length: 10_000 }, (_, i) =>
        row(`m${(i * 7919) % 10_000}`, { display_name: 'é'.repeat(i % 50), context_window: i + 1 }),
      )
      engine.store.commit({ lists: [list('models_dev', 'big', rows)] })
      expect(engine.reopen().load().lists[0]?.rows).toEqual(rows)
    })

    it('keeps false, 0 and the empty list apart from not stated', () => {
      const facts = { supports_tools: false, cost_input_per_million: 0, reasoning_efforts: [], display_name: '' }
      const denied = {
        ...row('a', facts),
        available: false,
        denial: 'not_entitled',
        refreshed_at: 0,
        expires_at: 0,
        declared_stale: true,
      } as const
      engine.store.commit({ lists: [list('provider_live:p', 'p', [denied, row('b')])] })
      expect(engine.reopen().load().lists[0]?.rows).toStrictEqual([denied, row('b')])
    })

    it('refuses a commit after close, and may be closed twice', () => {
      engine.store.close()
      expect(() => engine.store.commit({ notes: { a: 'b' } })).toThrow()
      expect(() => engine.store.close()).not.toThrow()
    })

    it('loads after a restart what was committed, whatever it was', () => {
      fc.assert(
        fc.property(anyChange, (change) => {
          const mine = open()
          try {
            mine.store.commit(change)
            const store = mine.reopen()
            const loaded = store.load()
            expect(sorted(loaded.lists)).toEqual(sorted(lastOfEach(change.lists)))
            expect(sorted(loaded.statuses)).toEqual(sorted(lastOfEach(change.statuses)))
            expect(sorted(loaded.memories)).toEqual(sorted(lastOfEach(change.memories)))
            expect(sorted(loaded.published.map(bodyOf))).toEqual(sorted(lastOfEach(change.published).map(bodyOf)))
            for (const [name, text] of Object.entries(change.notes)) expect(store.note(name)).toBe(text)
          } finally {
            mine.dispose()
          }
        }),
        { numRuns: 60 },
      )
    })
  })
}

interface Keyed {
  readonly source_id?: SourceId
  readonly provider_id: ProviderId | null
}

const keyOf = ({ source_id, provider_id }: Keyed) => JSON.stringify([source_id, provider_id])
const sorted = <T extends Keyed>(all: readonly T[]) => all.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
const lastOfEach = <T extends Keyed>(all: readonly T[]) => [...new Map(all.map((one) => [keyOf(one), one])).values()]
const byProvider = (all: readonly (Keyed | PublishedList)[]) => new Map(all.map((one) => [one.provider_id, one]))
