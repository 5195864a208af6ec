import { chmod, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type RunningDaemon, startDaemon } from '../harness/daemon.ts'
import { json, startFakeServer } from '../harness/fake-server.ts'
import { QUIET_CONFIG, tempHome } from '../harness/temp-home.ts'
import { until } from '../harness/until.ts'
import { modelsOf, statusesOf } from '../http/one-daemon.ts'

async function finished(daemon: RunningDaemon, id: string) {
  const path = `/api/providers/${id}/models/status?source_id=provider_live:${id}`
  await until(`${id} to finish`, async () => {
    const answer = await daemon.overSocket(path)
    return answer.status === 200 && ['succeeded', 'failed'].includes(statusesOf(answer)[0]?.refresh_state ?? '')
  })
  return statusesOf(await daemon.overSocket(path))[0]
}
const idsOf = async (daemon: RunningDaemon, id: string) =>
  modelsOf(await daemon.overSocket(`/api/providers/${id}/models`)).map(
    ({ model_id, available }) => `${model_id} ${available}`,
  )

describe('models.discovery', () => {
  it('takes a command for any provider id, run without a shell, with no secret but its own (CAT-137) (CAT-210)', async () => {
    await using home = await tempHome(null)
    const program = join(home.dir, 'list models')
    await writeFile(
      program,
      `#!/bin/sh\nenv > "${home.dir}/seen"\nprintf '%s' "$2" > "${home.dir}/argument"\necho '{"data":[{"id":"from/command:1"}]}'\n`,
    )
    await chmod(program, 0o755)
    await home.configure(
      `${QUIET_CONFIG}[providers.my-own.models.discovery]\ncommand = "'${program}' list '$HOME;id'"\n`,
    )
    await using daemon = await startDaemon({
      home,
      env: { MY_OWN_API_KEY: 'own-canary-0123456789', OPENAI_API_KEY: 'other-canary-0123456789' },
    })
    expect(await finished(daemon, 'my-own')).toMatchObject({ refresh_state: 'succeeded', row_count: 1 })
    expect(await idsOf(daemon, 'my-own')).toEqual(['from/command:1 true'])
    expect(await readFile(join(home.dir, 'argument'), 'utf8')).toBe('$HOME;id')
    const seen = await readFile(join(home.dir, 'seen'), 'utf8')
    expect(seen).toContain('MY_OWN_API_KEY=own-canary-0123456789')
    expect(seen).not.toContain('other-canary')
  })

  it.each([
    ['one id per line', "sh -c 'echo MODEL NAME; echo a/b:c first; echo d'", ['a/b:c true', 'd true']],
    ['a JSON array', `sh -c 'echo "[{\\\\"id\\\\":\\\\"x\\\\"}]"'`, ['x true']],
  ])('reads %s (CAT-137)', async (_, command, expected) => {
    await using home = await tempHome(`${QUIET_CONFIG}[providers.p.models.discovery]\ncommand = """${command}"""\n`)
    await using daemon = await startDaemon({ home })
    await finished(daemon, 'p')
    expect(await idsOf(daemon, 'p')).toEqual(expected)
  })

  it.each([
    ['fails', "sh -c 'echo canary-output; exit 3'"],
    ['is missing', '/nowhere/canary-program'],
    ['prints no list', 'sh -c \'echo {\\\\"error\\\\":\\\\"canary-output\\\\"}\''],
    ['hangs', "sh -c 'sleep 60'"],
  ])('is a failed status that tells neither line nor output when it %s (CAT-137)', async (_, command) => {
    await using home = await tempHome(
      `${QUIET_CONFIG}[providers.p]\n[providers.p.models]\ndefault = "m"\n[providers.p.models.discovery]\ncommand = """${command}"""\ntimeout = "1s"\n`,
    )
    await using daemon = await startDaemon({ home })
    const status = await finished(daemon, 'p')
    expect(status).toMatchObject({ refresh_state: 'failed', row_count: 0 })
    expect(status?.last_error).not.toContain('canary')
    expect(await idsOf(daemon, 'p')).toEqual(['m null'])
  })

  it('takes an endpoint, exactly as it is (CAT-137)', async () => {
    await using server = await startFakeServer(({ url }) =>
      url === '/odd/place?list=all' ? json({ data: [{ id: 'here' }] }) : { kind: 'reply', status: 404 },
    )
    await using home = await tempHome(
      `${QUIET_CONFIG}[providers.custom]\nauth = "none"\n[providers.custom.models.discovery]\nendpoint = "${server.url}/odd/place?list=all"\n`,
    )
    await using daemon = await startDaemon({ home })
    await finished(daemon, 'custom')
    expect(await idsOf(daemon, 'custom')).toEqual(['here true'])
    expect(server.requests[0]?.headers.authorization).toBeUndefined()
  })

  it('asks nobody when it is not enabled (CAT-137)', async () => {
    await using server = await startFakeServer(json({ data: [{ id: 'x' }] }))
    await using home = await tempHome(
      `${QUIET_CONFIG}[providers.openai]\nbase_url = "${server.url}/v1"\n[providers.openai.models.discovery]\nenabled = false\n`,
    )
    await using daemon = await startDaemon({ home, env: { OPENAI_API_KEY: 'sk-canary-0123456789' } })
    await daemon.overSocket('/api/providers/openai/models/refresh', { method: 'POST', body: { force: true } })
    expect(server.requests).toEqual([])
  })
})
