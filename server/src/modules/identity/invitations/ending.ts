// Invitations end with who made them: nobody becomes a member by somebody who is none any more.
import type { Principal } from '../../../kernel/access/principal.ts'
import type { Tx } from '../../../kernel/data/db.ts'
import { emitChange } from '../../../kernel/endpoint/record_event.ts'
import { presentInvitation } from './present.ts'
import { revokeInvitationsOf } from './store.ts'

export async function endInvitationsOf(tx: Tx, principal: Principal, userId: number, nowMs: number): Promise<void> {
  const rows = await revokeInvitationsOf(tx, principal, userId)
  const changes = rows.map(row => ({
    type: 'invitation.revoked' as const,
    resourceId: row.id,
    record: presentInvitation(row, nowMs),
  }))
  await emitChange(tx, principal, ...changes)
}
