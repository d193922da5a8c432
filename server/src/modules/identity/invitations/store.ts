// SQL of invitations. What a link opens is found before any organization is known.
import { createHash } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import { constraintOf, type Db, type Scope, type Tx } from '../../../kernel/data/db.ts'
import type { Role } from '../../../kernel/values/permission.ts'
import { Problem } from '../../../kernel/values/problem.ts'

export type InvitationRow = {
  id: string
  email: string
  role: Role
  role_id: string | null
  invited_by: number
  state: 'pending' | 'accepted' | 'declined' | 'revoked'
  expires_at: string
  user_id: number | null
  resent_count: number
  token_sealed: string
  created_at: string
  decided_at: string | null
}

const columns = [
  'id',
  'email',
  'role',
  'role_id',
  'invited_by',
  'state',
  'expires_at',
  'user_id',
  'resent_count',
  'token_sealed',
  'created_at',
  'decided_at',
] as const

const hashOf = (token: string) => createHash('sha256').update(token).digest()

export async function insertInvitation(
  tx: Tx,
  { organizationId }: Scope,
  {
    token,
    ...invitation
  }: Pick<InvitationRow, 'id' | 'email' | 'role' | 'role_id' | 'invited_by' | 'expires_at' | 'token_sealed'> & {
    token: string
  },
): Promise<InvitationRow> {
  return tx
    .insertInto('invitations')
    .values({ ...invitation, organization_id: organizationId, token_hash: hashOf(token) })
    .returning(columns)
    .$castTo<InvitationRow>()
    .executeTakeFirstOrThrow()
}

/** As the API shows it: one that nobody answered in time, or whose link opens nothing, is expired. */
export type ShownState = InvitationRow['state'] | 'expired'

/** Who invites to what. */
export type Offer = Pick<InvitationRow, 'invited_by' | 'role' | 'role_id'>

/** What invitations that could still be answered are for, and by whom, each once. @param email of this address alone, where it is said */
export async function listOffers(tx: Tx, { organizationId }: Scope, nowMs: number, email?: string): Promise<Offer[]> {
  const { rows } = await sql<Offer>`
    select distinct invited_by, role, role_id from invitations
    where organization_id = ${organizationId} and state = 'pending' and expires_at > ${new Date(nowMs).toISOString()}::timestamptz
      and ${email === undefined ? sql`true` : sql`lower(email) = ${email.toLowerCase()}`}`.execute(tx)
  return rows
}

/** Whether an invitation, as `i`, can be answered by then, and is none of these offers. */
export function isOpenAt(nowMs: number, voidOffers: readonly Offer[]): RawBuilder<boolean> {
  return sql<boolean>`(i.expires_at > ${new Date(nowMs).toISOString()}::timestamptz and not exists (
    select from unnest(${voidOffers.map(offer => offer.invited_by)}::bigint[], ${voidOffers.map(offer => offer.role)}::text[],
      ${voidOffers.map(offer => offer.role_id)}::text[]) as v (invited_by, role, role_id)
    where v.invited_by = i.invited_by and v.role = i.role and v.role_id is not distinct from i.role_id))`
}

/** With whether its link opens something. */
export type ListedInvitation = InvitationRow & { is_open: boolean }

/** The newest first, one more than asked for where there are more. */
export async function listInvitations(
  tx: Tx,
  { organizationId }: Scope,
  { state, nowMs, voidOffers }: { state: ShownState | undefined; nowMs: number; voidOffers: readonly Offer[] },
  { limit, beforeId }: { limit: number; beforeId: string | undefined },
): Promise<ListedInvitation[]> {
  const isOpen = isOpenAt(nowMs, voidOffers)
  let asked = tx
    .selectFrom('invitations as i')
    .select([...columns, isOpen.as('is_open')])
    .where('organization_id', '=', organizationId)
  if (state !== undefined) asked = asked.where('state', '=', state === 'expired' ? 'pending' : state)
  if (state === 'expired') asked = asked.where(sql<boolean>`not ${isOpen}`)
  if (state === 'pending') asked = asked.where(isOpen)
  if (beforeId !== undefined) asked = asked.where('id', '<', beforeId)
  return asked
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .$castTo<ListedInvitation>()
    .execute()
}

/** Counts a mail that was sent again; the link is good as long as that of a new one, and who sent it answers for it. */
export async function extendInvitation(
  tx: Tx,
  { organizationId }: Scope,
  id: string,
  expires_at: string,
  invited_by: number,
): Promise<InvitationRow> {
  return tx
    .updateTable('invitations')
    .set({ expires_at, invited_by, resent_count: sql`resent_count + 1` })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .returning(columns)
    .$castTo<InvitationRow>()
    .executeTakeFirstOrThrow()
}

/** Takes back what nobody answered of what somebody invited to, or of what was for a role. */
export async function revokeInvitations(
  tx: Tx,
  { organizationId }: Scope,
  [column, value]: ['invited_by', number] | ['role_id', string],
): Promise<InvitationRow[]> {
  return tx
    .updateTable('invitations')
    .set({ state: 'revoked', decided_at: sql`now()` })
    .where('organization_id', '=', organizationId)
    .where(column, '=', value)
    .where('state', '=', 'pending')
    .returning(columns)
    .$castTo<InvitationRow>()
    .execute()
}

/** With its row locked: it is answered once. */
export async function lockInvitation(
  tx: Tx,
  { organizationId }: Scope,
  id: string,
): Promise<InvitationRow | undefined> {
  return tx
    .selectFrom('invitations')
    .select(columns)
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .forUpdate()
    .$castTo<InvitationRow>()
    .executeTakeFirst()
}

export async function decideInvitation(
  tx: Tx,
  { organizationId }: Scope,
  id: string,
  decision: { state: InvitationRow['state']; user_id?: number },
): Promise<InvitationRow> {
  return tx
    .updateTable('invitations')
    .set({ ...decision, decided_at: sql`now()` })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .returning(columns)
    .$castTo<InvitationRow>()
    .executeTakeFirstOrThrow()
}

/** What a link opens. */
export type FoundInvitation = {
  organization_id: number
  tenant_id: number
  id: string
  email: string
  role: Role
  role_id: string | null
  organization_name: string
  inviter_name: string
  /** The account of the address, where it has one. */
  account_id: number | null
}

export async function findInvitation(db: Db, token: string, nowMs: number): Promise<FoundInvitation | undefined> {
  const rows = await db.call<FoundInvitation>('find_invitation', 'select * from find_invitation($1, $2)', [
    hashOf(token),
    new Date(nowMs).toISOString(),
  ])
  return rows[0]
}

/**
 * Whose the address is stays open: who invited saw the link as well.
 * @throws Problem `invitation_needs_login` when somebody else was quicker
 */
export async function insertAccount(
  tx: Tx,
  { email, name, hash }: { email: string; name: string; hash: string },
): Promise<number> {
  try {
    const { rows } = await sql<{ id: number }>`select make_account(${email}, ${name}, ${hash}, false) as id`.execute(tx)
    return rows[0]!.id
  } catch (error) {
    if (constraintOf(error) === 'accounts_email_key') throw new Problem('invitation_needs_login')
    throw error
  }
}

/**
 * Chooses another password for an account whose person is a member nowhere; undefined where there is none such.
 */
export async function reviveAccount(
  tx: Tx,
  { email, name, hash }: { email: string; name: string; hash: string },
): Promise<number | undefined> {
  const { rows } = await sql<{
    id: number | null
  }>`select revive_account(${email}, ${name}, ${hash}, false) as id`.execute(tx)
  return rows[0]?.id ?? undefined
}
