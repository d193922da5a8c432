// What people let clients do: each sees and ends their own, Admins those of everybody; and what the organization decided on clients that
// it did not register.
import { Type } from 'typebox'
import type { Principal } from '../../../kernel/access/principal.ts'
import { endpoint } from '../../../kernel/endpoint/endpoint.ts'
import { cursorId, cutPage, readCursor, v2PageQuery } from '../../../kernel/endpoint/page.ts'
import { requireRecord } from '../../../kernel/endpoint/record.ts'
import { emitChange } from '../../../kernel/endpoint/record_event.ts'
import { IntegerId, OneOf, RecordId } from '../../../kernel/endpoint/schema.ts'
import { AppParams, forgetTokens, sampleParams } from './app_endpoints.ts'
import {
  changePolicy,
  findGrant,
  type GrantFilter,
  type GrantReach,
  listGrants,
  listPolicies,
  lockPolicy,
  type PolicyRow,
  presentGrant,
  revokeGrants,
  standingGrants,
} from './grants_store.ts'
import { Authorization, ClientPolicy, sampleAuthorization, sampleClient } from './schemas.ts'
import { findApp } from './store.ts'

const reachOf = ({ permissions, userId }: Principal, right: 'apps:read' | 'apps:manage'): GrantReach => ({
  userId: permissions.has(right) ? null : userId,
})

const active = Type.Optional(Type.Boolean({ description: 'Only those that stand (true), or that have ended (false).' }))
const common = { version: 'v2', category: 'Authentication' } as const

const list = endpoint({
  ...common,
  id: 'authorizations.list',
  method: 'GET',
  path: '/auth/authorizations',
  name: 'List authorizations',
  description:
    'What people let apps and other clients do, the newest first. With apps:read those of everybody, otherwise one’s own.',
  permission: 'profile:read',
  query: Type.Object({
    active,
    userId: Type.Optional(IntegerId),
    clientId: Type.Optional(Type.String({ minLength: 1, maxLength: 500, description: 'Only those of this client.' })),
    ...v2PageQuery,
  }),
  reply: Authorization,
  envelope: 'page',
  sample: { query: { active: true }, reply: sampleAuthorization },
  async handle({ tx, principal, query }) {
    const { cursor, limit = 50, ...filter } = query
    const own = reachOf(principal, 'apps:read').userId
    if (own !== null && filter.userId !== undefined && filter.userId !== own)
      return { items: [], limit, nextCursor: null }
    const wanted: GrantFilter = own === null ? filter : { ...filter, userId: own }
    const rows = await listGrants(tx, principal, wanted, { limit, beforeId: cursorId('gra', cursor, filter) })
    const cut = cutPage(rows, limit, row => [row.id], filter)
    return { items: cut.rows.map(presentGrant), limit, nextCursor: cut.nextCursor }
  },
})

const listOfApp = endpoint({
  ...common,
  id: 'apps.list_authorizations',
  method: 'GET',
  path: '/auth/apps/{appId}/authorizations',
  name: 'List authorizations of an app',
  description: 'Who lets an app act for them, what it may do, and when it last got a token, the newest first.',
  permission: 'apps:read',
  params: AppParams,
  query: Type.Object({ active, ...v2PageQuery }),
  reply: Authorization,
  envelope: 'page',
  problems: ['not_found'],
  sample: { params: sampleParams, query: { active: true }, reply: sampleAuthorization },
  async handle({ tx, principal, params, query }) {
    const { cursor, limit = 50, ...filter } = query
    const { id: appId } = requireRecord(await findApp(tx, principal, params.appId))
    const page = { limit, beforeId: cursorId('gra', cursor, filter) }
    const rows = await listGrants(tx, principal, { ...filter, appId }, page)
    const cut = cutPage(rows, limit, row => [row.id], filter)
    return { items: cut.rows.map(presentGrant), limit, nextCursor: cut.nextCursor }
  },
})

