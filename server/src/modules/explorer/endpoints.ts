// The Explorer's data: the catalog searched and described, the error reference, the OpenAPI document, the public keys.
// All of it is read from the same values the server routes by, so it cannot say what is not so.

import { type Static, Type } from 'typebox'
import { portable, shownSchema } from '../../kernel/documents/documented.ts'
import {
  bodyType,
  openApiDocument,
  parametersOf,
  rateLimitText,
  wireSample,
  wireSchema,
} from '../../kernel/documents/openapi.ts'
import type { SentRequest } from '../../kernel/documents/sent_request.ts'
import {
  categories,
  type DocumentedEndpoint,
  type Endpoint,
  endpoint,
  fullPath,
  operatorText,
  plannedCategories,
  problemsOf,
  takesIdempotencyKey,
  takesIfMatch,
} from '../../kernel/endpoint/endpoint.ts'
import { OneOf } from '../../kernel/endpoint/schema.ts'
import { roles, rolesWith } from '../../kernel/values/permission.ts'
import { Problem, type ProblemCode } from '../../kernel/values/problem.ts'
import { permissions, problems } from '../../nouns.ts'
import { categoriesEndpoint } from './categories.ts'
import { createCatalogSearch } from './search.ts'

const versions = ['v1', 'v2', 'oauth'] as const
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
const AnyJson = Type.Unsafe<unknown>({})

const CatalogItem = Type.Object({
  id: Type.String(),
  version: OneOf(versions),
  category: OneOf(categories),
  method: OneOf(methods),
  url: Type.String({ description: 'Path below the host, parameters in braces.' }),
  name: Type.String(),
  description: Type.String(),
  permission: Type.Object({
    level: Type.String({ description: 'The permission (and scope) needed, or public.' }),
    description: Type.String(),
    roles: Type.Array(OneOf(roles)),
    liveOnly: Type.Boolean({
      description: 'It changes what live and test mode share: a credential of test mode is refused.',
    }),
  }),
})

const ProblemItem = Type.Object({
  code: Type.String(),
  status: Type.Integer({ description: 'HTTP status; 0 for codes that stand only in records and events.' }),
  title: Type.String(),
  cause: Type.String(),
  fix: Type.String(),
  retriable: Type.Boolean(),
})

const ParameterItem = Type.Object({
  name: Type.String(),
  in: OneOf(['path', 'query', 'header', 'body']),
  required: Type.Boolean(),
  description: Type.String(),
  schema: AnyJson,
})

const CatalogDetail = Type.Object({
  ...CatalogItem.properties,
  parameters: Type.Object({ required: Type.Array(ParameterItem), optional: Type.Array(ParameterItem) }),
  bodySchema: AnyJson,
  replySchema: AnyJson,
  schemas: Type.Record(Type.String(), AnyJson, {
    description: 'The schemas that others name as `#/components/schemas/<name>`; some name themselves.',
  }),
  sampleRequest: Type.Object({
    method: Type.String(),
    url: Type.String(),
    headers: Type.Record(Type.String(), Type.String()),
    body: AnyJson,
  }),
  sampleResponse: Type.Object({ status: Type.Integer(), body: AnyJson }),
  problems: Type.Array(ProblemItem),
  takesIdempotencyKey: Type.Boolean(),
  takesIfMatch: Type.Boolean(),
  rateLimit: Type.String(),
})

const Category = OneOf(categories, {
  description: `Only this category. Planned, and without endpoints yet: ${plannedCategories.join(', ')}.`,
})

function summaryOf(definition: DocumentedEndpoint) {
  const { id, version, category, method, name, description, permission, operator, protocol } = definition
  const liveOnly = definition.shared === true
  return {
    id,
    version,
    category,
    method,
    url: fullPath(definition),
    name,
    description,
    permission:
      operator !== undefined
        ? { ...operatorText[operator], roles: [], liveOnly }
        : permission === 'public'
          ? { level: 'public', description: protocol?.client ?? 'Needs no credential.', roles: [...roles], liveOnly }
          : { level: permission, description: permissions[permission], roles: rolesWith(permission), liveOnly },
  }
}

