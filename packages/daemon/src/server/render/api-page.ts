/** The OpenAPI document as one readable page: no scripts, nothing loaded from elsewhere. */

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
  readonly schema?: Schema & { readonly description?: string }
}
interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly anyOf?: readonly Schema[]
  readonly description?: string
}
interface Operation {
  readonly summary?: string
  readonly tags?: readonly string[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
  readonly responses: Readonly<
    Record<
      string,
      { readonly description: string; readonly content?: Readonly<Record<string, { readonly schema: Schema }>> }
    >
  >
}
interface Document {
  readonly info: { readonly title: string; readonly version: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> }
}

const STYLE = `:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}body{max-width:60rem;margin:2rem auto;padding:0 1rem}
code,pre{font-family:ui-monospace,monospace;font-size:.9em}table{border-collapse:collapse;width:100%;margin:.5rem 0}
td,th{text-align:left;vertical-align:top;padding:.25rem .75rem .25rem 0;border-bottom:1px solid #8884}
h3 code{font-size:1rem}.m{font-weight:700;text-transform:uppercase}section{margin:2rem 0}`

/** `document` is the router's own, so its form is known. */
export function renderApiPage(document: unknown): string {
  const { info, paths, components } = document as Document
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
  const tags = [...new Set(operations.flatMap(({ operation }) => operation.tags ?? []))]
  const sections = tags.map((tag) => {
    const own = operations.filter(({ operation }) => operation.tags?.includes(tag) === true)
    return `<section><h2>${escapeHtml(tag)}</h2>${own.map(renderOperation).join('')}</section>`
  })
  const schemas = Object.entries(components?.schemas ?? {}).map(([name, schema]) => renderSchema(name, schema))
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(info.title)} API</title><style>${STYLE}</style>
<h1>${escapeHtml(info.title)} API <small>${escapeHtml(info.version)}</small></h1>
<p>On the Unix socket no token is needed. On TCP send <code>Authorization: Bearer &lt;token&gt;</code>; <code>signalbox daemon status</code> names the token file.
The machine-readable form is <code>GET /api/openapi.json</code>.</p>
${sections.join('\n')}<section><h2>Shapes</h2>${schemas.join('\n')}</section></html>\n`
}

function renderOperation({ path, method, operation }: { path: string; method: string; operation: Operation }): string {
  const parameters = (operation.parameters ?? []).map(
    (parameter) =>
      `<tr><td><code>${escapeHtml(parameter.name)}</code></td><td>${escapeHtml(parameter.in)}${parameter.required === true ? ', required' : ''}</td><td>${typeName(parameter.schema)}</td><td>${escapeHtml(parameter.description ?? parameter.schema?.description ?? '')}</td></tr>`,
  )
  const body = Object.values(operation.requestBody?.content ?? {}).map(
    ({ schema }) => `<p>Body: ${typeName(schema)}</p>`,
  )
  const answers = Object.entries(operation.responses).map(
    ([status, { description, content }]) =>
      `<li><code>${escapeHtml(status)}</code> ${escapeHtml(description)}: ${typeName(Object.values(content ?? {})[0]?.schema)}</li>`,
  )
  const table = parameters.length === 0 ? '' : `<table>${parameters.join('')}</table>`
  return `<h3><span class="m">${escapeHtml(method)}</span> <code>${escapeHtml(path)}</code></h3><p>${escapeHtml(operation.summary ?? '')}</p>${table}${body.join('')}<ul>${answers.join('')}</ul>`
}

function renderSchema(name: string, schema: Schema): string {
  const rows = Object.entries(schema.properties ?? {}).map(
    ([key, property]) =>
      `<tr><td><code>${escapeHtml(key)}</code></td><td>${typeName(property)}</td><td>${escapeHtml(property.description ?? '')}</td></tr>`,
  )
  const about = schema.description === undefined ? '' : `<p>${escapeHtml(schema.description)}</p>`
  return `<h3 id="${escapeHtml(name)}">${escapeHtml(name)}</h3>${about}${rows.length === 0 ? `<p>${typeName(schema)}</p>` : `<table>${rows.join('')}</table>`}`
}

function typeName(schema: Schema | undefined): string {
  if (schema === undefined) return ''
  if (schema.$ref !== undefined) {
    const name = schema.$ref.split('/').at(-1) ?? ''
    return `<a href="#${escapeHtml(name)}">${escapeHtml(name)}</a>`
  }
  if (schema.anyOf !== undefined) return schema.anyOf.map(typeName).join(' or ')
  if (schema.enum !== undefined)
    return schema.enum.map((value) => `<code>${escapeHtml(String(value))}</code>`).join(' ')
  if (schema.items !== undefined) return `list of ${typeName(schema.items)}`
  return escapeHtml([schema.type ?? 'any'].flat().join(' or '))
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
