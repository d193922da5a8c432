// The catalog as a value: every endpoint of the OpenAPI document with all that the Explorer, the Playground and the exports
// show of it. Pure functions of the document; nothing here knows a server.
import { type Addressed, categorySlug, endpointAddress, endpointSlug } from './address.ts'
import {
  formContent,
  type JsonSchema,
  jsonContent,
  type OpenApiDocument,
  type OpenApiResponse,
  type Operation,
  operationsOf,
  resolveSchema,
  schemaName,
  schemasNamedIn,
  type Version,
} from './document.ts'
import { errorSample, type Problem, reasonPhrase } from './error_samples.ts'
import { bodyFields, type Field, fieldOf } from './fields.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export type Permission = {
  /** `leads:create`, or `public`. */
  level: string
  description: string
  /** The roles that hold it; none are named for public endpoints. */
  roles: string[]
  /** It changes what live and test mode share: a credential of test mode is refused. */
  liveOnly?: true
}

/** A whole answer to learn from: the body that was sampled for success, or one made for a problem code. */
export type ReplyExample = { name: string; value: unknown; problem?: string }

/** What one status looks like. */
export type Reply = {
  status: number
  reason: string
  description: string
  contentType: string
  /** References within are resolved at the top only. */
  schema: JsonSchema | null
  examples: ReplyExample[]
  headers: { name: string; description: string }[]
}

export type Endpoint = {
  /** `messages.sms.send`. */
  id: string
  version: Version
  category: string
  method: Method
  /** `/v1/api/leads/{id}`. */
  path: string
  /** `Send an SMS`. */
  name: string
  description: string
  /** The first sentence of the description. */
  summary: string
  permission: Permission
  /** Path, query, header and body fields, in this order; those of nested objects behind their parent, `a.b`, `a[].b`. */
  parameters: Field[]
  /** Takes exactly what the server takes: unknown fields are refused here too. */
  bodySchema: JsonSchema | null
  /** The schemas that others name, by their names: references within them are not followed, some name themselves. */
  schemas: Record<string, JsonSchema>
  /** The sample body; null when there is none. */
  bodyExample: unknown
  /** Whether the body is a form (`application/x-www-form-urlencoded`), its fields those of `bodySchema`. */
  isForm: boolean
  /** Of a body that is a file: its type and a text that is one; then there is no other body. */
  fileBody: { contentType: string; example: string } | null
  /** Sorted by status; the first is success. */
  replies: Reply[]
  problems: Problem[]
  takesIdempotencyKey: boolean
  takesIfMatch: boolean
  /** `success` and `none` as they are, `data` in the v2 envelope, `page` with cursors, `stream` of events, `file` of bytes. */
  envelope: string
  rateLimit: string
  /** Of an address of a protocol, where it is specified: `RFC 6749 §3.2`. */
  specification: string | null
  slug: string
  /** `/explorer/v2/messaging/post-messages-sms`. */
  address: string
}

export type CategoryInfo = { name: string; slug: string; description: string; versions: Version[]; endpoints: string[] }

export type Catalog = {
  title: string
  description: string
  endpoints: Endpoint[]
  /** In the order of the document's tags, none empty. */
  categories: CategoryInfo[]
  /** The schemas that requests and replies name, by their names. */
  schemas: Record<string, JsonSchema>
  /** The whole error reference, codes that stand only in records (status 0) included. */
  problems: Problem[]
  byId: ReadonlyMap<string, Endpoint>
  /** By `address`. */
  byAddress: ReadonlyMap<string, Endpoint>
  problemByCode: ReadonlyMap<string, Problem>
}

/** The line an endpoint has in a list; enough for search, filters and links. */
export type IndexEntry = Pick<Endpoint, 'id' | 'version' | 'category' | 'method' | 'path' | 'name' | 'summary'> & {
  /** The permission needed, or `public`. */
  level: string
  roles: string[]
  liveOnly?: true
}

