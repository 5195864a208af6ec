import { z } from '@hono/zod-openapi'
import { ConfigFile } from '@signalbox/contract/config'
import { ConfigCheck, DaemonStatus } from '@signalbox/contract/daemon'
import { type Answer, jsonAnswer } from '../answer.ts'
import { renderDetails } from '../render/details.ts'
import { CONTENT_TYPE, type Representation } from '../representation.ts'
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
    () => jsonAnswer({ file: services.config.file, config: services.config.current() }),
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
  return { kind: 'bytes', status: 200, type: CONTENT_TYPE.table, body: Buffer.from(renderDetails(record)) }
}
