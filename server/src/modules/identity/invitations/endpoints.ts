// Invitations of an organization, by those who manage its members: made, listed, taken back.
import { type Static, Type } from 'typebox'
import { endpoint } from '../../../kernel/endpoint/endpoint.ts'
import { cursorId, cutPage, v2PageQuery } from '../../../kernel/endpoint/page.ts'
import { emitChange } from '../../../kernel/endpoint/record_event.ts'
import { Email, IntegerId, Nullable, OneOf, RecordId, Timestamp } from '../../../kernel/endpoint/schema.ts'
import { accountEmail } from '../../../kernel/values/email.ts'
import { newId, randomToken } from '../../../kernel/values/ids.ts'
import { roles } from '../../../kernel/values/permission.ts'
import { Problem } from '../../../kernel/values/problem.ts'
import { rolePermissions } from '../../../nouns.ts'
import { mailQueue, queueMail } from '../../mail/mails/index.ts'
import { findTenants } from '../organizations/index.ts'
import { isUserEmail } from '../users/index.ts'
import { invitationMail } from './mails.ts'
import { decideInvitation, type InvitationRow, insertInvitation, listInvitations, lockInvitation } from './store.ts'

const goodForMs = 7 * 86_400_000
const states = ['pending', 'accepted', 'declined', 'revoked'] as const

const Invitation = Type.Object({
  invitationId: Type.String(),
  email: Type.String({ description: 'Whom it is for: nobody else can accept it.' }),
  role: OneOf(roles),
  state: OneOf(states),
  invitedBy: IntegerId,
  userId: Nullable(Type.Integer({ description: 'Who became a member by it.' })),
  expiresAt: Timestamp,
  createdAt: Timestamp,
})

const sampleId = 'inv_01k9r7d3w2v8e6q4n5m1b0c9xz'
const sampleInvitation: Static<typeof Invitation> = {
  invitationId: sampleId,
  email: 'alan@example.com',
  role: 'Sales Manager',
  state: 'pending',
  invitedBy: 1,
  userId: null,
  expiresAt: '2026-11-28T08:44:00.123Z',
  createdAt: '2026-11-21T08:44:00.123Z',
}

export function presentInvitation(row: InvitationRow) {
  return {
    invitationId: row.id,
    email: row.email,
    role: row.role,
    state: row.state,
    invitedBy: row.invited_by,
    userId: row.user_id,
    expiresAt: row.expires_at,
    createdAt: row.created_at,
  }
}

export const createInvitation = endpoint({
  id: 'invitations.create',
  version: 'v2',
  category: 'User',
  method: 'POST',
  path: '/invitations',
  name: 'Create an invitation',
  description:
    'Sends a mail with a link by which its reader, and nobody with another address, becomes a member in live and test mode; good for ' +
    'seven days. The answer is the same whether the address has an account or not, and shows the link this once, for where no mail ' +
    'arrives. By anyone who holds every permission of the role.',
  permission: 'users:manage',
  shared: true,
  handsOut: true,
  secretReply: true,
  status: 201,
  audit: 'invitation.created',
  body: Type.Object({ email: Email, role: OneOf(roles, { description: 'What the member may do.' }) }),
  reply: Type.Object({
    ...Invitation.properties,
    acceptUrl: Nullable(
      Type.String({ description: 'What the mail links to; null where the server has no known address.' }),
    ),
  }),
  envelope: 'data',
  problems: ['already_member'],
  sample: {
    body: { email: 'alan@example.com', role: 'Sales Manager' },
    reply: { ...sampleInvitation, acceptUrl: 'https://crm.example.com/invite#EXAMPLE' },
  },
  async handle({ tx, principal, body: { email: sent, role }, now, handOut, afterCommit, services }) {
    handOut({ permissions: new Set(rolePermissions[role]), mode: 'live', endsAtMs: null }, 'role')
    const email = accountEmail(sent)
    if (await isUserEmail(tx, principal, email)) throw new Problem('already_member')
    const token = randomToken(32)
    const expires_at = new Date(now + goodForMs).toISOString()
    const row = await insertInvitation(tx, principal, {
      id: newId('inv', now),
      email,
      role,
      invited_by: principal.userId,
      expires_at,
      token,
    })
    const address = services.ownAddress()?.replace(/\/$/, '')
    const acceptUrl = address === undefined ? null : `${address}/invite#${token}`
    const { live } = await findTenants(tx, principal)
    if (acceptUrl !== null) {
      const data = { inviter: principal.email, role, url: acceptUrl }
      await queueMail(tx, { ...principal, tenantId: live }, { template: invitationMail, to: email, data })
      afterCommit(() => services.wake(mailQueue))
    }
    const record = presentInvitation(row)
    await emitChange(tx, principal, { type: 'invitation.created', resourceId: row.id, record })
    return { ...record, acceptUrl }
  },
})

export const listAllInvitations = endpoint({
  id: 'invitations.list',
  version: 'v2',
  category: 'User',
  method: 'GET',
  path: '/invitations',
  name: 'List invitations',
  description: 'Who was invited to become a member, and what came of it, the newest first.',
  permission: 'users:manage',
  query: Type.Object({ state: Type.Optional(OneOf(states)), ...v2PageQuery }),
  reply: Invitation,
  envelope: 'page',
  sample: { query: { state: 'pending' }, reply: sampleInvitation },
  async handle({ tx, principal, query: { limit = 50, cursor, state } }) {
    const filter = { state }
    const rows = await listInvitations(tx, principal, state, { limit, beforeId: cursorId('inv', cursor, filter) })
    const cut = cutPage(rows, limit, row => [row.id], filter)
    return { items: cut.rows.map(presentInvitation), limit, nextCursor: cut.nextCursor }
  },
})

export const revokeInvitation = endpoint({
  id: 'invitations.revoke',
  version: 'v2',
  category: 'User',
  method: 'POST',
  path: '/invitations/{invitationId}/revoke',
  name: 'Revoke an invitation',
  description: 'Its link does not work any more. One that was answered already stays as it is.',
  permission: 'users:manage',
  shared: true,
  audit: 'invitation.revoked',
  params: Type.Object({ invitationId: RecordId('inv', 'Identifier of the invitation.') }),
  reply: Invitation,
  envelope: 'data',
  problems: ['not_found', 'invitation_decided'],
  sample: { params: { invitationId: sampleId }, reply: { ...sampleInvitation, state: 'revoked' } },
  async handle({ tx, principal, params: { invitationId } }) {
    const row = await lockInvitation(tx, principal, invitationId)
    if (row === undefined) throw new Problem('not_found')
    if (row.state !== 'pending') throw new Problem('invitation_decided')
    const record = presentInvitation(await decideInvitation(tx, principal, row.id, { state: 'revoked' }))
    await emitChange(tx, principal, { type: 'invitation.revoked', resourceId: row.id, record })
    return record
  },
})

export const endpoints = [createInvitation, listAllInvitations, revokeInvitation]