function problemItem(code: ProblemCode) {
  return { code, ...problems[code] }
}

function detailOf(definition: DocumentedEndpoint) {
  const { sample, body } = definition
  const named = new Map<string, object>()
  const shown = (schema: object) => portable(shownSchema(schema, named)) as object
  const bodySchema = body === undefined ? null : shown(body)
  const replySchema = shown(wireSchema(definition))
  const outer = parametersOf(definition).map(({ schema, ...rest }) => ({ ...rest, schema: shown(schema) }))
  const all = [...outer, ...bodyFields(bodySchema)]
  return {
    ...summaryOf(definition),
    parameters: { required: all.filter(field => field.required), optional: all.filter(field => !field.required) },
    bodySchema,
    replySchema,
    schemas: portable(Object.fromEntries(named)) as Record<string, unknown>,
    sampleRequest: {
      method: definition.method,
      url: sampleUrl(definition),
      headers: {
        ...(definition.permission === 'public' && definition.operator === undefined
          ? {}
          : { Authorization: 'Bearer <API_KEY>' }),
        ...(body === undefined ? {} : { 'Content-Type': bodyType(definition) }),
      },
      body: sample.body ?? null,
    },
    sampleResponse: { status: definition.status ?? 200, body: wireSample(definition) },
    problems: problemsOf(definition).map(problemItem),
    takesIdempotencyKey: takesIdempotencyKey(definition),
    takesIfMatch: takesIfMatch(definition),
    rateLimit: definition.protocol?.rateLimit ?? rateLimitText,
  }
}

function bodyFields(body: object | null) {
  const schema = (body ?? {}) as {
    properties?: Record<string, { description?: string }>
    required?: string[]
    $ref?: string
  }
  // A choice among named schemas has no fields of its own: the body is one whole.
  if (schema.$ref !== undefined)
    return [{ name: 'body', in: 'body' as const, required: true, description: 'The whole body.', schema }]
  return Object.entries(schema.properties ?? {}).map(([name, { description = '', ...rest }]) => ({
    name,
    in: 'body' as const,
    required: schema.required?.includes(name) ?? false,
    description,
    schema: rest,
  }))
}

function sampleUrl(definition: DocumentedEndpoint): string {
  const { params = {}, query = {} } = definition.sample
  const path = fullPath(definition).replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(params[name] ?? `{${name}}`)),
  )
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)])).toString()
  return search === '' ? path : `${path}?${search}`
}

const jwks = endpoint({
  id: 'jwks.get',
  version: 'v2',
  category: 'Developer',
  method: 'GET',
  path: '/.well-known/jwks.json',
  name: 'Get the public signing keys',
  description: 'The JSON Web Key Set (RFC 7517) with which access tokens can be verified.',
  permission: 'public',
  reply: Type.Object({
    keys: Type.Array(Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true })),
  }),
  envelope: 'none',
  transaction: 'none',
  sample: {
    reply: {
      keys: [
        { kty: 'EC', crv: 'P-256', kid: 'kid_01k9r7d3w2v8e6q4n5m1b0c9xz', alg: 'ES256', use: 'sig', x: '…', y: '…' },
      ],
    },
  },
  async handle({ services }) {
    return services.tokens.jwks()
  },
})

