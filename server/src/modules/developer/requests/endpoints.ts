// The request log: what a tenant's own keys and people asked of the API and how it was answered, kept for seven days.
import { type Static, Type } from 'typebox'
import { endpoint } from '../../../kernel/endpoint/endpoint.ts'
import { WordList, wordsOf } from '../../../kernel/endpoint/list_query.ts'
import { cursorId, v2PageQuery } from '../../../kernel/endpoint/page.ts'
import { IntegerId, MomentInput, Nullable, OneOf, Timestamp } from '../../../kernel/endpoint/schema.ts'
import { requestSources } from '../../../kernel/request_log/request_detail.ts'
import { Problem } from '../../../kernel/values/problem.ts'
import { idRange, newestPage, timestampOf } from '../newest_store.ts'
import { visibleUser } from '../rules.ts'
import { missingDetailNote, statusRange } from './rules.ts'
import {
  endOfList,
  findRequest,
  findRequestDetail,
  listRequests,
  type RequestDetailRow,
  type RequestRow,
} from './store.ts'

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const
const requestIdShape = {
  pattern: '^req_[0-9a-hjkmnp-tv-z]{26}$',
  errorMessage: 'must be a request id, such as req_01k9r7d3w2v8e6q4n5m1b0c9xz',
}
const Word = (description: string) => Type.String({ minLength: 1, maxLength: 100, description })

export const LoggedRequest = Type.Object({
  requestId: Type.String({ description: 'The X-Request-Id of the answer.' }),
  at: Timestamp,
  method: Type.String(),
  path: Type.String({ description: 'As it was sent, without the query.' }),
  endpointId: Nullable(Type.String({ description: 'The endpoint in the catalog; null when there is none.' })),
  status: Type.Integer(),
  durationMs: Type.Number(),
  problem: Nullable(Type.String({ description: 'The code of the refusal.' })),
  userId: Nullable(Type.Integer()),
  keyId: Nullable(Type.String({ description: 'The API key used; null for an access token.' })),
  ip: Nullable(Type.String({ description: 'Client address.' })),
  source: OneOf(requestSources, {
    description: 'The portal on its own behalf, the Playground of the portal, or anything else: `api`.',
  }),
  resourceId: Nullable(
    Type.String({ description: 'What it made or touched: an id such as msg_…, or lead:12, invoice:5, user:3.' }),
  ),
})

const LoggedRequestDetail = Type.Object({
  ...LoggedRequest.properties,
  query: Nullable(Type.String({ description: 'The query as it was sent; secrets are "[redacted]".' })),
  requestHeaders: Nullable(
    Type.Record(Type.String(), Type.String(), {
      description: 'Content-Type, Accept, Idempotency-Key, If-Match and User-Agent, as far as they were sent.',
    }),
  ),
  requestBody: Nullable(
    Type.String({ description: 'The body as JSON text; secrets are "[redacted]". At most 8 KiB, so it may be cut.' }),
  ),
  responseBody: Nullable(Type.String({ description: 'Of a refusal, the answer as JSON text.' })),
  bodyNote: Nullable(Type.String({ description: 'Why something is missing or cut.' })),
})

export const sampleRequest: Static<typeof LoggedRequest> = {
  requestId: 'req_01k9r7d3w2v8e6q4n5m1b0c9xz',
  at: '2026-11-21T08:44:00.123Z',
  method: 'POST',
  path: '/v2/messages/sms',
  endpointId: 'messages.send_sms',
  status: 422,
  durationMs: 3.4,
  problem: 'invalid_to_number',
  userId: 1,
  keyId: 'key_01k9r7d3w2v8e6q4n5m1b0c9xz',
  ip: '192.0.2.7',
  source: 'api',
  resourceId: null,
}

const sampleDetail = {
  ...sampleRequest,
  query: null,
  requestHeaders: { 'content-type': 'application/json', accept: '*/*', 'user-agent': 'curl/8.14.1' },
  requestBody: '{"from":"+15005550006","to":"12","body":"Your table is ready."}',
  responseBody:
    '{"status":422,"error":{"code":"invalid_to_number","message":"The recipient is not a telephone number.","retriable":false,"docUrl":"/errors/invalid_to_number"},"meta":{"requestId":"req_01k9r7d3w2v8e6q4n5m1b0c9xz","responseTime":"3ms"}}',
  bodyNote: null,
}

export function presentRequest(row: RequestRow) {
  return {
    requestId: row.id,
    at: row.at,
    method: row.method,
    path: row.path,
    endpointId: row.endpoint_id,
    status: row.status,
    durationMs: Math.round(row.duration_ms * 10) / 10,
    problem: row.problem,
    userId: row.user_id,
    keyId: row.key_id,
    ip: row.ip,
    source: row.source,
    resourceId: row.resource_id,
  }
}

