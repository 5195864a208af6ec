/**
 * One definition of a route: its path, what it takes, what it answers, and the handler. From it come the Hono route, the
 * validation, the 405 of its path and the OpenAPI document.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { createRoute, OpenAPIHono, type RouteConfig, z } from '@hono/zod-openapi'
import { ErrorBody } from '@signalbox/contract/error-body'
import { SignalboxError } from '@signalbox/contract/errors'
import { OpenAIErrorBody } from '@signalbox/contract/openai'
import type { Telemetry } from '../telemetry/telemetry.ts'
import { type Answer, send } from './answer.ts'
import type { AnswerCache } from './answer-cache.ts'
import { errorAnswer, isOpenAIPath, toSignalboxError } from './error-answer.ts'
import { checkInput, jsonObject, queryOf } from './input.ts'
import { readJsonBody } from './read-body.ts'
import { type Representation, representationOf } from './representation.ts'

export interface RouteSpec<P extends z.ZodObject, Q extends z.ZodObject, B extends z.ZodObject> {
  readonly method: 'get' | 'post'
  /** With `{name}` for each path parameter. */
  readonly path: string
  readonly summary: string
  readonly tag: string
  readonly params?: P
  readonly query?: Q
  readonly body?: B
  /** What a 200 holds; other statuses beside the error body. */
  readonly answer: z.ZodType | 'text/event-stream' | 'text/html'
  readonly otherAnswers?: Readonly<Record<number, { readonly description: string; readonly schema: z.ZodType }>>
}

export interface Request<P extends z.ZodObject, Q extends z.ZodObject, B extends z.ZodObject> {
  readonly params: z.output<P>
  readonly query: z.output<Q>
  readonly body: z.output<B>
  readonly representation: Representation
}

type Handler<P extends z.ZodObject, Q extends z.ZodObject, B extends z.ZodObject> = (
  request: Request<P, Q, B>,
) => Answer | Promise<Answer>

const NOTHING = z.strictObject({})
type Nothing = typeof NOTHING

export class Router {
  readonly #app = new OpenAPIHono<{ Bindings: HttpBindings }>()
  readonly #methods = new Map<string, Set<string>>()
  readonly #telemetry: Telemetry
  readonly #cache: AnswerCache

  constructor(telemetry: Telemetry, cache: AnswerCache) {
    this.#telemetry = telemetry
    this.#cache = cache
  }

