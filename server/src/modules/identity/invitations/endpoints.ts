// Invitations of an organization, by those who manage its members: made, listed, taken back.
import { Type } from 'typebox'
import { endpoint } from '../../../kernel/endpoint/endpoint.ts'
import { cursorId, cutPage, v2PageQuery } from '../../../kernel/endpoint/page.ts'
import { requireRecord } from '../../../kernel/endpoint/record.ts'
import { emitChange } from '../../../kernel/endpoint/record_event.ts'
import { Email, OneOf } from '../../../kernel/endpoint/schema.ts'
import { isoMs } from '../../../kernel/values/clock.ts'
import { accountEmail } from '../../../kernel/values/email.ts'
import { roles } from '../../../kernel/values/permission.ts'
import { Problem } from '../../../kernel/values/problem.ts'
import { mailQueue } from '../../mail/mails/index.ts'
import { lockOrganization } from '../organizations/index.ts'
import { chosenRole, rightsOfMembers, roleFaultsOf, roleId, standingRole } from '../roles/index.ts'
import { isUserEmail } from '../users/index.ts'
import { goodForMs, invite, isStillGood, linkOf, listVoidOffers, sendInvitation } from './inviting.ts'
import {
  Invitation,
  InvitationParams,
  presentInvitation,
  sampleId,
  sampleInvitation,
  sampleLink,
  shownStates,
  WithLink,
} from './present.ts'
import { decideInvitation, extendInvitation, listInvitations, lockInvitation } from './store.ts'

const maxInvited = 100
const maxResent = 5

const RoleFields = {
  role: Type.Optional(OneOf(roles, { description: 'What who accepts may do. Needed, where roleId is not sent.' })),
  roleId: Type.Optional(
    Type.String({ ...roleId, description: "In place of role, a role of the organization's own: GET /v2/roles." }),
  ),
}
const roleField = ({ role }: { role?: unknown }) => (role === undefined ? 'roleId' : 'role')

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
  recent: 'factor',
  keysToo: true,
  shared: true,
  handsOut: true,
  secretReply: true,
  status: 201,
  audit: 'invitation.created',
  body: Type.Object({ email: Email, ...RoleFields }),
  check: ({ body }) => roleFaultsOf(body, true),
  reply: WithLink,
  envelope: 'data',
  problems: ['already_member', 'already_invited'],
  sample: {
    body: { email: 'alan@example.com', role: 'Sales Manager' },
    reply: { ...sampleInvitation, acceptUrl: sampleLink },
  },
  async handle({ tx, principal, body, now, handOut, afterCommit, services }) {
    const chosen = await chosenRole(tx, principal, body)
    handOut(rightsOfMembers(chosen), roleField(body))
    await lockOrganization(tx, principal)
    const made = await invite(tx, { principal, services, nowMs: now }, { email: accountEmail(body.email), chosen })
    if ('code' in made) throw new Problem(made.code)
    afterCommit(() => services.wake(mailQueue))
    return { ...presentInvitation(made.row, now), acceptUrl: made.acceptUrl }
  },
})

