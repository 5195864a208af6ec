import { describe, expect, it } from 'vitest'
import { QUIET_CONFIG } from '../harness/temp-home.ts'
import { modelsOf, oneDaemon, statusesOf } from './one-daemon.ts'

const HOSTILE = '\u001b[31mred\u009b2J\u007f\u0007\r\n\u202eltr'
const daemon = oneDaemon(
  () => `${QUIET_CONFIG}
[[providers.acme.models.curated]]
id = ${JSON.stringify(HOSTILE).replaceAll('\u007f', '\\u007f')}
display_name = ${JSON.stringify(`name ${HOSTILE}`).replaceAll('\u007f', '\\u007f')}
`,
)
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/
const ESCAPE = '\u001b['
const HOSTILE_QUERY = `/api/explain?provider_id=acme&model_id=${encodeURIComponent(HOSTILE)}`

const table = async (path: string, terminal?: string) => {
  const headers = { accept: 'text/plain', ...(terminal === undefined ? {} : { 'signalbox-terminal': terminal }) }
  const answer = await daemon().overTcp(path, { headers })
  expect([answer.status, answer.headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8'])
  return answer.text()
}
const lines = (text: string) => text.replace(/\n$/, '').split('\n')

describe('a table', () => {
  it.each([40, 60, 80, 100, 132])('of models fits a terminal of %d columns (CAT-106)', async (width) => {
    for (const path of ['/api/providers/models', '/api/providers/models/status', '/api/providers/openai/models']) {
      const rows = lines(await table(path, `width=${width}`))
      expect(rows.length).toBeGreaterThan(10)
      expect(Math.max(...rows.map((row) => [...row].length))).toBeLessThanOrEqual(width)
    }
    expect(lines(await table('/api/providers/models', `width=${width}`))[0]).toMatch(/^PROVIDER .*MODEL .*AVAILABLE$/)
  })

  it('without a width is cut nowhere', async () => {
    const [header, ...rows] = lines(await table('/api/providers/openai/models'))
    expect(header).toMatch(/^MODEL .*\$\/M OUT +AVAILABLE$/)
    const models = modelsOf(await daemon().overTcp('/api/providers/openai/models'))
    expect(rows.map((row) => row.split(' ')[0])).toEqual(models.map(({ model_id }) => model_id))
  })

  it('counts on a terminal, and says so when there is nothing', async () => {
    expect(lines(await table('/api/providers/openai/models?limit=2', 'width=80')).at(-1)).toBe(
      '2 models from 1 provider',
    )
    expect(await table('/api/providers/openai/models?q=nothing', 'width=80')).toBe('No models match.\n')
    expect(await table('/api/providers/openai/models?q=nothing')).toBe('')
  })

  it('shows unknown for null availability and has colours only when asked (CAT-106)', async () => {
    const plain = await table('/api/providers/openai/models?limit=3', 'width=80')
    expect(plain).toMatch(/ unknown\n/)
    for (const terminal of [undefined, 'width=80', 'width=80 color=0', 'color=11', 'color=yes']) {
      expect(await table('/api/providers/openai/models?limit=3', terminal)).not.toContain(ESCAPE)
    }
    const coloured = await table('/api/providers/openai/models?limit=3', 'width=80 color=1')
    expect(coloured).toContain(ESCAPE)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the colours are what is taken away
    expect(coloured.replaceAll(/\u001b\[\d+m/g, '')).toBe(plain)
  })

  it.each(['', 'width=', 'width=-5', 'width=0', 'width=99999', 'width=1e3', '\u00ff'])(
    'takes the terminal "%s" without harm',
    async (terminal) => {
      expect(lines(await table('/api/providers/openai/models?limit=1', terminal)).length).toBeGreaterThan(1)
    },
  )
})

describe('control characters of a source', () => {
  it('never stand raw in a table (CAT-150)', async () => {
    for (const path of ['/api/providers/acme/models', '/api/providers/models?provider_id=acme', HOSTILE_QUERY]) {
      const text = await table(path)
      expect(text).not.toMatch(CONTROL)
      expect(text).toContain('\\u{1b}[31mred\\u{9b}2J\\u{7f}\\u{7}\\u{d}\\u{a}\\u{202e}ltr')
    }
  })

  it.each(['application/json', 'application/x-ndjson'])('are kept in %s, escaped (CAT-150)', async (accept) => {
    const paths = [
      '/api/providers/acme/models',
      '/api/providers/acme/models?include_stale=true',
      '/api/openai/v1/models?provider_id=acme',
      HOSTILE_QUERY,
    ]
    for (const path of paths) {
      const answer = await daemon().overTcp(path, { headers: { accept } })
      expect(answer.status).toBe(200)
      expect(answer.text()).not.toMatch(/[\u007f-\u009f]/)
      expect(answer.text()).toContain('\\u001b[31mred\\u009b2J\\u007f\\u0007\\r\\n')
      expect(JSON.stringify(answer.json())).toContain(JSON.stringify(HOSTILE).slice(1, -1))
    }
  })

  it('in a request come back escaped (CAT-150)', async () => {
    const answer = await daemon().overTcp(
      `/api/explain?provider_id=acme&model_id=${encodeURIComponent('x\u009b\u007f\u001b')}`,
    )
    expect(answer.status).toBe(404)
    expect(answer.text()).not.toMatch(CONTROL)
    expect(answer.text()).toContain('x\\u009b\\u007f\\u001b')
  })
})

describe('one object per line', () => {
  it('holds the models and statuses of the JSON body (CAT-106)', async () => {
    const headers = { accept: 'application/x-ndjson' }
    const objects = async (path: string) => {
      const answer = await daemon().overTcp(path, { headers })
      expect(answer.headers['content-type']).toBe('application/x-ndjson; charset=utf-8')
      return lines(answer.text()).map((line) => JSON.parse(line) as unknown)
    }
    expect(await objects('/api/providers/openai/models')).toEqual(
      modelsOf(await daemon().overTcp('/api/providers/openai/models')),
    )
    expect(await objects('/api/providers/openai/models/status')).toEqual(
      statusesOf(await daemon().overTcp('/api/providers/openai/models/status')),
    )
  })

  it('is nothing at all where nothing matches', async () => {
    const answer = await daemon().overTcp('/api/providers/models?q=nothing-is-called-this', {
      headers: { accept: 'application/x-ndjson' },
    })
    expect([answer.status, answer.body.length]).toEqual([200, 0])
  })
})
