// The OpenAPI 3.1 document of both versions and of the authorization server, made from the catalog. Portal, SDK and outside tools read
// this; nothing in it is written by hand.
import type { TSchema } from 'typebox'
import {
  answersVersion,
  type Category,
  categories,
  type DocumentedEndpoint,
  fullPath,
  hasRanges,
  isPersonOnly,
  operatorText,
  problemsOf,
  takesIdempotencyKey,
  takesIfMatch,
} from '../endpoint/endpoint.ts'
import { rolesWith } from '../values/permission.ts'
import { version } from '../values/version.ts'
import { vocabulary } from '../values/vocabulary.ts'
import { portable, shownSchema } from './documented.ts'
import { metaSchema, problemSchemaNames, problemSchemas } from './problem_schemas.ts'
import { documentedRequests, type SentRequest } from './sent_request.ts'

type Json = Record<string, unknown>

/** The limits of a fresh installation, in words. */
export const rateLimitText =
  '1,000 requests a minute for an API key (5,000 for all keys of a user in a mode), 1,000 for a person who is logged in, ' +
  'else 100 for the IP address.'

/** What each category holds, for the tables of contents made from the document. */
export const categoryTexts: Record<Category, string> = {
  Authentication: 'Log in and stay logged in; API keys, apps and OAuth tokens.',
  User: 'The people of an organization, and one’s own account.',
  Organization: 'Roles, teams, security, domains, single sign-on, the audit log, and the organization itself.',
  CRM: 'Leads, contacts and companies, with notes, tasks, files, tags and imports.',
  Finance: 'Invoices and payments, with gapless numbers and exact totals.',
  Messaging: 'Text messages and mails: send them, follow them to whom they are for, and receive them.',
  Voice: 'Phone calls: make them, take them, command them, and hear what was said.',
  Video: 'Rooms for video meetings.',
  'Contact Center': 'Queues, agents and tasks.',
  AI: 'Analysis of texts and speech.',
  Analytics: 'Counts and durations over time.',
  Billing: 'What was used and what it costs.',
  Developer: 'Request log, events, and the catalog of the API itself.',
}

/** The reply as it goes over the wire, envelope included, as JSON Schema. */
export function wireSchema(definition: DocumentedEndpoint): Json {
  const reply = definition.reply as unknown as Json & { properties?: Json; required?: string[] }
  switch (definition.envelope) {
    case 'none':
    case 'stream':
    case 'file':
      return reply
    case 'success':
      return {
        type: 'object',
        required: ['success', ...(reply.required ?? [])],
        properties: { success: { const: true }, ...reply.properties },
      }
    case 'data':
      return envelope(definition, reply, metaSchema)
    case 'page':
      return envelope(
        definition,
        { type: 'array', items: reply },
        {
          ...metaSchema,
          required: [...metaSchema.required, 'pagination'],
          properties: { ...metaSchema.properties, pagination: paginationSchema },
        },
      )
  }
}

const paginationSchema = {
  type: 'object',
  required: ['limit', 'nextCursor', 'hasMore'],
  properties: {
    limit: { type: 'integer' },
    nextCursor: { type: ['string', 'null'], description: 'Send it as `cursor` to get the next page.' },
    hasMore: { type: 'boolean' },
  },
}

function envelope(definition: DocumentedEndpoint, data: Json, meta: Json): Json {
  return {
    type: 'object',
    required: ['status', 'data', 'meta'],
    properties: { status: { const: definition.status ?? 200 }, data, meta },
  }
}

/** The sample reply with its envelope. */
export function wireSample(definition: DocumentedEndpoint): unknown {
  const { reply } = definition.sample
  const status = definition.status ?? 200
  const meta = { requestId: 'req_01k9r7d3w2v8e6q4n5m1b0c9xz', responseTime: '12ms' }
  switch (definition.envelope) {
    case 'none':
    case 'stream':
    case 'file':
      return reply
    case 'success':
      return { success: true, ...(reply as Json) }
    case 'data':
      return { status, data: reply, meta }
    case 'page':
      return { status, data: [reply], meta: { ...meta, pagination: { limit: 50, nextCursor: null, hasMore: false } } }
  }
}

/** A parameter as the Explorer and OpenAPI list it. */
export type Parameter = {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description: string
  schema: Json
}