  add<P extends z.ZodObject = Nothing, Q extends z.ZodObject = Nothing, B extends z.ZodObject = Nothing>(
    spec: RouteSpec<P, Q, B>,
    handler: Handler<P, Q, B>,
  ): void {
    this.describe(spec)
    const path = spec.path.replace(/\{(\w+)\}/g, ':$1')
    this.#methods.set(path, (this.#methods.get(path) ?? new Set()).add(spec.method.toUpperCase()))
    const params = spec.params ?? NOTHING
    const query = spec.query ?? NOTHING
    const body = spec.body ?? NOTHING
    this.#app.on(spec.method, path, async ({ env: { incoming, outgoing }, req }) => {
      await this.#answer(incoming, outgoing, req.path, async () => {
        const read = spec.method === 'post' ? jsonObject(await readJsonBody(incoming)) : {}
        return await handler({
          // The schemas above are the specification's own or, where it has none, the empty one.
          params: checkInput(params, req.param(), 'path segment') as z.output<P>,
          query: checkInput(query, queryOf(incoming.url ?? '', query), 'query parameter') as z.output<Q>,
          body: checkInput(body, read, 'body field') as z.output<B>,
          representation: representationOf(incoming),
        })
      })
      return RESPONSE_ALREADY_SENT
    })
  }

  /** Into the document only: a route that is on the other door. */
  describe<P extends z.ZodObject, Q extends z.ZodObject, B extends z.ZodObject>(spec: RouteSpec<P, Q, B>): void {
    this.#app.openAPIRegistry.registerPath(documentRoute(spec))
  }

  /** The finished application. Everything that no route takes is answered here: 405 with `Allow`, else 404. */
  app(): OpenAPIHono<{ Bindings: HttpBindings }> {
    for (const [path, methods] of this.#methods) {
      const allow = [
        ...(methods.has('GET') ? ['GET', 'HEAD'] : []),
        ...[...methods].filter((method) => method !== 'GET'),
      ].join(', ')
      this.#app.all(path, async ({ env: { incoming, outgoing }, req }) => {
        const error = new SignalboxError('method_not_allowed', `this path does not take ${req.method}`, {
          expected: allow,
        })
        await send(errorAnswer(error, req.path, { Allow: allow }), incoming, outgoing)
        return RESPONSE_ALREADY_SENT
      })
    }
    this.#app.notFound(async ({ env: { incoming, outgoing }, req }) => {
      const error = new SignalboxError('not_found', 'no such path', { hint: 'GET /api/openapi.json lists every route' })
      await send(errorAnswer(error, req.path), incoming, outgoing)
      return RESPONSE_ALREADY_SENT
    })
    return this.#app
  }

  /** The OpenAPI 3.1 document of every route added so far. */
  document(version: string): unknown {
    this.#app.openAPIRegistry.registerComponent('securitySchemes', 'bearer', { type: 'http', scheme: 'bearer' })
    return this.#app.getOpenAPI31Document({
      openapi: '3.1.0',
      info: { title: 'Signalbox', version, description: 'The model catalog of this machine.' },
      servers: [{ url: '/' }],
    })
  }

  async #answer(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    path: string,
    work: () => Promise<Answer>,
  ): Promise<void> {
    try {
      const answer = await work()
      await send(answer, incoming, outgoing)
      await this.#cache.remember(answer, incoming)
    } catch (thrown) {
      // The client went away while it sent: nobody to answer, and no fault of ours.
      if (thrown === incoming.errored) return
      const error = toSignalboxError(thrown, this.#telemetry)
      if (outgoing.headersSent) {
        outgoing.destroy()
        return
      }
      // What is left of an unread body would be taken for the next request.
      const headers = incoming.complete ? {} : { Connection: 'close' }
      await send(errorAnswer(error, path, headers), incoming, outgoing)
    }
  }
}

function documentRoute(spec: RouteSpec<z.ZodObject, z.ZodObject, z.ZodObject>): RouteConfig {
  const content =
    typeof spec.answer === 'string'
      ? { [spec.answer]: { schema: z.string() } }
      : { 'application/json': { schema: spec.answer } }
  const others = Object.entries(spec.otherAnswers ?? {}).map(([status, { description, schema }]) => {
    return [status, { description, content: { 'application/json': { schema } } }] as const
  })
  return createRoute({
    method: spec.method,
    path: spec.path,
    summary: spec.summary,
    tags: [spec.tag],
    security: [{ bearer: [] }],
    request: {
      ...(spec.params === undefined ? {} : { params: spec.params }),
      ...(spec.query === undefined ? {} : { query: described(spec.query) }),
      ...(spec.body === undefined ? {} : { body: { content: { 'application/json': { schema: spec.body } } } }),
    },
    responses: {
      200: { description: 'OK', content },
      ...Object.fromEntries(others),
      default: {
        description: 'An error',
        content: { 'application/json': { schema: isOpenAIPath(spec.path) ? OpenAIErrorBody : ErrorBody } },
      },
    },
  })
}

/** Without the parameters that must be left out: there is nothing to say about them. */
function described(query: z.ZodObject): z.ZodObject {
  const isRefused = (schema: unknown) => schema instanceof z.ZodOptional && schema.unwrap() instanceof z.ZodNever
  return z.object(Object.fromEntries(Object.entries(query.shape).filter(([, schema]) => !isRefused(schema))))
}
