/** All routes. The OpenAI list exists on TCP only; everything else is the same on both doors. */
import type { HttpBindings } from '@hono/node-server'
import type { Hono } from 'hono'
import { AnswerCache } from './answer-cache.ts'
import type { ModelBodies } from './model-bodies.ts'
import { Router } from './router.ts'
import { authRoutes } from './routes/auth.ts'
import { daemonRoutes } from './routes/daemon.ts'
import { docsRoutes } from './routes/docs.ts'
import { eventsRoute } from './routes/events.ts'
import { explainRoute } from './routes/explain.ts'
import { modelRoutes } from './routes/models.ts'
import { openaiRoute } from './routes/openai.ts'
import { refreshRoutes } from './routes/refresh.ts'
import { statusRoutes } from './routes/status.ts'
import type { Services } from './services.ts'

export interface App {
  readonly hono: Hono<{ Bindings: HttpBindings }>
  readonly cache: AnswerCache
  /** End the event streams, which would otherwise stay open for ever. */
  endStreams(): void
}

export function makeApp(services: Services, bodies: ModelBodies, door: 'tcp' | 'socket'): App {
  const cache = new AnswerCache(() => services.catalog.snapshot())
  const router = new Router(services.telemetry, cache)
  modelRoutes(router, services, bodies)
  refreshRoutes(router, services)
  statusRoutes(router, services)
  explainRoute(router, services)
  authRoutes(router, services)
  openaiRoute(router, services, bodies, door)
  daemonRoutes(router, services)
  const endStreams = eventsRoute(router, services)
  docsRoutes(router, services)
  return { hono: router.app(), cache, endStreams }
}
