// The error log of an app: what the authorization server refused it, with the cause that the app itself is not given.
import { type Static, Type } from 'typebox'
import { endpoint } from '../../../kernel/endpoint/endpoint.ts'
import { cursorId, cutPage, v2PageQuery } from '../../../kernel/endpoint/page.ts'
import { requireRecord } from '../../../kernel/endpoint/record.ts'
import { Nullable, OneOf, Timestamp } from '../../../kernel/endpoint/schema.ts'
import { AppParams, sampleParams } from './app_endpoints.ts'
import { type ErrorRow, listAppErrors } from './errors_store.ts'
import { modes, sampleApp } from './schemas.ts'
import { findApp } from './store.ts'

const AppError = Type.Object({
  errorId: Type.String(),
  mode: OneOf(modes),
  clientId: Type.String(),
  path: Type.String({ description: 'Where the app asked, such as /oauth/token.' }),
  status: Type.Integer({ description: 'HTTP status of the answer.' }),
  error: Type.String({ description: 'The code of the protocol; the error reference explains each.' }),
  description: Nullable(Type.String({ description: 'What the app was answered.' })),
  detail: Nullable(Type.String({ description: 'The cause, as far as the server knows it. The app is not given it.' })),
  ip: Nullable(Type.String()),
  userAgent: Nullable(Type.String()),
  requestId: Type.String({ description: 'The X-Request-Id of the answer.' }),
  createdAt: Timestamp,
})

function presentError(row: ErrorRow): Static<typeof AppError> {
  return {
    errorId: row.id,
    mode: row.mode,
    clientId: row.client_id,
    path: row.path,
    status: row.status,
    error: row.error,
    description: row.description,
    detail: row.detail,
    ip: row.ip,
    userAgent: row.user_agent,
    requestId: row.request_id,
    createdAt: row.created_at,
  }
}

const listErrors = endpoint({
  version: 'v2',
  category: 'Authentication',
  id: 'apps.list_errors',
  method: 'GET',
  path: '/auth/apps/{appId}/errors',
  name: 'List errors of an app',
  description:
    'What an app was refused at /oauth, the newest first, with the cause where the protocol answers the app less. The last thousand ' +
    'are kept, for 30 days, and no more than 20 a minute.',
  permission: 'apps:read',
  params: AppParams,
  query: Type.Object({
    mode: Type.Optional(OneOf(modes, { description: 'Only those of the live or the test client.' })),
    error: Type.Optional(
      Type.String({ minLength: 1, maxLength: 100, description: 'Only those of this code, such as invalid_grant.' }),
    ),
    ...v2PageQuery,
  }),
  reply: AppError,
  envelope: 'page',
  problems: ['not_found'],
  sample: {
    params: sampleParams,
    query: { error: 'invalid_grant' },
    reply: {
      errorId: 'oer_01k9r7d3w2v8e6q4n5m1b0c9xz',
      mode: 'live',
      clientId: sampleApp.clients[0]!.clientId,
      path: '/oauth/token',
      status: 400,
      error: 'invalid_grant',
      description: 'grant request is invalid',
      detail: 'authorization code is expired',
      ip: '192.0.2.7',
      userAgent: 'ledger-sync/2.1',
      requestId: 'req_01k9r7d3w2v8e6q4n5m1b0c9xz',
      createdAt: '2026-11-21T08:44:00.123Z',
    },
  },
  async handle({ tx, principal, params, query }) {
    const { cursor, limit = 50, ...filter } = query
    const { id: appId } = requireRecord(await findApp(tx, principal, params.appId))
    const page = { limit, beforeId: cursorId('oer', cursor, filter) }
    const rows = await listAppErrors(tx, principal, { ...filter, appId }, page)
    const cut = cutPage(rows, limit, row => [row.id], filter)
    return { items: cut.rows.map(presentError), limit, nextCursor: cut.nextCursor }
  },
})

export const errorEndpoints = [listErrors]
