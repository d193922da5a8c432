// Members who are removed by others or leave by themselves, and what becomes of what they own.
import { Type } from 'typebox'
import { recordAudit } from '../../../kernel/audit/record.ts'
import { endpoint } from '../../../kernel/endpoint/endpoint.ts'
import { cursorId, cutPage, v2PageQuery } from '../../../kernel/endpoint/page.ts'
import { requireRecord } from '../../../kernel/endpoint/record.ts'
import { IntegerId, OneOf, RecordId } from '../../../kernel/endpoint/schema.ts'
import { allOwned } from '../../../kernel/noun/ownership.ts'
import { Problem } from '../../../kernel/values/problem.ts'
import { listMemberships } from '../login/index.ts'
import { findOwnerId, findTenantOf, findTenants, lockOrganization } from '../organizations/index.ts'
import { findUser, lockUser } from '../users/index.ts'
import { findHandOver, listHandOvers } from './hand_over_store.ts'
import { handOverQueue } from './jobs.ts'
import { HandOver, presentHandOver, sampleHandOver } from './present.ts'
import { refuseLast, removeMember, requireHeir } from './removal.ts'
import { rightsOfMember } from './rights_store.ts'
import { countEnding, findFirstAdmin } from './store.ts'

const UserParams = Type.Object({ id: IntegerId })
const HandOverParams = Type.Object({ handOverId: RecordId('hov', 'Identifier of the hand-over.') })

export const removeUser = endpoint({
  id: 'users.remove',
  version: 'v2',
  category: 'User',
  method: 'DELETE',
  path: '/users/{id}',
  name: 'Remove a user',
  description:
    'Ends the membership of a person: they cannot log in to the organization any more, and their sessions, API keys, authorizations of ' +
    'apps and invitations that nobody answered yet end on every node within two seconds. What they own in live and test mode (leads, ' +
    'contacts, companies, tasks, saved views) is handed to another user in the background; the answer names the hand-over. Their account, ' +
    'and what they are in other organizations, stays. Who is invited again gets the same user id. By anyone who holds every permission of ' +
    'the person.',
  permission: 'users:manage',
  shared: true,
  handsOut: true,
  recent: 'login',
  keysToo: true,
  audit: 'user.removed',
  params: UserParams,
  query: Type.Object({
    transferTo: Type.Integer({ minimum: 1, description: 'The user who gets what the person owns.' }),
  }),
  reply: Type.Object({
    userId: IntegerId,
    removed: Type.Literal(true),
    endedKeys: Type.Integer({ description: 'How many API keys this ended.' }),
    handOver: HandOver,
  }),
  envelope: 'data',
  problems: ['not_found', 'last_admin', 'last_owner', 'transfer_open'],
  sample: {
    params: { id: 12 },
    query: { transferTo: 1 },
    reply: { userId: 12, removed: true, endedKeys: 0, handOver: { ...sampleHandOver, kinds: [] } },
  },
  async handle({ tx, principal, params: { id }, query: { transferTo }, now, handOut, afterCommit, services }) {
    // Changes that may cost an Admin happen one after the other in an organization; always locked before the user.
    await lockOrganization(tx, principal)
    const user = requireRecord(await lockUser(tx, principal, id))
    handOut(await rightsOfMember(tx, principal, user), 'id')
    await refuseLast(tx, principal, user, now)
    await requireHeir(tx, principal, transferTo, id)
    const leaving = { user, heir: transferTo, because: 'admin', nowMs: now } as const
    const { handOver, endedKeys } = await removeMember(tx, principal, leaving)
    afterCommit(() => services.authenticator.forget())
    afterCommit(() => services.wake(handOverQueue))
    return { userId: id, removed: true as const, endedKeys, handOver: presentHandOver(handOver) }
  },
})

export const leaveOrganization = endpoint({
  id: 'own_organizations.leave',
  version: 'v2',
  category: 'User',
  method: 'DELETE',
  path: '/users/me/organizations/{organizationId}',
  name: 'Leave an organization',
  description:
    'Ends the own membership, as if an Admin had removed the person: what they own there goes to the owner of the organization, ' +
    'otherwise to its first Admin. Neither its owner nor its last Admin may leave. The account stays, and what it is a member of elsewhere.',
  permission: 'profile:update',
  personOnly: true,
  recent: 'login',
  transaction: 'none',
  audit: 'user.removed',
  params: Type.Object({ organizationId: IntegerId }),
  reply: Type.Object({ organizationId: IntegerId, left: Type.Literal(true), handOver: HandOver }),
  envelope: 'data',
  problems: ['not_found', 'last_admin', 'last_owner', 'transfer_open'],
  sample: {
    params: { organizationId: 1 },
    reply: { organizationId: 1, left: true, handOver: { ...sampleHandOver, kinds: [] } },
  },
  async handle({ principal, params: { organizationId }, now, asked, services }) {
    const { accountId } = principal.person!
    const { userId, tenantId } = await services.db.inTenant(principal, async tx => {
      const one = (await listMemberships(tx, accountId)).find(known => known.organization_id === organizationId)
      if (one === undefined || one.disabled) throw new Problem('not_found')
      return { userId: one.user_id, tenantId: await findTenantOf(tx, organizationId, 'live') }
    })
    // What they are there, which need not be where this session is.
    const there = { ...principal, organizationId, tenantId, userId, mode: 'live' } as const
    const handOver = await services.db.inTenant(there, async tx => {
      await lockOrganization(tx, there)
      const user = requireRecord(await lockUser(tx, there, userId))
      await refuseLast(tx, there, user, now)
      const owner = await findOwnerId(tx, there)
      const heir = owner ?? (await findFirstAdmin(tx, there, userId))
      // An organization always has an active Admin, and who leaves is not the last one.
      if (heir === undefined) throw new Problem('last_admin')
      const { handOver: made } = await removeMember(tx, there, { user, heir, because: 'person', nowMs: now })
      const by = { organizationId, type: 'user', id: userId, name: user.email } as const
      const targets = [{ type: 'user', id: userId }]
      await recordAudit(tx, by, { action: 'user.removed', targets, more: { bySelf: true, transferTo: heir } }, asked)
      return made
    })
    services.authenticator.forget()
    services.wake(handOverQueue)
    return { organizationId, left: true as const, handOver: presentHandOver(handOver) }
  },
})

