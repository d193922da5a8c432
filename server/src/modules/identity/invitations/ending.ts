// Invitations end with who made them, and with the role that they are to: nobody becomes a member by somebody who is none any more, nor gets
// what is left of a role.
import type { Principal } from '../../../kernel/access/principal.ts'
import type { Tx } from '../../../kernel/data/db.ts'
import { emitChange } from '../../../kernel/endpoint/record_event.ts'
import { presentInvitation } from './present.ts'
import { type InvitationRow, revokeInvitations } from './store.ts'

export async function endInvitationsOf(tx: Tx, principal: Principal, userId: number, nowMs: number): Promise<void> {
  await report(tx, principal, await revokeInvitations(tx, principal, ['invited_by', userId]), nowMs)
}

/** Those to a role of the organization's own, expired ones too: they could be sent again. */
export async function endInvitationsTo(tx: Tx, principal: Principal, roleId: string, nowMs: number): Promise<void> {
  await report(tx, principal, await revokeInvitations(tx, principal, ['role_id', roleId]), nowMs)
}

async function report(tx: Tx, principal: Principal, rows: readonly InvitationRow[], nowMs: number): Promise<void> {
  const changes = rows.map(row => ({
    type: 'invitation.revoked' as const,
    resourceId: row.id,
    record: presentInvitation(row, nowMs),
  }))
  await emitChange(tx, principal, ...changes)
}