export const inviteMany = endpoint({
  id: 'invitations.create_many',
  version: 'v2',
  category: 'User',
  method: 'POST',
  path: '/invitations/bulk',
  name: 'Create many invitations',
  description:
    `Invites up to ${maxInvited} addresses with one role, each as POST /v2/invitations does. Those of members, and those that are invited ` +
    'already, are listed with the reason; all others are invited, in one transaction.',
  permission: 'users:manage',
  recent: 'factor',
  keysToo: true,
  shared: true,
  handsOut: true,
  secretReply: true,
  status: 201,
  audit: 'invitation.created',
  body: Type.Object({
    emails: Type.Array(Email, { minItems: 1, maxItems: maxInvited, description: 'Each once, in whatever case.' }),
    ...RoleFields,
  }),
  check: ({ body }) => roleFaultsOf(body, true),
  reply: Type.Object({
    invitations: Type.Array(WithLink),
    refused: Type.Array(
      Type.Object({
        email: Type.String(),
        code: OneOf(['already_member', 'already_invited']),
        message: Type.String({ description: 'Why, and what to do.' }),
      }),
    ),
  }),
  envelope: 'data',
  sample: {
    body: { emails: ['alan@example.com'], role: 'Sales Manager' },
    reply: { invitations: [{ ...sampleInvitation, acceptUrl: sampleLink }], refused: [] },
  },
  async handle({ tx, principal, body, now, handOut, afterCommit, audited, services }) {
    const chosen = await chosenRole(tx, principal, body)
    handOut(rightsOfMembers(chosen), roleField(body))
    await lockOrganization(tx, principal)
    const invitations: (ReturnType<typeof presentInvitation> & { acceptUrl: string | null })[] = []
    const refused: { email: string; code: 'already_member' | 'already_invited'; message: string }[] = []
    const wanted = new Map(body.emails.map(email => [accountEmail(email).toLowerCase(), accountEmail(email)]))
    for (const email of wanted.values()) {
      const made = await invite(tx, { principal, services, nowMs: now }, { email, chosen })
      if ('code' in made) refused.push({ email, code: made.code, message: new Problem(made.code).message })
      else invitations.push({ ...presentInvitation(made.row, now), acceptUrl: made.acceptUrl })
    }
    afterCommit(() => services.wake(mailQueue))
    if (invitations.length === 0) audited(false)
    return { invitations, refused }
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
  query: Type.Object({ state: Type.Optional(OneOf(shownStates)), ...v2PageQuery }),
  reply: Invitation,
  envelope: 'page',
  sample: { query: { state: 'pending' }, reply: sampleInvitation },
  async handle({ tx, principal, query: { limit = 50, cursor, state }, now }) {
    const filter = { state }
    const asked = { state, nowMs: now, voidOffers: await listVoidOffers(tx, principal, now) }
    const rows = await listInvitations(tx, principal, asked, { limit, beforeId: cursorId('inv', cursor, filter) })
    const cut = cutPage(rows, limit, row => [row.id], filter)
    return { items: cut.rows.map(row => presentInvitation(row, now, row.is_open)), limit, nextCursor: cut.nextCursor }
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
  params: InvitationParams,
  reply: Invitation,
  envelope: 'data',
  problems: ['not_found', 'invitation_decided'],
  sample: { params: { invitationId: sampleId }, reply: { ...sampleInvitation, state: 'revoked' } },
  async handle({ tx, principal, params: { invitationId }, now }) {
    const row = requireRecord(await lockInvitation(tx, principal, invitationId))
    if (row.state !== 'pending') throw new Problem('invitation_decided')
    const record = presentInvitation(await decideInvitation(tx, principal, row.id, { state: 'revoked' }), now)
    await emitChange(tx, principal, { type: 'invitation.revoked', resourceId: row.id, record })
    return record
  },
})

export const resendInvitation = endpoint({
  id: 'invitations.resend',
  version: 'v2',
  category: 'User',
  method: 'POST',
  path: '/invitations/{invitationId}/resend',
  name: 'Send an invitation again',
  description:
    `Sends the mail with the same link once more, good for seven days from now, also where it had expired. At most ${maxResent} times. ` +
    'By anyone who holds every permission of the role.',
  permission: 'users:manage',
  recent: 'factor',
  keysToo: true,
  shared: true,
  handsOut: true,
  secretReply: true,
  audit: 'invitation.renewed',
  params: InvitationParams,
  reply: WithLink,
  envelope: 'data',
  problems: ['not_found', 'invitation_decided', 'resend_limit_reached', 'already_member'],
  sample: {
    params: { invitationId: sampleId },
    reply: { ...sampleInvitation, resentCount: 1, acceptUrl: sampleLink },
  },
  async handle({ tx, principal, params: { invitationId }, now, handOut, afterCommit, services }) {
    const row = requireRecord(await lockInvitation(tx, principal, invitationId))
    handOut(rightsOfMembers(await standingRole(tx, principal, row)), 'invitationId')
    if (row.state !== 'pending') throw new Problem('invitation_decided')
    if (row.resent_count >= maxResent) throw new Problem('resend_limit_reached')
    if (await isUserEmail(tx, principal, row.email)) throw new Problem('already_member')
    const extended = await extendInvitation(tx, principal, row.id, isoMs(now + goodForMs), principal.userId)
    const acceptUrl = linkOf(services, principal, extended)
    await sendInvitation(tx, principal, extended, acceptUrl)
    afterCommit(() => services.wake(mailQueue))
    const record = presentInvitation(extended, now)
    await emitChange(tx, principal, { type: 'invitation.renewed', resourceId: row.id, record })
    return { ...record, acceptUrl }
  },
})

export const getInvitationLink = endpoint({
  id: 'invitations.link',
  version: 'v2',
  category: 'User',
  method: 'GET',
  path: '/invitations/{invitationId}/link',
  name: 'Get the link of an invitation',
  description:
    'What its mail links to, for where no mail arrives: hand it to nobody but the person of the address. By anyone who holds every ' +
    'permission of the role.',
  permission: 'users:manage',
  recent: 'factor',
  keysToo: true,
  shared: true,
  handsOut: true,
  audit: 'invitation.link_revealed',
  params: InvitationParams,
  reply: WithLink,
  envelope: 'data',
  problems: ['not_found', 'invitation_decided'],
  sample: { params: { invitationId: sampleId }, reply: { ...sampleInvitation, acceptUrl: sampleLink } },
  async handle({ tx, principal, params: { invitationId }, now, handOut, services }) {
    const row = requireRecord(await lockInvitation(tx, principal, invitationId))
    handOut(rightsOfMembers(await standingRole(tx, principal, row)), 'invitationId')
    const record = presentInvitation(row, now, await isStillGood(tx, principal, row))
    if (record.state !== 'pending') throw new Problem('invitation_decided')
    return { ...record, acceptUrl: linkOf(services, principal, row) }
  },
})

export const endpoints = [
  createInvitation,
  inviteMany,
  listAllInvitations,
  resendInvitation,
  getInvitationLink,
  revokeInvitation,
]