/** Reads the whole document. Takes some milliseconds: keep what it gives. */
export function readCatalog(document: object): Catalog {
  const problems = readProblems(document)
  const problemByCode = new Map(problems.map(problem => [problem.code, problem]))
  const endpoints = operationsOf(document).map(operation => readEndpoint(document, operation, problemByCode))
  const { info } = document as OpenApiDocument
  return {
    title: info?.title ?? '',
    description: info?.description ?? '',
    endpoints,
    categories: readCategories(document, endpoints),
    schemas: Object.assign({}, ...endpoints.map(({ schemas }) => schemas)),
    problems,
    byId: new Map(endpoints.map(endpoint => [endpoint.id, endpoint])),
    byAddress: new Map(endpoints.map(endpoint => [endpoint.address, endpoint])),
    problemByCode,
  }
}

/** The catalog as a list of lines, small enough for a page's first load; the order of the document. */
export function catalogIndex(document: object): IndexEntry[] {
  return operationsOf(document).map(operation => {
    const { description: _, ...permission } = permissionOf(operation)
    return { ...headOf(operation), summary: firstSentence(operation.operation.description ?? ''), ...permission }
  })
}

/** One endpoint in full, or undefined when no endpoint has this id. */
export function endpointDetail(document: object, id: string): Endpoint | undefined {
  const found = operationsOf(document).find(({ operation }) => operation.operationId === id)
  if (found === undefined) return undefined
  return readEndpoint(document, found, new Map(readProblems(document).map(problem => [problem.code, problem])))
}

/** The error reference, in the order of the table. */
export function readProblems(document: object): Problem[] {
  const table = (document as OpenApiDocument)['x-problems'] ?? {}
  return Object.entries(table).map(([code, texts]) => ({ code, ...texts }))
}

function headOf({ path, method, operation }: Operation) {
  return {
    id: operation.operationId,
    version: versionOf(path, operation['x-version']),
    category: operation.tags?.[0] ?? 'Other',
    method: method as Method,
    path,
    name: operation.summary ?? operation.operationId,
  }
}

function versionOf(path: string, said: string | undefined): Version {
  if (said === 'v1' || said === 'v2' || said === 'oauth') return said
  return path.startsWith('/v1/') ? 'v1' : 'v2'
}

function permissionOf({ operation }: Operation): Permission {
  const level = operation['x-permission'] ?? (operation.security?.length === 0 ? 'public' : 'any credential')
  const description = operation['x-permission-description'] ?? (level === 'public' ? 'Needs no credential.' : '')
  const liveOnly = operation['x-live-only'] === true ? { liveOnly: true as const } : {}
  return { level, description, roles: operation['x-roles'] ?? [], ...liveOnly }
}

function firstSentence(text: string): string {
  return /^.*?[.:;](?=\s|$)/s.exec(text)?.[0].replace(/[:;]$/, '.') ?? text
}

function readEndpoint(document: object, found: Operation, problems: ReadonlyMap<string, Problem>): Endpoint {
  const { operation } = found
  const head = headOf(found)
  const form = formContent(operation.requestBody?.content)
  const body = form ?? jsonContent(operation.requestBody?.content)
  const bodySchema = body?.schema === undefined ? null : closed(resolveSchema(document, body.schema))
  const inBody = bodyFields(bodySchema)
  const parameters = [...outerFields(document, found), ...(inBody.length > 0 ? inBody : wholeBody(body?.schema))]
  const own = problemsOf(operation.responses, problems)
  const description = operation.description ?? ''
  const replies = repliesOf(document, head.version, operation.responses, problems, parameters)
  const takes = (name: string) => parameters.some(field => field.in === 'header' && field.name.toLowerCase() === name)
  return {
    ...head,
    description,
    summary: firstSentence(description),
    permission: permissionOf(found),
    parameters,
    bodySchema,
    bodyExample: body?.example ?? null,
    isForm: form !== undefined,
    fileBody: form === undefined ? fileBodyOf(operation.requestBody?.content) : null,
    schemas: schemasNamedIn(document, [
      ...(operation.parameters ?? []).map(parameter => parameter.schema),
      body?.schema,
      // Refusals are one of two schemas, which name no other.
      ...replies.filter(reply => reply.status < 400).map(reply => reply.schema),
    ]),
    replies,
    problems: own,
    takesIdempotencyKey: takes('idempotency-key'),
    takesIfMatch: takes('if-match'),
    envelope: operation['x-envelope'] ?? 'none',
    rateLimit: operation['x-rate-limit'] ?? (document as OpenApiDocument)['x-rate-limit'] ?? '',
    specification: operation['x-specification'] ?? null,
    slug: endpointSlug(head),
    address: endpointAddress(head satisfies Addressed),
  }
}

