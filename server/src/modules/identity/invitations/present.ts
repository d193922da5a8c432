// Invitations as the API shows them.
import { type Static, Type } from 'typebox'
import { IntegerId, Nullable, OneOf, RecordId, Timestamp } from '../../../kernel/endpoint/schema.ts'
import { roles } from '../../../kernel/values/permission.ts'
import type { InvitationRow, ShownState } from './store.ts'

export const shownStates = ['pending', 'expired', 'accepted', 'declined', 'revoked'] as const

export const InvitationParams = Type.Object({ invitationId: RecordId('inv', 'Identifier of the invitation.') })

export const Invitation = Type.Object({
  invitationId: Type.String(),
  email: Type.String({ description: 'Whom it is for: nobody else can accept it.' }),
  role: OneOf(roles),
  roleId: Nullable(Type.String({ description: "The role of the organization's own, of which `role` is the base." })),
  state: OneOf(shownStates, {
    description:
      'One that nobody answered in time is expired until it is sent again, and so is one whose sender is disabled or may not give that role any more.',
  }),
  invitedBy: IntegerId,
  userId: Nullable(Type.Integer({ description: 'Who became a member by it.' })),
  resentCount: Type.Integer({ description: 'How often the mail was sent again.' }),
  expiresAt: Timestamp,
  createdAt: Timestamp,
})

export const WithLink = Type.Object({
  ...Invitation.properties,
  acceptUrl: Nullable(
    Type.String({ description: 'What the mail links to; null where the server has no known address.' }),
  ),
})

export const sampleId = 'inv_01k9r7d3w2v8e6q4n5m1b0c9xz'
export const sampleLink = 'https://crm.example.com/invite#EXAMPLE'
export const sampleInvitation: Static<typeof Invitation> = {
  invitationId: sampleId,
  email: 'alan@example.com',
  role: 'Sales Manager',
  roleId: null,
  state: 'pending',
  invitedBy: 1,
  userId: null,
  resentCount: 0,
  expiresAt: '2026-11-28T08:44:00.123Z',
  createdAt: '2026-11-21T08:44:00.123Z',
}

/** @param isOpen whether who invited may still give that role */
export function presentInvitation(row: InvitationRow, nowMs: number, isOpen = true) {
  const isOver = !isOpen || Date.parse(row.expires_at) <= nowMs
  const state: ShownState = row.state === 'pending' && isOver ? 'expired' : row.state
  return {
    invitationId: row.id,
    email: row.email,
    role: row.role,
    roleId: row.role_id,
    state,
    invitedBy: row.invited_by,
    userId: row.user_id,
    resentCount: row.resent_count,
    expiresAt: row.expires_at,
    createdAt: row.created_at,
  }
}
