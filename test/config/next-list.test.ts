import { rename, writeFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { runCli } from '../harness/cli.ts'
import { startDaemon } from '../harness/daemon.ts'
import { QUIET_CONFIG, tempHome } from '../harness/temp-home.ts'
import { modelsOf } from '../http/one-daemon.ts'

const config = (id: string) => `${QUIET_CONFIG}[[providers.mine.models.curated]]\nid = "${id}"\n`

describe('a config.toml that was saved this moment', () => {
  it('is what the very next list shows, saved in place or by rename (CAT-188)', async () => {
    await using home = await tempHome(config('first'))
    await using daemon = await startDaemon({ home })
    for (let save = 0; save < 20; save++) {
      const draft = `${home.paths.configFile}.new`
      if (save % 2 === 0) await writeFile(home.paths.configFile, config(`model-${save}`))
      else await writeFile(draft, config(`model-${save}`)).then(() => rename(draft, home.paths.configFile))
      const models = modelsOf(await daemon.overSocket('/api/providers/mine/models'))
      expect(models.map(({ model_id }) => model_id)).toEqual([`model-${save}`])
    }
  })

  it('and is broken is told by every command that lists, which goes on with the last good one (CAT-189)', async () => {
    await using home = await tempHome(config('good'))
    await using daemon = await startDaemon({ home })
    await writeFile(home.paths.configFile, `${config('bad')}colour = "red"\n`)
    const { code, stdout, stderr } = await runCli(home, ['models', 'mine', '-o', 'jsonl'])
    expect({ code, id: (JSON.parse(stdout) as { model_id: string }).model_id }).toEqual({ code: 0, id: 'good' })
    expect(stderr).toMatch(/^warning: the configuration is not in force: .*config\.toml:\d+:1 .*colour is not a key/)
    expect(daemon.stderr()).toBe('')
  })
})