const revoke = endpoint({
  ...common,
  id: 'authorizations.revoke',
  audit: 'authorization.revoked',
  method: 'DELETE',
  path: '/auth/authorizations/{authorizationId}',
  name: 'Revoke an authorization',
  description:
    'Ends what a person let a client do: its tokens are refused on every node within two seconds, and it must ask again. One’s own, or ' +
    'with apps:manage that of anybody. Revoking it again changes nothing.',
  permission: 'profile:read',
  params: Type.Object({ authorizationId: RecordId('gra', 'Identifier of the authorization.') }),
  reply: Authorization,
  envelope: 'data',
  problems: ['not_found'],
  sample: {
    params: { authorizationId: sampleAuthorization.authorizationId },
    reply: { ...sampleAuthorization, revokedAt: '2026-11-21T08:45:00.456Z', revokedBecause: 'person' },
  },
  async handle(context) {
    const { tx, principal, params } = context
    const reach = reachOf(principal, 'apps:manage')
    const grant = requireRecord(await findGrant(tx, principal, reach, params.authorizationId))
    const because = grant.user_id === principal.userId ? 'person' : 'admin'
    await revokeGrants(tx, principal, [grant.id], because, principal)
    await forgetTokens(context, grant.id)
    return presentGrant(requireRecord(await findGrant(tx, principal, reach, grant.id)))
  },
})

function presentPolicy(row: PolicyRow) {
  return {
    clientId: row.client_id,
    name: row.client_name,
    decision: row.decision,
    decidedBy: row.decided_by,
    decidedAt: row.decided_at,
    askedBy: row.asked_by,
    createdAt: row.created_at,
  }
}

const clients = endpoint({
  ...common,
  id: 'oauth_clients.list',
  method: 'GET',
  path: '/auth/clients',
  name: 'List clients of others',
  description:
    'Clients that people of the organization wanted to use and that it did not register: assistants and tools that publish who they are, or register themselves.',
  permission: 'apps:read',
  query: Type.Object(v2PageQuery),
  reply: ClientPolicy,
  envelope: 'page',
  sample: { reply: sampleClient },
  async handle({ tx, principal, query }) {
    const { cursor, limit = 50 } = query
    const afterId = readCursor(cursor, {}, 'text')?.[0]
    const rows = await listPolicies(tx, principal, { limit, afterId })
    const cut = cutPage(rows, limit, row => [row.client_id], {})
    return { items: cut.rows.map(presentPolicy), limit, nextCursor: cut.nextCursor }
  },
})

const decide = endpoint({
  ...common,
  id: 'oauth_clients.set_policy',
  audit: 'oauth_client.policy_changed',
  method: 'PUT',
  path: '/auth/clients/{clientId}/policy',
  name: 'Set the policy of a client',
  description:
    'Decides whether people of the organization may use a client that it did not register. Blocking ends what they let it do, on every node within two seconds.',
  permission: 'apps:manage',
  recent: 'factor',
  keysToo: true,
  shared: true,
  params: Type.Object({
    clientId: Type.String({ minLength: 1, maxLength: 200, description: 'The `client_id`: an address, or `dyn_…`.' }),
  }),
  body: Type.Object({ decision: OneOf(['allowed', 'blocked']) }),
  reply: ClientPolicy,
  envelope: 'data',
  problems: ['not_found'],
  sample: { params: { clientId: sampleClient.clientId }, body: { decision: 'allowed' }, reply: sampleClient },
  async handle(context) {
    const { tx, principal, params, body } = context
    const standing = requireRecord(await lockPolicy(tx, principal, params.clientId))
    const change = { decision: body.decision, by: principal.userId }
    const row = await changePolicy(tx, principal, params.clientId, change)
    if (body.decision === 'blocked') {
      const standing = await standingGrants(tx, principal, { clientId: params.clientId })
      await revokeGrants(tx, principal, standing, 'blocked', principal)
    }
    const [before, record] = [presentPolicy(standing), presentPolicy(row)]
    await emitChange(tx, principal, { type: 'oauth_client.updated', resourceId: row.client_id, record, before })
    await forgetTokens(context, row.client_id)
    return record
  },
})

export const grantEndpoints = [list, listOfApp, revoke, clients, decide]
