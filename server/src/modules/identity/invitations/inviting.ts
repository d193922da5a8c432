// How an invitation comes to be: its row, its mail, its event.
import type { Principal } from '../../../kernel/access/principal.ts'
import type { Scope, Tx } from '../../../kernel/data/db.ts'
import type { Services } from '../../../kernel/endpoint/endpoint.ts'
import { emitChange } from '../../../kernel/endpoint/record_event.ts'
import { isoMs } from '../../../kernel/values/clock.ts'
import { newId, randomToken } from '../../../kernel/values/ids.ts'
import type { Keyring } from '../../../kernel/values/keyring.ts'
import { missingRights } from '../../../kernel/values/permission.ts'
import { createSeal } from '../../../kernel/values/seal.ts'
import { queueMail } from '../../mail/mails/index.ts'
import { findTenants } from '../organizations/index.ts'
import { type Chosen, rightsOfMembers, standingRole } from '../roles/index.ts'
import { findUser, isUserEmail } from '../users/index.ts'
import { invitationMail } from './mails.ts'
import { presentInvitation } from './present.ts'
import { type InvitationRow, insertInvitation, listOffers, type Offer } from './store.ts'

export const goodForMs = 7 * 86_400_000

const sealOf = (keyring: Keyring) => createSeal(keyring, 'invitations')
const placeOf = ({ organizationId }: Principal, id: string) => `${organizationId} ${id}`

/** What the mail links to; null where the server has no known address. */
export function linkOf(
  { keyring, ownAddress }: Pick<Services, 'keyring' | 'ownAddress'>,
  principal: Principal,
  row: Pick<InvitationRow, 'id' | 'token_sealed'>,
): string | null {
  const address = ownAddress()
  if (address === undefined) return null
  return `${address}/invite#${sealOf(keyring).open(placeOf(principal, row.id), row.token_sealed)}`
}

/** Writes the mail, where there is a link to write. */
export async function sendInvitation(
  tx: Tx,
  principal: Principal,
  row: Pick<InvitationRow, 'email' | 'role' | 'role_id'>,
  url: string | null,
): Promise<void> {
  if (url === null) return
  const { live } = await findTenants(tx, principal)
  const { role, role_name } = await standingRole(tx, principal, row)
  const data = { inviter: principal.email, role: role_name ?? role, url }
  await queueMail(tx, { ...principal, tenantId: live }, { template: invitationMail, to: row.email, data })
}

type Inviter = { principal: Principal; services: Services; nowMs: number }

/** Invites an address, or says why not; the organization is locked, so that nobody is invited twice at once. */
export async function invite(
  tx: Tx,
  { principal, services, nowMs }: Inviter,
  { email, chosen: { role, role_id } }: { email: string; chosen: Chosen },
): Promise<{ row: InvitationRow; acceptUrl: string | null } | { code: 'already_member' | 'already_invited' }> {
  if (await isUserEmail(tx, principal, email)) return { code: 'already_member' }
  for (const offer of await listOffers(tx, principal, nowMs, email))
    if (await isStillGood(tx, principal, offer)) return { code: 'already_invited' }
  const [id, token] = [newId('inv', nowMs), randomToken(32)]
  const row = await insertInvitation(tx, principal, {
    id,
    email,
    role,
    role_id,
    invited_by: principal.userId,
    expires_at: isoMs(nowMs + goodForMs),
    token,
    token_sealed: sealOf(services.keyring).close(placeOf(principal, id), token),
  })
  const acceptUrl = linkOf(services, principal, row)
  await sendInvitation(tx, principal, row, acceptUrl)
  const record = presentInvitation(row, nowMs)
  await emitChange(tx, principal, { type: 'invitation.created', resourceId: row.id, record })
  return { row, acceptUrl }
}

/**
 * Whether who invited, or sent the invitation again last, could still do so: an invitation opens no more than they may hand out when it is
 * answered, by whatever way they lost rights or standing.
 */
export async function isStillGood(tx: Tx, scope: Scope, row: Offer): Promise<boolean> {
  const inviter = await findUser(tx, scope, row.invited_by)
  if (inviter === undefined || inviter.disabled_at !== null) return false
  const held = await standingRole(tx, scope, inviter)
  const wanted = rightsOfMembers(await standingRole(tx, scope, row))
  return held.permissions.has('users:manage') && missingRights(rightsOfMembers(held), wanted).permissions.length === 0
}

/** What invitations are for whose links open nothing, though nobody answered them and their time is not over. */
export async function listVoidOffers(tx: Tx, scope: Scope, nowMs: number): Promise<Offer[]> {
  const found: Offer[] = []
  for (const offer of await listOffers(tx, scope, nowMs)) if (!(await isStillGood(tx, scope, offer))) found.push(offer)
  return found
}
