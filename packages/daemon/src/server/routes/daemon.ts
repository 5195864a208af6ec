import { z } from '@hono/zod-openapi'
import { ConfigFile } from '@signalbox/contract/config'
import { ConfigCheck, DaemonStatus } from '@signalbox/contract/daemon'
import { stringify } from 'smol-toml'
import { type Answer, jsonAnswer, textAnswer } from '../answer.ts'
import { renderDetails } from '../render/details.ts'
import { printable } from '../render/text.ts'
import type { Representation } from '../representation.ts'
import type { Router } from '../router.ts'
import type { Services } from '../services.ts'

const Stopping = z.strictObject({ stopping: z.literal(true) })
const ConfigShow = z.strictObject({ file: z.string(), config: ConfigFile })

export function daemonRoutes(router: Router, services: Services): void {
  router.add(
    {
      method: 'get',
      path: '/api/daemon',
      tag: 'Daemon',
      summary: 'The daemon itself: where it listens, what it holds, what is wrong',
      answer: DaemonStatus,
    },
    ({ representation }) => detailed(services.status(), representation),
  )
  router.add(
    { method: 'post', path: '/api/daemon/stop', tag: 'Daemon', summary: 'Stop the daemon', answer: Stopping },
    () => {
      services.stop('asked to stop')
      return jsonAnswer({ stopping: true }, 200, { Connection: 'close' })
    },
  )
  router.add(
    {
      method: 'get',
      path: '/api/config',
      tag: 'Daemon',
      summary: 'The configuration in force, defaults included',
      answer: ConfigShow,
    },
    ({ representation }) => {
      const { file } = services.config
      const config = services.config.current()
      if (representation.kind !== 'table') return jsonAnswer({ file, config })
      const lines = [`# ${file}, with all defaults`, ...stringify(config).split('\n')]
      return textAnswer(`${lines.map(printable).join('\n')}\n`)
    },
  )
  router.add(
    {
      method: 'get',
      path: '/api/config/check',
      tag: 'Daemon',
      summary: 'Check the configuration file as it is now, without taking it over',
      answer: ConfigCheck,
    },
    async () => {
      const problems = await services.config.check()
      return jsonAnswer({ ok: problems.length === 0, file: services.config.file, problems })
    },
  )
}

function detailed(record: DaemonStatus, representation: Representation): Answer {
  if (representation.kind !== 'table') return jsonAnswer(record)
  return textAnswer(renderDetails(record))
}
