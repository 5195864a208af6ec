import { readFileSync } from 'node:fs'
import { parseConfig } from '@signalbox/daemon/config/parse'
import { describe, expect, it } from 'vitest'
import { CONFIG_DOCS, configKeys, EXAMPLE, renderConfigDocs } from './generate-config-docs.ts'

const RUN = 'run scripts/generate-config-docs.ts'

describe('the configuration reference', () => {
  it('is what the schema says now (CAT-109)', () => {
    expect(readFileSync(CONFIG_DOCS, 'utf8'), RUN).toBe(renderConfigDocs())
  })

  it('has every key with type, default and meaning (CAT-109)', () => {
    const keys = configKeys()
    for (const key of keys) expect(key.meaning, key.path).not.toBe('')
    const find = (path: string) => keys.find((key) => key.path === path)
    expect(find('model_catalog.sources.models_dev.ttl')).toMatchObject({ type: 'duration', default: '`"24h"`' })
    expect(find('model_catalog.sources.models_dev.endpoint')).toMatchObject({
      type: 'URL',
      default: '`"https://models.dev/api.json"`',
    })
    expect(find('daemon.port')).toMatchObject({ type: 'whole number', default: '`7365`' })
    expect(find('providers.<id>.models.curated[].id')).toMatchObject({ type: 'text', default: 'required' })
    expect(find('providers.<id>.models.default')).toMatchObject({ type: 'text', default: '' })
    expect(find('providers.<id>.models.curated[].reasoning_efforts')?.type).toContain('`"xhigh"`')
  })

  it('has an example that loads and shows every key (CAT-109)', async () => {
    const parsed = await parseConfig(EXAMPLE, 'example')
    expect(parsed).toMatchObject({ ok: true })
    if (!parsed.ok) return
    const shown = pathsOf(parsed.values, '')
    expect(
      configKeys()
        .map(({ path }) => path)
        .filter((path) => !shown.has(path)),
    ).toEqual([])
  })
})

/** Paths of everything in the values, with `<id>` for a provider and `[]` for an item. */
function pathsOf(value: unknown, path: string): Set<string> {
  const paths = new Set([path])
  if (typeof value !== 'object' || value === null) return paths
  for (const [key, child] of Object.entries(value)) {
    const part = path === 'providers' ? '<id>' : key
    const at = Array.isArray(value) ? `${path}[]` : path === '' ? part : `${path}.${part}`
    for (const found of pathsOf(child, at)) paths.add(found)
  }
  return paths
}
