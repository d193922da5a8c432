// What Admins see and end of others: what a person has open in the organization, and second factors that they lost.
import { Type } from 'typebox'
import { endpoint } from '../../../kernel/endpoint/endpoint.ts'
import { requireRecord } from '../../../kernel/endpoint/record.ts'
import { emitChange } from '../../../kernel/endpoint/record_event.ts'
import { IntegerId, Nullable, OneOf, Timestamp } from '../../../kernel/endpoint/schema.ts'
import { Problem } from '../../../kernel/values/problem.ts'
import { mailQueue, queueMail } from '../../mail/mails/index.ts'
import { insertRevocation, revokeUserSessions, sessionIdleSeconds, sessionMaxSeconds } from '../login/index.ts'
import { findTenants, lockOrganization } from '../organizations/index.ts'
import { findUser, lockUser, presentUser } from '../users/index.ts'
import { factorsResetMail } from './mails.ts'
import { isKeptIn, isThemselves, refuseProtected } from './owner.ts'
import { rightsOfMember } from './rights_store.ts'
import { listMemberSessions, type MemberSession, resetFactors } from './store.ts'

const UserParams = Type.Object({ id: IntegerId })

const Session = Type.Object({
  sessionId: Type.String(),
  modes: Type.Array(OneOf(['live', 'test'])),
  methods: Type.Array(Type.String(), { description: 'How they proved who they are (RFC 8176).' }),
  ip: Nullable(Type.String({ description: 'The address it was opened from.' })),
  userAgent: Nullable(Type.String({ description: 'What the browser or program called itself.' })),
  createdAt: Timestamp,
  lastUsedAt: Timestamp,
})

const sampleSession = {
  sessionId: 'lgn_01k9r7d3w2v8e6q4n5m1b0c9xz',
  modes: ['live'] as ('live' | 'test')[],
  methods: ['pwd'],
  ip: '203.0.113.7',
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  createdAt: '2026-11-21T08:44:00.123Z',
  lastUsedAt: '2026-11-21T09:44:00.123Z',
}

const presentSession = (row: MemberSession) => ({
  sessionId: row.login_id,
  modes: row.modes,
  methods: row.amr,
  ip: row.ip,
  userAgent: row.user_agent,
  createdAt: row.created_at,
  lastUsedAt: row.last_used_at,
})

const open = (userId: number) => ({ userId, idleSeconds: sessionIdleSeconds, maxSeconds: sessionMaxSeconds })

export const listUserSessions = endpoint({
  id: 'users.sessions',
  version: 'v2',
  category: 'User',
  method: 'GET',
  path: '/users/{id}/sessions',
  name: 'List sessions of a user',
  description:
    'What a user has open in the organization, the one used last first. What they have open elsewhere is not shown.',
  permission: 'users:manage',
  params: UserParams,
  reply: Type.Object({ sessions: Type.Array(Session) }),
  envelope: 'data',
  problems: ['not_found'],
  sample: { params: { id: 12 }, reply: { sessions: [sampleSession] } },
  async handle({ tx, principal, params: { id } }) {
    requireRecord(await findUser(tx, principal, id))
    return { sessions: (await listMemberSessions(tx, principal, open(id))).map(presentSession) }
  },
})

export const endUserSessions = endpoint({
  id: 'users.end_sessions',
  version: 'v2',
  category: 'User',
  method: 'DELETE',
  path: '/users/{id}/sessions',
  name: 'Revoke sessions of a user',
  description:
    'Ends all that a user has open in the organization, on every node within two seconds; what they have open elsewhere goes on, and ' +
    'they may log in again. By anyone who holds every permission of the user; not of who can take the ownership back, or just did (`transfer_open`).',
  permission: 'users:manage',
  shared: true,
  handsOut: true,
  audit: 'user.sessions_ended',
  params: UserParams,
  reply: Type.Object({
    userId: IntegerId,
    endedSessions: Type.Integer({ description: 'How many logins this ended.' }),
  }),
  envelope: 'data',
  problems: ['not_found', 'transfer_open'],
  sample: { params: { id: 12 }, reply: { userId: 12, endedSessions: 2 } },
  async handle({ tx, principal, params: { id }, now, handOut, afterCommit, services }) {
    const user = requireRecord(await lockUser(tx, principal, id))
    handOut(await rightsOfMember(tx, principal, user), 'id')
    // Again and again, it would keep them from ever taking it back.
    if (!isThemselves(principal, id) && (await isKeptIn(tx, principal, id, now))) throw new Problem('transfer_open')
    const ended = await listMemberSessions(tx, principal, open(id))
    await revokeUserSessions(tx, principal.organizationId, id)
    await insertRevocation(tx, 'user', id)
    afterCommit(() => services.authenticator.forget())
    await emitChange(tx, principal, { type: 'user.sessions_ended', resourceId: id, record: presentUser(user) })
    return { userId: id, endedSessions: ended.length }
  },
})

export const resetUserFactors = endpoint({
  id: 'users.reset_factors',
  version: 'v2',
  category: 'User',
  method: 'DELETE',
  path: '/users/{id}/factors',
  name: 'Reset the second factors of a user',
  description:
    'Takes all second factors and recovery codes of a user away, who lost them, and ends what they have open. They log in with the ' +
    'password alone then, and set up another factor where the organization asks for one. They get a mail that says so, with the reason, ' +
    'which the audit log keeps. Make sure by another way than a mail that it is really them who ask. By anyone who holds every permission ' +
    'of the user; not of an account that is also a member of other organizations (`account_shared`), nor of the owner or an operator ' +
    '(`account_protected`).',
  permission: 'users:manage',
  shared: true,
  handsOut: true,
  recent: 'factor',
  audit: 'factor.reset',
  params: UserParams,
  query: Type.Object({
    reason: Type.String({
      minLength: 10,
      maxLength: 500,
      pattern: '\\S',
      description: 'Why, for the person and the audit log: 10 to 500 characters.',
    }),
  }),
  reply: Type.Object({ userId: IntegerId, reset: Type.Literal(true) }),
  envelope: 'data',
  problems: ['not_found', 'account_shared', 'account_protected', 'no_second_factor'],
  sample: {
    params: { id: 12 },
    query: { reason: 'Lost the phone; asked in person' },
    reply: { userId: 12, reset: true },
  },
  async handle({ tx, principal, params: { id }, query: { reason }, now, handOut, audited, afterCommit, services }) {
    await lockOrganization(tx, principal)
    const user = requireRecord(await lockUser(tx, principal, id))
    handOut(await rightsOfMember(tx, principal, user), 'id')
    await refuseProtected(tx, principal, id, now)
    const outcome = await resetFactors(tx, principal, id)
    if (outcome === 'shared') throw new Problem('account_shared')
    if (outcome === 'none') throw new Problem('no_second_factor')
    await revokeUserSessions(tx, principal.organizationId, id)
    await insertRevocation(tx, 'user', id)
    const { live } = await findTenants(tx, principal)
    await queueMail(
      tx,
      { ...principal, tenantId: live },
      {
        template: factorsResetMail,
        to: { address: user.email, name: user.name },
        data: { name: user.name, by: principal.email, reason: reason.trim() },
      },
    )
    afterCommit(() => services.authenticator.forget())
    afterCommit(() => services.wake(mailQueue))
    await emitChange(tx, principal, { type: 'user.factors_reset', resourceId: id, record: presentUser(user) })
    audited({ more: { reason: reason.trim() } })
    return { userId: id, reset: true as const }
  },
})

export const endpoints = [listUserSessions, endUserSessions, resetUserFactors]