const OwnedKind = Type.Object({
  kind: Type.String({ description: 'What it is, such as leads or saved_views.' }),
  mode: OneOf(['live', 'test']),
  count: Type.Integer({ description: 'How many, those in the trash included.' }),
})

export const countOwned = endpoint({
  id: 'users.owned',
  version: 'v2',
  category: 'User',
  method: 'GET',
  path: '/users/{id}/owned',
  name: 'Get what a user owns',
  description:
    'How many records of each kind would be handed to somebody else if the user were removed, in live and test mode, and what would end: ' +
    'API keys, authorizations of apps, invitations that nobody answered yet.',
  permission: 'users:manage',
  transaction: 'none',
  params: UserParams,
  reply: Type.Object({
    userId: IntegerId,
    records: Type.Array(OwnedKind, { description: 'Kinds of which there are any.' }),
    ends: Type.Object({
      apiKeys: Type.Integer(),
      authorizations: Type.Integer({ description: 'Of apps to act for them.' }),
      invitations: Type.Integer({ description: 'By them, that nobody answered yet.' }),
    }),
  }),
  envelope: 'data',
  problems: ['not_found'],
  sample: {
    params: { id: 12 },
    reply: {
      userId: 12,
      records: [{ kind: 'leads', mode: 'live', count: 1_200 }],
      ends: { apiKeys: 2, authorizations: 1, invitations: 0 },
    },
  },
  async handle({ principal, params: { id }, services: { db } }) {
    const { tenants, ends } = await db.inTenant(principal, async tx => {
      requireRecord(await findUser(tx, principal, id))
      return { tenants: await findTenants(tx, principal), ends: await countEnding(tx, principal, id) }
    })
    const records: { kind: string; mode: 'live' | 'test'; count: number }[] = []
    for (const mode of ['live', 'test'] as const) {
      const scope = { organizationId: principal.organizationId, tenantId: tenants[mode] }
      await db.inTenant(scope, async tx => {
        for (const owned of allOwned())
          records.push({ kind: owned.name, mode, count: await owned.count(tx, scope, id) })
      })
    }
    return { userId: id, records: records.filter(({ count }) => count > 0), ends }
  },
})

export const getHandOver = endpoint({
  id: 'hand_overs.get',
  version: 'v2',
  category: 'User',
  method: 'GET',
  path: '/hand-overs/{handOverId}',
  name: 'Get a hand-over',
  description:
    'How far it is that all of a person who left goes to another one. The event hand_over.completed reports its end.',
  permission: 'users:manage',
  params: HandOverParams,
  reply: HandOver,
  envelope: 'data',
  problems: ['not_found'],
  sample: { params: { handOverId: sampleHandOver.handOverId }, reply: sampleHandOver },
  async handle({ tx, principal, params: { handOverId } }) {
    return presentHandOver(requireRecord(await findHandOver(tx, principal, handOverId)))
  },
})

export const listAllHandOvers = endpoint({
  id: 'hand_overs.list',
  version: 'v2',
  category: 'User',
  method: 'GET',
  path: '/hand-overs',
  name: 'List hand-overs',
  description: 'Who left, and to whom what they owned goes or went, the newest first.',
  permission: 'users:manage',
  query: Type.Object(v2PageQuery),
  reply: HandOver,
  envelope: 'page',
  sample: { reply: sampleHandOver },
  async handle({ tx, principal, query: { limit = 50, cursor } }) {
    const rows = await listHandOvers(tx, principal, { limit, beforeId: cursorId('hov', cursor, {}) })
    const cut = cutPage(rows, limit, row => [row.id], {})
    return { items: cut.rows.map(presentHandOver), limit, nextCursor: cut.nextCursor }
  },
})

export const endpoints = [removeUser, countOwned, getHandOver, listAllHandOvers, leaveOrganization]