/** Every parameter outside the body. */
export function parametersOf(definition: DocumentedEndpoint): Parameter[] {
  const list = [
    ...fieldsOf(definition.params).map(field => ({ ...field, in: 'path' as const, required: true })),
    ...fieldsOf(definition.query).map(field => ({ ...field, in: 'query' as const })),
    ...fieldsOf(definition.headers).map(field => ({ ...field, in: 'header' as never })),
  ]
  if (takesIdempotencyKey(definition)) {
    list.push({
      name: 'Idempotency-Key',
      in: 'header' as never,
      required: false,
      description:
        'Makes a repeat of this request safe: it gets the stored answer for 72 hours. 1 to 255 printable ASCII characters.',
      schema: { type: 'string', minLength: 1, maxLength: 255 },
    })
  }
  if (definition.envelope === 'stream') {
    list.push({
      name: 'Last-Event-ID',
      in: 'header' as never,
      required: false,
      description: 'The id of the last message received: the stream goes on behind it.',
      schema: { type: 'string' },
    })
  }
  if (hasRanges(definition)) {
    list.push({
      name: 'Range',
      in: 'header' as never,
      required: false,
      description:
        'One range of bytes (`bytes=0-1023`, `bytes=-1024`): 206 with that part, for players and for going on.',
      schema: { type: 'string' },
    })
  }
  if (takesIfMatch(definition)) {
    list.push({
      name: 'If-Match',
      in: 'header' as never,
      required: false,
      description: 'ETag of the version the change is meant for; 412 when the record has moved on.',
      schema: { type: 'string' },
    })
  }
  return list
}

function fieldsOf(
  schema: TSchema | undefined,
): { name: string; required: boolean; description: string; schema: Json }[] {
  const { properties = {}, required = [] } = (schema ?? {}) as {
    properties?: Record<string, Json>
    required?: string[]
  }
  return Object.entries(properties).map(([name, property]) => {
    const { description = '', ...rest } = property
    return { name, required: required.includes(name), description: String(description), schema: rest }
  })
}

/** The whole document, in a stable order. @param requests what Tandem itself sends to customers */
export function openApiDocument(catalog: readonly DocumentedEndpoint[], requests: readonly SentRequest[] = []): Json {
  const paths: Record<string, Json> = {}
  const named = new Map<string, object>()
  for (const definition of catalog) {
    const path = fullPath(definition)
    paths[path] = { ...paths[path], [definition.method.toLowerCase()]: shownSchema(operation(definition), named) }
  }
  const webhooks = documentedRequests(requests, named)
  return portable({
    openapi: '3.1.0',
    info: {
      title: 'Tandem API',
      version,
      description:
        'One REST API for customers (CRM, /v1) and conversations (messages, calls, /v2). Made from the catalog the server routes by.',
      contact: { name: 'The operator of this server' },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }],
    tags: categories
      .filter(name => catalog.some(({ category }) => category === name))
      .map(name => ({ name, description: categoryTexts[name] })),
    'x-rate-limit': rateLimitText,
    'x-problems': vocabulary().problems,
    paths,
    webhooks,
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key (tdm_live_…, tdm_test_…) or an access token.',
        },
        oauth: oauthScheme(),
        client: {
          type: 'http',
          scheme: 'basic',
          description:
            'A client of OAuth: its client_id as the user name, its secret as the password. They may stand in the form too.',
        },
      },
      schemas: { ...problemSchemas(), ...Object.fromEntries(named) },
    },
  }) as Json
}

/** Where programs of others get a token by themselves. */
function oauthScheme(): Json {
  const [tokenUrl, scopes] = ['/oauth/token', vocabulary().permissions]
  return {
    type: 'oauth2',
    description: 'An access token of an app; each operation names the scope that it takes.',
    flows: {
      authorizationCode: { authorizationUrl: '/oauth/authorize', tokenUrl, refreshUrl: tokenUrl, scopes },
      clientCredentials: { tokenUrl, scopes },
    },
  }
}

function operation(definition: DocumentedEndpoint): Json {
  const { id, category, name, description, permission, operator, protocol } = definition
  return {
    operationId: id,
    tags: [category],
    summary: name,
    description,
    ...securityOf(definition),
    'x-version': definition.version,
    'x-envelope': definition.envelope,
    ...(definition.envelope === 'stream' ? { 'x-streaming': true } : {}),
    'x-permission': operator === undefined ? permission : operatorText[operator].level,
    'x-roles': permission === 'public' ? [] : rolesWith(permission),
    ...(definition.shared === true ? { 'x-live-only': true } : {}),
    ...(definition.handsOut === true ? { 'x-hands-out': true } : {}),
    ...(isPersonOnly(definition) ? { 'x-person-only': true } : {}),
    ...(definition.recent === undefined ? {} : { 'x-recent': definition.recent }),
    ...(operator === undefined ? {} : { 'x-permission-description': operatorText[operator].description }),
    ...(permission === 'public' ? {} : { 'x-permission-description': vocabulary().permissions[permission] }),
    ...(protocol === undefined
      ? {}
      : {
          'x-permission-description': protocol.client,
          'x-specification': protocol.specification,
          'x-rate-limit': protocol.rateLimit,
        }),
    parameters: parametersOf(definition).map(({ schema, ...parameter }) => ({
      ...parameter,
      schema,
      ...exampleOf(definition, parameter),
    })),
    ...requestBody(definition),
    responses: {
      [definition.status ?? 200]: {
        description: definition.status === 303 ? 'See the address in Location.' : 'Done.',
        headers: responseHeaders(definition),
        ...answerContent(definition),
      },
      ...partResponse(definition),
      ...problemResponses(definition),
    },
  }
}

