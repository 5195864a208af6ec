import { z } from '@hono/zod-openapi'
import { jsonAnswer } from '../answer.ts'
import { renderApiPage } from '../render/api-page.ts'
import type { Router } from '../router.ts'
import type { Services } from '../services.ts'

const OpenApiDocument = z.looseObject({ openapi: z.literal('3.1.0') })
/** The page has no scripts and loads nothing. */
const CSP = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** The OpenAPI document, and a page for people made from it. Added last: it describes the routes before it. */
export function docsRoutes(router: Router, services: Services): void {
  let document: unknown
  const describe = () => (document ??= router.document(services.version))
  router.add(
    {
      method: 'get',
      path: '/api/openapi.json',
      tag: 'Docs',
      summary: 'This API as OpenAPI 3.1',
      answer: OpenApiDocument,
    },
    () => jsonAnswer(describe()),
  )
  router.add(
    { method: 'get', path: '/api/docs', tag: 'Docs', summary: 'This API as a page', answer: 'text/html' },
    () => ({
      kind: 'bytes',
      status: 200,
      type: 'text/html; charset=utf-8',
      body: Buffer.from(renderApiPage(describe())),
      headers: { 'Content-Security-Policy': CSP, 'Referrer-Policy': 'no-referrer' },
    }),
  )
}
