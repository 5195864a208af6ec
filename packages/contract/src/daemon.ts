import { z } from '@hono/zod-openapi'
import { Timestamp } from './model.ts'

export const ConfigProblem = z
  .strictObject({
    file: z.string(),
    line: z.int().nullable(),
    column: z.int().nullable(),
    path: z.string().nullable(),
    message: z.string(),
    expected: z.string().nullable(),
  })
  .openapi('ConfigProblem')
export type ConfigProblem = z.infer<typeof ConfigProblem>

export const DaemonStatus = z
  .strictObject({
    pid: z.int(),
    version: z.string(),
    home: z.string(),
    socket: z.string(),
    url: z.string().nullable(),
    token_file: z.string(),
    generation: z.int(),
    started_at: Timestamp,
    models: z.int(),
    providers: z.int(),
    providers_ready: z.int().openapi({ description: 'Providers with a model that is proven and fresh.' }),
    offline: z.boolean(),
    persisted: z.boolean().openapi({ description: 'False while rows are kept in memory only.' }),
    persistence_problem: z.string().nullable(),
    config_file: z.string(),
    config_problems: z.array(ConfigProblem).readonly(),
    log_file: z.string(),
  })
  .openapi('DaemonStatus')
export type DaemonStatus = z.infer<typeof DaemonStatus>

export const ConfigCheck = z
  .strictObject({ ok: z.boolean(), file: z.string(), problems: z.array(ConfigProblem).readonly() })
  .openapi('ConfigCheck')
export type ConfigCheck = z.infer<typeof ConfigCheck>