/** @param catalog read at the first call, since these endpoints are part of it */
export function explorerEndpoints(
  catalog: () => readonly DocumentedEndpoint[],
  requests: readonly SentRequest[],
): Endpoint[] {
  let search: ReturnType<typeof createCatalogSearch> | undefined
  let openApi: ReturnType<typeof openApiDocument> | undefined

  const list = endpoint({
    id: 'catalog.list',
    version: 'v2',
    category: 'Developer',
    method: 'GET',
    path: '/catalog',
    name: 'Search the endpoint catalog',
    description:
      'Every endpoint of both versions, and those of the authorization server (version `oauth`). `q` searches name, path, method, category and version and forgives typos; without it the catalog comes in its own order. Filters combine with each other and with `q`.',
    permission: 'public',
    query: Type.Object({
      q: Type.Optional(Type.String({ maxLength: 200, description: 'Words to search for, or an address.' })),
      category: Type.Optional(Category),
      version: Type.Optional(OneOf(versions, { description: 'Only this version.' })),
      method: Type.Optional(OneOf(methods, { description: 'Only this method.' })),
    }),
    reply: Type.Array(CatalogItem),
    envelope: 'data',
    transaction: 'none',
    sample: {
      query: { q: 'send sms' },
      reply: [
        {
          id: 'messages.sms.send',
          version: 'v2',
          category: 'Messaging',
          method: 'POST',
          url: '/v2/messages/sms',
          name: 'Send an SMS message',
          description: 'Accepts a text message for delivery.',
          permission: {
            level: 'messages:send',
            description: permissions['messages:send'],
            roles: rolesWith('messages:send'),
            liveOnly: false,
          },
        },
      ],
    },
    async handle({ query }) {
      search ??= createCatalogSearch(catalog())
      return search(query.q ?? '')
        .filter(definition => query.category === undefined || definition.category === query.category)
        .filter(definition => query.version === undefined || definition.version === query.version)
        .filter(definition => query.method === undefined || definition.method === query.method)
        .map(summaryOf)
    },
  })

  const get = endpoint({
    id: 'catalog.get',
    version: 'v2',
    category: 'Developer',
    method: 'GET',
    path: '/catalog/{endpointId}',
    name: 'Get an endpoint',
    description:
      'All there is to know about one endpoint: parameters with their rules, sample request and reply, every problem it may answer with cause and fix, and the permission it needs.',
    permission: 'public',
    params: Type.Object({
      endpointId: Type.String({ minLength: 1, maxLength: 100, description: 'Id from the catalog list.' }),
    }),
    reply: CatalogDetail,
    envelope: 'data',
    transaction: 'none',
    problems: ['not_found'],
    // Made like every answer, once the catalog is there: see below.
    sample: { params: { endpointId: 'auth.login' }, reply: {} as Static<typeof CatalogDetail> },
    async handle({ params }) {
      const definition = catalog().find(candidate => candidate.id === params.endpointId)
      if (definition === undefined) {
        throw new Problem('not_found', {
          message: 'There is no endpoint with this id. List them with GET /v2/catalog.',
        })
      }
      return detailOf(definition)
    },
  })
  const login = () => catalog().find(candidate => candidate.id === 'auth.login') as DocumentedEndpoint
  // The sample of this endpoint is the description of another one, made like every answer.
  Object.defineProperty(get.sample, 'reply', { get: () => detailOf(login()), enumerable: true })

  const listProblems = endpoint({
    id: 'problems.list',
    version: 'v2',
    category: 'Developer',
    method: 'GET',
    path: '/problems',
    name: 'List the error reference',
    description: 'Every problem code of the API with its status, cause, fix, and whether a retry can help.',
    permission: 'public',
    reply: Type.Array(ProblemItem),
    envelope: 'data',
    transaction: 'none',
    sample: { reply: [problemItem('rate_limited')] },
    async handle() {
      return (Object.keys(problems) as ProblemCode[]).map(problemItem)
    },
  })

  const openapi = endpoint({
    id: 'openapi.get',
    version: 'v2',
    category: 'Developer',
    method: 'GET',
    path: '/openapi.json',
    name: 'Get the OpenAPI document',
    description: 'OpenAPI 3.1 of both versions and of the authorization server, made from the catalog.',
    permission: 'public',
    reply: Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
    envelope: 'none',
    transaction: 'none',
    sample: { reply: { openapi: '3.1.0', info: { title: 'Tandem API', version: '0.1.0' }, paths: {} } },
    async handle() {
      openApi ??= openApiDocument(catalog(), requests)
      return openApi
    },
  })

  return [list, categoriesEndpoint(catalog), get, listProblems, openapi, jwks]
}