function presentDetail(row: RequestDetailRow) {
  const { query, headers, body, response, note } = row
  return {
    ...presentRequest(row),
    query,
    requestHeaders: headers,
    requestBody: body,
    responseBody: response,
    bodyNote: row.kept_at === null ? missingDetailNote(row) : note,
  }
}

export const listLoggedRequests = endpoint({
  id: 'requests.list',
  version: 'v2',
  category: 'Developer',
  method: 'GET',
  path: '/requests',
  name: 'List API requests',
  description:
    'Requests made with keys and tokens of this tenant and mode, newest first, kept for seven days; one ' +
    'appears about a second after its answer. An Admin sees those of everybody, others those of their own' +
    ' tokens and keys. Headers and bodies are in the single request. With filters that match little, a' +
    ' page may hold fewer entries than the limit while hasMore is true: go on with the cursor. With' +
    ' resourceId, what concerns one resource is found however old it is.',
  permission: 'requests:read',
  query: Type.Object({
    method: Type.Optional(OneOf(methods)),
    status: Type.Optional(
      Type.String({
        pattern: '^[1-5](?:\\d\\d|xx)$',
        errorMessage: 'must be a status such as 404 or a class such as 4xx',
        description: 'An exact status (404) or a class (4xx).',
      }),
    ),
    path: Type.Optional(Type.String({ minLength: 1, maxLength: 500, description: 'What the path begins with.' })),
    endpointId: Type.Optional(Word('Endpoint of the catalog, such as leads.create.')),
    keyId: Type.Optional(Word('API key used.')),
    userId: Type.Optional(IntegerId),
    problem: Type.Optional(Word('Problem code, such as validation_failed.')),
    source: Type.Optional(WordList(requestSources, 'Where requests came from.')),
    resourceId: Type.Optional(Word('What was made or touched, such as msg_01k9r7d3w2v8e6q4n5m1b0c9xz or lead:12.')),
    createdAfter: Type.Optional(MomentInput),
    createdBefore: Type.Optional(MomentInput),
    requestId: Type.Optional(Type.String({ ...requestIdShape, description: 'Exactly this request.' })),
    ...v2PageQuery,
  }),
  reply: LoggedRequest,
  envelope: 'page',
  sample: { query: { status: '4xx', path: '/v2/messages' }, reply: sampleRequest },
  async handle({ tx, principal, query }) {
    const { cursor, limit = 50, ...filter } = query
    const range = idRange('req', filter, cursorId('req', cursor, filter))
    if (filter.requestId !== undefined) {
      const row = await findRequest(tx, principal, filter.requestId)
      const inRange = row !== undefined && row.id < range.before && row.id >= range.from
      if (!inRange) return { items: [], limit, nextCursor: null }
      // Falls in with the other filters by a range of one id.
      range.from = row.id
      range.before = `${row.id}~`
    }
    const status = filter.status === undefined ? undefined : statusRange(filter.status)
    const wanted = {
      visibleUser: visibleUser(principal),
      method: filter.method ?? null,
      statusFrom: status?.from ?? null,
      statusTo: status?.to ?? null,
      pathPrefix: filter.path ?? null,
      endpointId: filter.endpointId ?? null,
      keyId: filter.keyId ?? null,
      userId: filter.userId ?? null,
      problem: filter.problem ?? null,
      sources: filter.source === undefined ? null : wordsOf(filter.source, requestSources),
      resourceId: filter.resourceId ?? null,
      after: timestampOf(filter.createdAfter),
      before: timestampOf(filter.createdBefore),
    }
    const rows = await listRequests(tx, principal, range, wanted, limit)
    return newestPage(rows, limit, filter, presentRequest, () => endOfList(tx, principal, range, wanted))
  },
})

export const getLoggedRequest = endpoint({
  id: 'requests.get',
  version: 'v2',
  category: 'Developer',
  method: 'GET',
  path: '/requests/{requestId}',
  name: 'Get an API request',
  description:
    'One entry of the request log, by the X-Request-Id of its answer, with its query, some of its headers, its body and,' +
    ' for a refusal, the answer. Passwords, tokens, keys and other secrets are taken out before anything is kept; bodies' +
    ' are cut at 8 KiB. Of the busiest endpoints only refusals keep their body: bodyNote says so. Who is not Admin finds' +
    ' their own requests only.',
  permission: 'requests:read',
  params: Type.Object({ requestId: Type.String(requestIdShape) }),
  reply: LoggedRequestDetail,
  envelope: 'data',
  problems: ['not_found'],
  sample: { params: { requestId: sampleRequest.requestId }, reply: sampleDetail },
  async handle({ tx, principal, params }) {
    const row = await findRequestDetail(tx, principal, params.requestId)
    const mine = visibleUser(principal)
    if (row === undefined || (mine !== null && row.user_id !== mine)) throw new Problem('not_found')
    return presentDetail(row)
  },
})

export const endpoints = [listLoggedRequests, getLoggedRequest]