/** How a body is written that is no file. */
export function bodyType({ protocol }: DocumentedEndpoint): string {
  return protocol?.form === true ? 'application/x-www-form-urlencoded' : 'application/json'
}

function requestBody(definition: DocumentedEndpoint): Json {
  const { body, upload, sample } = definition
  const example = sample.body === undefined ? {} : { example: sample.body }
  if (upload !== undefined) {
    const schema = { type: 'string', format: 'binary', description: upload.about }
    return { requestBody: { required: true, content: { [upload.mediaType]: { schema, ...example } } } }
  }
  if (body === undefined) return {}
  return { requestBody: { required: true, content: { [bodyType(definition)]: { schema: body, ...example } } } }
}

/** Some addresses of a protocol answer by their status alone. */
function answerContent(definition: DocumentedEndpoint): Json {
  if (definition.protocol !== undefined && definition.sample.reply === null) return {}
  return { content: { [mediaType(definition)]: { schema: wireSchema(definition), example: wireSample(definition) } } }
}

/** What is sent as a credential: an API key or a token, or of a client of OAuth what proves who it is. */
function securityOf({ permission, operator, protocol, body }: DocumentedEndpoint): Json {
  if (protocol !== undefined)
    return { security: protocol.form === true && body !== undefined ? [{ client: [] }, {}] : [] }
  if (operator !== undefined) return {}
  return permission === 'public' ? { security: [] } : { security: [{ bearer: [] }, { oauth: [permission] }] }
}

/** The schema of a stream is that of one message. */
function mediaType(definition: DocumentedEndpoint): string {
  if (definition.envelope === 'file') return definition.mediaType ?? 'application/octet-stream'
  return definition.envelope === 'stream' ? 'text/event-stream' : 'application/json'
}

function partResponse(definition: DocumentedEndpoint): Json {
  if (!hasRanges(definition)) return {}
  return {
    206: {
      description: 'The part that Range asked for.',
      headers: responseHeaders(definition),
      content: { [mediaType(definition)]: { schema: wireSchema(definition), example: wireSample(definition) } },
    },
  }
}

/** The value the sample request gives a parameter. */
function exampleOf({ sample }: DocumentedEndpoint, { name, in: place }: Pick<Parameter, 'name' | 'in'>): Json {
  const values = place === 'path' ? sample.params : place === 'query' ? sample.query : undefined
  return values?.[name] === undefined ? {} : { example: values[name] }
}

function responseHeaders(definition: DocumentedEndpoint): Json {
  const text = (description: string) => ({ description, schema: { type: 'string' } })
  const id = { 'X-Request-Id': text('Id of this request.') }
  if (definition.status === 303) return { ...id, Location: text('Where the browser goes on.') }
  if (definition.protocol !== undefined) return id
  return {
    ...id,
    RateLimit: text('What is left of the limit, and when it is full again.'),
    'RateLimit-Policy': text('The limit that applies.'),
    'Server-Timing': text('Milliseconds the server took.'),
    ...(answersVersion(definition) ? { ETag: text('Version of the record, for If-Match.') } : {}),
    ...(hasRanges(definition) ? { ETag: text('Names these bytes, for If-Range and If-None-Match.') } : {}),
  }
}

/** One response a status, with an example for each problem. */
function problemResponses(definition: DocumentedEndpoint): Json {
  const { problems } = vocabulary()
  const byStatus = Map.groupBy(problemsOf(definition), code => problems[code].status)
  // Of the protocol, too many requests are answered with the code that says "not now" (RFC 6749 §4.1.2.1).
  if (definition.protocol !== undefined) byStatus.set(429, ['temporarily_unavailable'])
  const responses: Json = {}
  for (const [status, codes] of [...byStatus].sort(([a], [b]) => a - b)) {
    if (status === 0) continue
    const $ref = `#/components/schemas/${problemSchemaNames[definition.version]}`
    responses[status] = {
      description: codes.map(code => `${code}: ${problems[code].cause}`).join('\n\n'),
      content: { 'application/json': { schema: { $ref } } },
      'x-problems': codes,
    }
  }
  return responses
}