function fileBodyOf(content: Record<string, { example?: unknown }> | undefined): Endpoint['fileBody'] {
  const [contentType, media] = Object.entries(content ?? {})[0] ?? []
  if (contentType === undefined || contentType === 'application/json') return null
  return { contentType, example: String(media?.example ?? '') }
}

/** A body that is a choice among named schemas has no fields of its own: it is one itself. */
function wholeBody(schema: JsonSchema | undefined): Field[] {
  return schemaName(schema?.$ref) === undefined
    ? []
    : [fieldOf({ name: 'body', in: 'body', required: true, schema: schema as JsonSchema })]
}

const places = ['path', 'query', 'header'] as const

function outerFields(document: object, { operation }: Operation): Field[] {
  const all = operation.parameters ?? []
  return places.flatMap(place =>
    all
      .filter(parameter => parameter.in === place)
      .map(({ name, required = false, description, schema = {}, example }) =>
        fieldOf({ name, in: place, required, description, example, schema: resolveSchema(document, schema) }),
      ),
  )
}

/** A copy in which objects with named fields refuse others, as the server's validator does. */
function closed(schema: JsonSchema): JsonSchema {
  const copy = { ...schema }
  if (schema.properties !== undefined) {
    copy.properties = Object.fromEntries(
      Object.entries(schema.properties).map(([name, inner]) => [name, closed(inner)]),
    )
    copy.additionalProperties = schema.additionalProperties ?? false
  }
  if (schema.items !== undefined) copy.items = closed(schema.items)
  return copy
}

function problemsOf(responses: Record<string, OpenApiResponse>, problems: ReadonlyMap<string, Problem>): Problem[] {
  const codes = Object.values(responses).flatMap(response => response['x-problems'] ?? [])
  return [...new Set(codes)].flatMap(code => problems.get(code) ?? [])
}

function repliesOf(
  document: object,
  version: Version,
  responses: Record<string, OpenApiResponse>,
  problems: ReadonlyMap<string, Problem>,
  fields: readonly Field[],
): Reply[] {
  return Object.entries(responses)
    .map(([code, response]) => {
      const status = Number(code)
      const json = jsonContent(response.content)
      const [contentType = 'application/json', media] =
        json === undefined ? (Object.entries(response.content ?? {})[0] ?? []) : ['application/json', json]
      const own = problemsOf({ [code]: response }, problems)
      const refusals = own.map(problem => ({
        name: problem.title,
        value: errorSample(problem, version, fields),
        problem: problem.code,
      }))
      return {
        status,
        reason: reasonPhrase(status),
        description: response.description ?? '',
        contentType,
        schema: media?.schema === undefined ? null : resolveSchema(document, media.schema),
        examples: media?.example === undefined ? refusals : [{ name: 'Success', value: media.example }, ...refusals],
        headers: Object.entries(response.headers ?? {}).map(([name, { description = '' }]) => ({ name, description })),
      }
    })
    .sort((a, b) => a.status - b.status)
}

function readCategories(document: object, endpoints: readonly Endpoint[]): CategoryInfo[] {
  const tags = (document as OpenApiDocument).tags ?? []
  const names = new Set([...tags.map(({ name }) => name), ...endpoints.map(({ category }) => category)])
  return [...names].flatMap(name => {
    const own = endpoints.filter(({ category }) => category === name)
    if (own.length === 0) return []
    return {
      name,
      slug: categorySlug(name),
      description: tags.find(tag => tag.name === name)?.description ?? '',
      versions: [...new Set(own.map(({ version }) => version))],
      endpoints: own.map(({ id }) => id),
    }
  })
}
